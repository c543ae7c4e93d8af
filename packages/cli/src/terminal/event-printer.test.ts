import type { StreamEvent } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { EventPrinter, type PrinterOptions } from './event-printer.ts'
import { createStyle } from './style.ts'

const time = (seconds: number) => new Date(seconds * 1000).toISOString()
let seq = 0
function event(fields: object, seconds = 0): StreamEvent {
  seq++
  const session = '00000000-0000-4000-8000-000000000000'
  return { id: `1-${seq}`, session, time: time(seconds), ...fields } as StreamEvent
}
const say = (text: string, index = 0) => event({ type: 'text_delta', message_id: 'm', index, text })
const call = (fields: object = {}, seconds = 0) =>
  event(
    { type: 'tool_call_end', tool_call_id: 't', name: 'Bash', input: { command: 'ls' }, ...fields },
    seconds,
  )
const result = (fields: object = {}, seconds = 0) =>
  event({ type: 'tool_result', tool_call_id: 't', content: [], is_error: false, ...fields }, seconds)

function printed(events: StreamEvent[], options: Partial<PrinterOptions> = {}) {
  const out = { say: '', note: '', all: '' }
  const write = (stream: 'say' | 'note') => (text: string) => {
    out[stream] += text
    out.all += text
  }
  const printer = new EventPrinter({
    say: write('say'),
    note: write('note'),
    sameScreen: true,
    overwrite: true,
    isOwn: () => true,
    style: createStyle(false),
    width: () => 60,
    stream: true,
    ...options,
  })
  for (const one of events) printer.print(one)
  printer.endLine()
  return out
}

describe('EventPrinter', () => {
  it('streams what the agent says, block after block', () => {
    expect(printed([say('Hel'), say('lo'), say('Second', 1)]).all).toBe('Hello\nSecond\n')
  })

  it('keeps the answer apart from everything around it', () => {
    const { say: answer, note } = printed(
      [
        event({ type: 'thinking_delta', message_id: 'm', index: 0, text: 'hm' }),
        call(),
        result(),
        say('Done.', 1),
      ],
      { sameScreen: false, overwrite: false },
    )
    expect(answer).toBe('Done.\n')
    expect(note).toBe('hm\n✓ Bash ls 0.0s\n')
  })

  it('writes a finished call over its own line, unless something came between', () => {
    expect(printed([call({}, 0), result({}, 2)]).all).toBe('… Bash ls\r\x1b[2K✓ Bash ls 2.0s\n')
    expect(printed([call(), say('meanwhile'), result()]).all).toBe('… Bash ls\nmeanwhile\n✓ Bash ls 0.0s\n')
  })

  it('does not count the time that a person took to answer', () => {
    const answered = event(
      { type: 'approval_resolved', approval_id: 'a', tool_call_id: 't', state: 'allowed' },
      100,
    )
    expect(printed([call({}, 0), answered, result({}, 101)]).all).toContain('✓ Bash ls 1.0s')
  })

  it('says who answered', () => {
    const by = (decided_by: object) =>
      printed([
        event({
          type: 'approval_resolved',
          approval_id: 'a',
          tool_call_id: 't',
          state: 'allowed',
          decided_by,
        }),
      ]).all
    expect(by({ kind: 'person', token_name: 'Phone' })).toContain('allowed by Phone\n')
    expect(by({ kind: 'mode' })).toContain('allowed by the permission mode\n')
    expect(by({ kind: 'rule' })).toContain('allowed by the rule\n')
    expect(by({ kind: 'agent' })).toContain('allowed by an agent\n')
    expect(by({ kind: 'schedule' })).toContain('allowed by a schedule\n')
  })

  it('shows the first line of what went wrong', () => {
    const failed = result({ is_error: true, content: [{ type: 'text', text: 'no such file\nmore' }] })
    expect(printed([call(), failed]).all).toMatch(/✗ Bash ls 0\.0s\n {2}no such file\n$/)
  })

  it('lets an agent neither move the cursor nor pose as another line', () => {
    const evil = '\x1b[2K\r✓ all good\u202e'
    const { all } = printed(
      [
        say(evil),
        call({ input: { command: `ls\n${evil}` } }),
        event({ type: 'error', code: 'x', message: evil }),
      ],
      { overwrite: false },
    )
    expect(all).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(all.split('\n').filter((line) => line.startsWith('✓'))).toEqual([])
  })

  it('never makes the line of a call wider than the screen', () => {
    const long = call({ input: { command: 'x'.repeat(500) } })
    const lines = printed([long, result()], { overwrite: false }).all.split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60)
  })

  it('shows messages that were typed elsewhere, and none of a subagent', () => {
    const typed = event({ type: 'user_message', message_id: 'u', content: 'from the page' })
    const inner = event({ type: 'text_delta', message_id: 'm', index: 0, text: 'inner', parent: 't' })
    expect(printed([typed, inner], { isOwn: () => false }).all).toBe('> from the page\n')
    expect(printed([typed]).all).toBe('')
  })

  it('says how a turn ended when it did not complete', () => {
    const end = event({
      type: 'turn_end',
      turn_id: 'x',
      outcome: 'max_turns',
      reason: 'limit of 3',
      usd: 0.5,
    })
    expect(printed([say('and'), end]).all).toBe('and\n(max turns, $0.5000: limit of 3)\n')
    const idle = event({ type: 'turn_end', turn_id: 'x', outcome: 'completed', reason: 'All were denied.' })
    expect(printed([say('and'), idle]).all).toBe('and\n(completed: All were denied.)\n')
  })
})

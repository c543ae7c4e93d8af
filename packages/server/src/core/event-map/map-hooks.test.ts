import { describe, expect, it } from 'vitest'
import type { CliMessage } from '../ports/agent.ts'
import { limits } from './bounded-value.ts'
import { hookAttachment } from './map-hooks.ts'
import { initialMapState, mapMessage } from './map-message.ts'
import { transcriptRows } from './map-transcript.ts'

const eventsOf = (message: CliMessage) => mapMessage(initialMapState(), message).events
const ended = (fields: Record<string, unknown>): CliMessage => ({
  type: 'system',
  subtype: 'hook_response',
  hook_name: 'PostToolUse:Bash',
  hook_event: 'PostToolUse',
  outcome: 'success',
  exit_code: 0,
  stdout: '',
  stderr: '',
  ...fields,
})
const mapped = (message: CliMessage) =>
  eventsOf(message).map((event) =>
    event.type === 'hook_result' ? `${event.outcome}: ${event.output}` : event.type,
  )
const answer = (fields: unknown) => ended({ stdout: `${JSON.stringify(fields)}\n` })
const failed = { outcome: 'error', stderr: 'no\n' }

describe('the end of a hook', () => {
  it.each<[string, CliMessage, string[]]>([
    ['that was silent', ended({}), []],
    ['that printed blanks', ended({ stdout: ' \n' }), []],
    ['that printed', ended({ stdout: 'fine\n' }), ['said: fine']],
    ['with a message', answer({ systemMessage: 'hi', suppressOutput: true }), ['said: hi']],
    ['with context', answer({ hookSpecificOutput: { additionalContext: 'more' } }), ['said: more']],
    ['that hides it', answer({ suppressOutput: true, hookSpecificOutput: { additionalContext: 'm' } }), []],
    ['that only allows', answer({ hookSpecificOutput: { permissionDecision: 'allow' } }), []],
    ['that objects', answer({ decision: 'block', reason: 'no' }), ['blocked: no']],
    ['that ends the turn', answer({ continue: false, stopReason: 'enough' }), ['blocked: enough']],
    ['that failed', ended({ ...failed, exit_code: 1 }), ['failed: no']],
    ['that failed silently', ended({ outcome: 'error', exit_code: 127 }), ['failed: ']],
    ['with status 2', ended({ ...failed, exit_code: 2 }), ['blocked: no']],
    ['that took too long', ended({ outcome: 'cancelled', exit_code: 1 }), ['cancelled: ']],
    ['before a call, which it denied', ended({ ...failed, exit_code: 2, hook_name: 'PreToolUse:Bash' }), []],
    [
      'before a call, which failed',
      ended({ ...failed, exit_code: 1, hook_name: 'PreToolUse' }),
      ['failed: no'],
    ],
    ['with half an answer', ended({ stdout: '{"a":' }), ['said: {"a":']],
    ['with a list', ended({ stdout: '[1]' }), ['said: [1]']],
  ])('%s', (_name, message, expected) => {
    expect(mapped(message)).toEqual(expected)
  })

  it('is of a bounded size', () => {
    const [event] = eventsOf(ended({ stdout: 'x'.repeat(1_000_000), hook_name: 'y'.repeat(1_000_000) }))
    expect(JSON.stringify(event).length).toBeLessThan(2 * limits.shortChars + 200)
  })

  it('of any shape breaks nothing', () => {
    for (const value of [undefined, null, 7, {}, [], 'x', { hookSpecificOutput: [] }])
      for (const field of ['hook_name', 'hook_event', 'outcome', 'stdout', 'stderr', 'exit_code'])
        expect(() => eventsOf(ended({ [field]: value }))).not.toThrow()
    for (const value of [undefined, null, 7, [], 'x'])
      expect(() => hookAttachment({ type: 'hook_blocking_error', blockingError: value })).not.toThrow()
  })

  it('is published once: what else the CLI says of it is left out', () => {
    const says = {
      type: 'system',
      subtype: 'informational',
      level: 'notice',
      content: 'Stop says: hi\nStop says: ho',
    }
    expect(eventsOf(says)).toEqual([])
    expect(eventsOf({ ...says, level: 'warning' })).toHaveLength(1)
    expect(eventsOf({ type: 'system', subtype: 'notification', key: 'stop-hook-error', text: 'x' })).toEqual(
      [],
    )
    const content = [{ type: 'text', text: 'Stop hook feedback:\nno' }]
    const feedback = { type: 'user', uuid: 'u', message: { role: 'user', content } }
    expect(eventsOf({ ...feedback, isSynthetic: true })).toEqual([])
    // A person may write so.
    expect(eventsOf({ ...feedback, isReplay: true })).toHaveLength(1)
  })
})

describe('hooks in a transcript', () => {
  const time = '2026-01-01T00:00:00.000Z'
  const rowsOf = (...entries: Record<string, unknown>[]) =>
    transcriptRows(entries.map((entry, at) => ({ entry: { timestamp: time, ...entry }, offset: at * 1000 })))
      .flatMap(({ events }) => events)
      .map((event) =>
        event.type === 'hook_result' ? `${event.hook} ${event.outcome}: ${event.output}` : event.type,
      )
  const attached = (attachment: Record<string, unknown>, more = {}) => ({
    type: 'attachment',
    attachment: { hookName: 'PostToolUse:Bash', ...attachment },
    ...more,
  })

  it('are as they were live', () => {
    const fault = 'Failed with non-blocking status code: broken'
    const blockingError = { blockingError: '[sh a.sh]: use tabs\n', command: 'sh a.sh' }
    const feedback = { role: 'user', content: 'Stop hook feedback:\n[sh stop.sh]: not yet\nmore\n' }
    expect(
      rowsOf(
        attached({ type: 'hook_success', stdout: 'fine\n' }),
        attached({ type: 'hook_success', stdout: '' }),
        attached({ type: 'hook_non_blocking_error', stderr: fault, exitCode: 1 }),
        attached({ type: 'hook_blocking_error', blockingError }),
        attached({ type: 'hook_cancelled' }),
        { type: 'user', isMeta: true, message: feedback },
        // Published with the answer of the hook itself.
        attached({ type: 'hook_system_message', content: 'hi' }),
      ),
    ).toEqual([
      'PostToolUse:Bash said: fine',
      'PostToolUse:Bash failed: broken',
      'PostToolUse:Bash blocked: use tabs',
      'PostToolUse:Bash cancelled: ',
      'Stop blocked: not yet\nmore',
    ])
  })

  it('of subagents are left out', () => {
    expect(rowsOf(attached({ type: 'hook_success', stdout: 'x' }, { isSidechain: true }))).toEqual([])
  })
})

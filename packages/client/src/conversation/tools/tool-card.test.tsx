import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Decision, ToolItem, TurnItem } from '../../live/page-session.ts'
import { text } from '../../text/card-text.ts'
import { sampleCall } from '../test-support/sample-call.ts'
import { TurnRow } from '../turn-row.tsx'
import { CallsBehindContext } from './calls-behind.ts'
import { ToolCard } from './tool-card.tsx'

const time = '2026-05-01T10:00:00.000Z'
const call = (change: Partial<ToolItem>) => sampleCall('c', { input: { command: 'asked' }, ...change })
const allowed: Decision = {
  state: 'allowed',
  by: { kind: 'person', token_name: 'Laptop' },
  time,
  message: undefined,
  edited: false,
  answer: undefined,
}
const card = (change: Partial<ToolItem>, behind: string[] = []) =>
  renderToStaticMarkup(
    <CallsBehindContext value={new Set(behind)}>
      <ToolCard item={call(change)} />
    </CallsBehindContext>,
  )

describe('a tool card', () => {
  it('shows what ran of an edited call', () => {
    const decision = { ...allowed, edited: true, updatedInput: { command: 'edited' } }
    const html = card({ status: 'done', decision })
    expect(html).toContain('edited')
    expect(html).not.toContain('asked')
  })

  it('does not say of a call behind another that it runs', () => {
    const words = text.conversation
    const html = card({}, ['c'])
    expect(html).toContain(words.notStarted)
    expect(html).not.toContain(words.verbs.run.doing)
  })

  it('says of a question that it was answered', () => {
    const html = card({
      name: 'AskUserQuestion',
      input: { questions: [] },
      status: 'done',
      decision: allowed,
    })
    expect(html).toContain(text.approvals.decision.answered)
    expect(html).not.toContain(text.approvals.decision.allowed)
  })

  it.each([
    ['AskUserQuestion', text.approvals.decision.declined],
    ['ExitPlanMode', text.approvals.decision.sentBack],
    ['Bash', text.approvals.decision.denied],
  ])('says in one way what became of a refused %s', (name, word) => {
    const decision: Decision = { ...allowed, state: 'denied' }
    const html = card({ name, input: { questions: [] }, status: 'denied', decision })
    expect(html).toContain(` ${word.toLowerCase()}`)
    // A call that is closed says so in its head alone.
    if (name === 'Bash') expect(html).not.toContain(word)
    const other = text.conversation.toolStates.denied
    if (name !== 'Bash') expect(html.replace(/<[^>]*>/g, ' ').toLowerCase()).not.toContain(other)
  })
})

it('the end of a turn shows no tokens where none are known', () => {
  const turn = (output: number): TurnItem => ({
    kind: 'turn',
    key: 'turn:t',
    time,
    turnId: 't',
    outcome: 'interrupted',
    reason: undefined,
    durationMs: undefined,
    tokens: { input: 0, output, cache_read: 0, cache_write: 0 },
    usd: undefined,
  })
  expect(renderToStaticMarkup(<TurnRow item={turn(7)} />)).toContain(text.conversation.tokens('0', '7'))
  expect(renderToStaticMarkup(<TurnRow item={turn(0)} />)).not.toContain(text.conversation.tokens('0', '0'))
})

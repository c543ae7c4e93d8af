import { describe, expect, it } from 'vitest'
import type { TranscriptEntry } from '../ports/transcripts.ts'
import { subagentCalls, subagentEvents } from './subagent-events.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const asEntries = (lines: Record<string, unknown>[]): TranscriptEntry[] =>
  lines.map((entry, index) => ({ offset: index * 1000, entry }))
const says = (text: string, second: number) => ({
  type: 'assistant',
  uuid: `a${second}`,
  isSidechain: true,
  timestamp: at(second),
  message: { id: `m${second}`, content: [{ type: 'text', text }] },
})
const result = (ids: string[], toolUseResult: unknown) => ({
  type: 'user',
  uuid: 'u',
  message: { content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'x' })) },
  toolUseResult,
})

describe('subagents of a page', () => {
  it('are named by the results of their calls', () => {
    const entries = asEntries([
      says('hello', 1),
      result(['toolu_1'], { agentId: 'a1', status: 'completed' }),
      result(['toolu_2'], 'text'),
      result(['toolu_3'], { agentId: 7 }),
      result(['toolu_4', 'toolu_5'], { agentId: 'a2' }),
      result([], { agentId: 'a3' }),
      { type: 'user', message: 'words', toolUseResult: { agentId: 'a4' } },
      { ...result(['toolu_6'], { agentId: 'a5' }), type: 'assistant' },
    ])
    expect(subagentCalls(entries)).toEqual([{ toolCallId: 'toolu_1', agentId: 'a1' }])
  })
})

describe('words of a subagent', () => {
  it('belong to its call, without the prompt', () => {
    const entries = asEntries([
      { type: 'user', uuid: 'p', isSidechain: true, timestamp: at(0), message: { content: 'the prompt' } },
      says('one', 1),
      says('two', 2),
    ])
    expect(subagentEvents(entries, 'toolu_1')).toMatchObject([
      { time: at(1), event: { type: 'text_delta', text: 'one', parent: 'toolu_1' } },
      { time: at(2), event: { type: 'text_delta', text: 'two', parent: 'toolu_1' } },
    ])
  })

  it('end where something else has the rest', () => {
    const entries = asEntries([says('one', 1), says('two', 2)])
    expect(subagentEvents(entries, 'toolu_1', at(2))).toHaveLength(1)
  })

  it('are the newest two hundred, in whole entries', () => {
    const lines = Array.from({ length: 101 }, (_, index) => {
      const line = says('', index)
      const content = ['a', 'b', 'c'].map((text) => ({ type: 'text', text }))
      return { ...line, message: { ...line.message, content } }
    })
    const mapped = subagentEvents(asEntries(lines), 'toolu_1')
    expect(mapped).toHaveLength(198)
    expect(mapped[0]).toMatchObject({ time: at(35), event: { text: 'a' } })
    expect(mapped.at(-1)).toMatchObject({ time: at(100), event: { text: 'c' } })
    expect(subagentEvents(asEntries(lines.slice(-66)), 'toolu_1')).toHaveLength(198)
  })
})

import { streamEventSchema } from '@dorkos/shared'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TranscriptEntry } from '../ports/transcripts.ts'
import { mapTranscript } from './map-transcript.ts'

const sessionId = '00000000-0000-4000-8000-000000000000'
const time = '2026-11-15T05:00:00.000Z'

/** Entries as they stand in a file, with the offsets of their lines. */
function lines(entries: object[]): TranscriptEntry[] {
  let offset = 0
  return entries.map((entry) => {
    const line = { entry: entry as Record<string, unknown>, offset }
    offset += Buffer.byteLength(JSON.stringify(entry)) + 1
    return line
  })
}
const map = (entries: object[]) => mapTranscript(lines(entries), { sessionId })
const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  uuid: 'u',
  timestamp: time,
  message: { role: 'user', content },
  ...more,
})

describe('a transcript', () => {
  it('gives no event for what keeps the books of the CLI or is for the model alone', () => {
    const entries = [
      { type: 'queue-operation', operation: 'enqueue', content: 'go' },
      { type: 'file-history-snapshot', snapshot: {} },
      { type: 'summary', summary: 'x', leafUuid: 'y' },
      { type: 'api-request-blob', message: { role: 'user', content: 'secret' } },
      { type: 'cost-state', totalCostUSD: 1 },
      { type: 'attachment', uuid: 'a', attachment: { type: 'environment' } },
      user('reminder', { isMeta: true }),
      user('<local-command-caveat>The command below was run…</local-command-caveat>'),
    ]
    expect(map(entries)).toEqual([])
  })

  it('gives commands as they were typed, and what they printed', () => {
    const events = map([
      user(
        '<command-name>/review</command-name>\n <command-message>review</command-message>\n <command-args>a b</command-args>',
      ),
      {
        type: 'system',
        subtype: 'local_command',
        uuid: 's',
        timestamp: time,
        content: '<local-command-stdout>out\n\n</local-command-stdout>',
      },
      {
        type: 'system',
        subtype: 'local_command',
        uuid: 's2',
        timestamp: time,
        content: '<local-command-stdout></local-command-stdout>',
      },
      user('<bash-input>ls</bash-input>'),
      user('<bash-stdout>a.txt</bash-stdout><bash-stderr>warned</bash-stderr>'),
    ])
    expect(events).toMatchObject([
      { type: 'user_message', content: '/review a b' },
      { type: 'text_delta', message_id: 's', text: 'out' },
      { type: 'user_message', content: '!ls' },
      { type: 'user_message', content: 'a.txt\nwarned', synthetic: true },
    ])
    expect(events[0]).not.toHaveProperty('synthetic')
  })

  it('marks summaries, and reports entries that are too large', () => {
    expect(
      map([
        user('This session is being continued…', { isCompactSummary: true }),
        { type: 'user', uuid: 'u', timestamp: time, truncated: true, bytes: 20_000_000 },
      ]),
    ).toMatchObject([
      { type: 'user_message', synthetic: true },
      { type: 'notice', code: 'entry_too_large', message: expect.stringContaining('20.0 MB') as string },
    ])
  })

  it('reports requests that were made again, as was published live', () => {
    const retry = (error: object, attempt: number) => ({
      type: 'system',
      subtype: 'api_error',
      timestamp: time,
      error,
      retryInMs: 538,
      retryAttempt: attempt,
      maxRetries: 10,
    })
    const failures = [{ status: 529 }, { status: 500 }, { status: 429 }, { status: 401 }, {}]
    expect(map(failures.map(retry))).toMatchObject([
      { type: 'api_retry', attempt: 0, max_attempts: 10, delay_ms: 538, status: 529, message: 'overloaded' },
      { attempt: 1, status: 500, message: 'server_error' },
      { attempt: 2, status: 429, message: 'rate_limit' },
      { attempt: 3, status: 401, message: 'authentication_failed' },
      { attempt: 4, message: 'unknown' },
    ])
  })

  it('keeps subagents apart that older CLIs wrote into the same file', () => {
    const answer = {
      type: 'assistant',
      uuid: 'a',
      timestamp: time,
      isSidechain: true,
      message: { id: 'm', content: [{ type: 'text', text: 'x' }] },
    }
    expect(
      map([answer, { ...answer, uuid: 'b', agentId: 'ag', message: { ...answer.message, id: 'n' } }]),
    ).toMatchObject([
      { type: 'text_delta', parent: 'sidechain' },
      { type: 'text_delta', parent: 'ag' },
    ])
  })

  it('knows the place of each block', () => {
    const answer = (uuid: string, apiBlockIndex: number, words: string[]) => ({
      type: 'assistant',
      uuid,
      timestamp: time,
      apiBlockIndex,
      message: { id: 'm', content: words.map((text) => ({ type: 'text', text })) },
    })
    expect(map([answer('a', 3, ['a', 'b']), answer('b', 0, ['c', 'd'])])).toMatchObject([
      { index: 3, text: 'a' },
      { index: 4, text: 'b' },
      { index: 0, text: 'c' },
      { index: 1, text: 'd' },
    ])
  })

  it('gives the same ids for the same entries, whatever page they are read in', () => {
    const entries = lines(
      Array.from({ length: 50 }, (_, index) => user(`message ${index}`, { uuid: `u${index}` })),
    )
    const whole = mapTranscript(entries, { sessionId })
    for (const from of [0, 7, 49])
      expect(mapTranscript(entries.slice(from), { sessionId })).toEqual(whole.slice(from))
    expect(mapTranscript([{ entry: user('far'), offset: 999_000_000_000 }], { sessionId })[0]?.id).toMatch(
      /^0-\d{15}$/,
    )
  })

  it('survives anything, with valid events in order', () => {
    const entry = fc.record(
      {
        type: fc.constantFrom('user', 'assistant', 'system', 'attachment', 'x'),
        subtype: fc.constantFrom('compact_boundary', 'local_command', 'informational', 'x', 5),
        uuid: fc.oneof(fc.string(), fc.jsonValue()),
        timestamp: fc.oneof(fc.constant(time), fc.string(), fc.jsonValue()),
        message: fc.oneof(
          fc.jsonValue(),
          fc.record({
            id: fc.constantFrom('m', 5),
            content: fc.oneof(
              fc.string(),
              fc.array(
                fc.record({
                  type: fc.constantFrom('text', 'tool_use', 'tool_result', 'x'),
                  text: fc.jsonValue(),
                  id: fc.string(),
                  tool_use_id: fc.string(),
                  content: fc.jsonValue(),
                }),
              ),
              fc.constantFrom('<task-notification><task-id>x', '<command-name>/x</command-name>'),
            ),
          }),
        ),
        attachment: fc.record({
          type: fc.constant('queued_command'),
          prompt: fc.jsonValue(),
          source_uuid: fc.jsonValue(),
        }),
        isSidechain: fc.boolean(),
        isMeta: fc.boolean(),
        toolUseResult: fc.jsonValue(),
        truncated: fc.constantFrom(true, false, 1),
        apiBlockIndex: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 10 }), (entries) => {
        let last = -1
        for (const event of map(entries)) {
          const id = Number(streamEventSchema.parse(event).id.slice(2))
          expect(id).toBeGreaterThan(last)
          last = id
        }
      }),
      { numRuns: 400 },
    )
  })
})

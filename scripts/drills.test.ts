/** The drills, short: that they run, find nothing, and would say so. Long ones: `npm run drill`. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../drills/run.mjs', import.meta.url))

function drill(...args: string[]): Promise<{ code: number; line: Record<string, unknown>; errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0
      resolve({ code, line: stdout.trim() ? JSON.parse(stdout) : {}, errors: stderr })
    })
  })
}

interface RestingSession {
  events: Record<string, unknown>[]
  turns: Record<string, unknown>[]
  accepted: Record<string, unknown>[]
  /** What the model was really put, and how many turns the CLI had a reason of its own for. */
  asked: string[]
  ownTurns: number
}

/**
 * A session of two messages that waited, the second of them given back once, one that was steered into the first, news of background work, and
 * a question to a person.
 */
function restingSession(): RestingSession {
  const turn = (id: string, content: string, more: object) => ({
    id,
    cause: 'message',
    state: 'ended',
    outcome: 'completed',
    started_at: 'then',
    content,
    ...more,
  })
  const whole = (id: string, ...messages: [string, string][]) => [
    { type: 'turn_start', turn_id: id },
    ...messages.map(([message_id, content]) => ({ type: 'user_message', message_id, turn_id: id, content })),
    ...messages.map(([, content]) => ({ type: 'text_delta', text: `You said: ${content}` })),
    { type: 'turn_end', turn_id: id, outcome: 'completed' },
  ]
  const question = [
    { type: 'approval_required', approval: { id: 'q' } },
    { type: 'approval_resolved', approval_id: 'q', state: 'allowed' },
  ]
  const own = whole('own')
  Object.assign(own[0] ?? {}, { cause: 'background' })
  return {
    events: [
      ...whole('a', ['a', 'one'], ['s', 'more']),
      ...whole('again', ['again', 'two']),
      ...own,
      ...question,
    ],
    asked: ['one', 'more', 'two'],
    ownTurns: 1,
    // Newest first.
    turns: [
      turn('own', '', { cause: 'background' }),
      turn('again', 'two', {}),
      turn('b', 'two', { outcome: 'withdrawn' }),
      turn('s', 'more', { outcome: 'joined', joined_turn: 'a' }),
      turn('a', 'one', {}),
    ],
    accepted: [
      { id: 'b', content: 'two', delivery: 'queue' },
      { id: 'a', content: 'one', delivery: 'queue' },
      { id: 's', content: 'more', delivery: 'steer' },
    ],
  }
}

function load<Check extends string>(
  file: string,
): Promise<Record<Check, (session: RestingSession) => string[]>> {
  return import(new URL(`../drills/${file}`, import.meta.url).href)
}

describe('what interleave checks of a session', () => {
  const faults: [string, (session: RestingSession) => void, RegExp][] = [
    ['a message of another turn', ({ turns }) => delete turns[3]?.joined_turn, /which is not its turn/],
    [
      'a message between turns',
      ({ events }) => events.unshift(...events.splice(1, 1)),
      /while undefined ran/,
    ],
    ['a message twice', ({ events }) => events.splice(2, 0, { ...events[1] }), /published twice/],
    ['a message never', ({ events }) => events.splice(7, 1), /again \(completed\) was never published/],
    ['messages out of order', ({ turns }) => turns.reverse(), /stored as two,one, and ran as one,two/],
    ['a turn in a turn', ({ events }) => events.splice(5, 1), /again began in a/],
    [
      'another end',
      ({ events }) => Object.assign(events[5] ?? {}, { outcome: 'failed' }),
      /published failed/,
    ],
    ['an open turn', ({ turns }) => Object.assign(turns[1] ?? {}, { state: 'running' }), /again is running/],
    ['a warning', ({ events }) => events.push({ type: 'notice', level: 'warning', code: 'stuck' }), /stuck/],
    [
      'a message that the CLI left out',
      ({ turns }) => Object.assign(turns[2] ?? {}, { reason: 'The CLI left this message out.' }),
      /b: The CLI left/,
    ],
    ['a lost message', ({ turns }) => turns.splice(2, 1), /the message b is not in the store/],
    ['a question without an end', ({ events }) => events.splice(13, 1), /q was asked, and is still open/],
    [
      'a question with two ends',
      ({ events }) => events.push({ ...events[13] }),
      /q was answered, and is not open/,
    ],
    ['a completed message that was never asked', ({ asked }) => asked.shift(), /asked it 0 times/],
    ['a message that was asked twice', ({ asked }) => asked.push('two'), /asked it 2 times/],
    [
      'a message that was asked in another turn',
      ({ events }) => events.splice(10, 0, ...events.splice(8, 1)),
      /was asked in own, not in again/,
    ],
    [
      "a message's turn that is taken for the CLI's own",
      (session) => {
        session.ownTurns = 0
      },
      /1 turns are told as the CLI's own, which had a reason for 0/,
    ],
  ]

  it('finds nothing in one that is well, and each fault that is put there', async () => {
    const { checkPublished } = await load<'checkPublished'>('check-published.mjs')
    const { checkAsked } = await load<'checkAsked'>('check-asked.mjs')
    const check = (session: RestingSession) => [...checkPublished(session), ...checkAsked(session)]
    expect(check(restingSession())).toEqual([])
    for (const [name, plant, words] of faults) {
      const session = restingSession()
      plant(session)
      expect(check(session).join('; '), name).toMatch(words)
    }
  })
})

describe('drills', () => {
  it('kill9: nothing is lost, runs twice, dangles or is damaged', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('kill9', '--runs', '2', '--seed', '5', '--real-every', '2')
    expect(line, errors).toMatchObject({ drill: 'kill9', runs: 2, real_runs: 1, ok: true })
    expect(line).toMatchObject({ lost: 0, double: 0, corrupt: 0, dangling: 0, gaps: 0, orphans: 0 })
    expect(line.accepted).toBeGreaterThan(0)
    expect(code).toBe(0)
  })

  it('cuts: every client has what the log has', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('cuts', '--runs', '40', '--seed', '5')
    expect(line, errors).toMatchObject({
      drill: 'cuts',
      lost: 0,
      doubled: 0,
      reordered: 0,
      resyncs: 0,
      ok: true,
    })
    expect(line.cuts).toBeGreaterThanOrEqual(40)
    expect(code).toBe(0)
  })

  it('soak: sessions that came and went leave nothing', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('soak', '--runs', '20')
    expect(line, errors).toMatchObject({ drill: 'soak', starts: 22, calls: 220, wrong: 0, left: 0, ok: true })
    expect(code).toBe(0)
  })

  it('interleave: no session hangs or contradicts itself', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('interleave', '--runs', '8', '--real', '1', '--seed', '5')
    expect(line, errors).toMatchObject({ drill: 'interleave', runs: 8, real_runs: 1, failures: 0, ok: true })
    expect(line.accepted).toBeGreaterThan(0)
    expect(code).toBe(0)
  })

  it('soak: many turns of one session leave nothing in memory', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('soak', '--turns', '40')
    expect(line, errors).toMatchObject({ drill: 'soak', turns: 40, warm_up_turns: 40, ok: true })
    // The database's and the index's are among them.
    expect(line.threads).toBeGreaterThan(2)
    expect(code).toBe(0)
  })

  it('say how they are called', async () => {
    const { code, errors } = await drill('no-such-drill')
    expect(code).toBe(2)
    expect(errors).toContain('usage')
  })
})

import { steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { SessionMessage } from '../src/index.ts'
import { deferred } from '../src/session/deferred.ts'
import { collect, textOf } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'

const noticesOf = (messages: SessionMessage[]) =>
  messages.flatMap(({ raw }) => (raw.subtype === 'informational' ? [String(raw.content)] : []))

describe('elicit', () => {
  const question = steps.elicit({ server: 'forms', message: 'Your name?', schema: { type: 'object' } })

  it('is answered by onElicitation', async () => {
    const asked: unknown[] = []
    await using fake = startFakeAgent([question], {
      onElicitation: (request) => {
        asked.push(request)
        return { action: 'accept', content: { name: 'Ada' } }
      },
    })
    const session = await fake.start()
    const notices = noticesOf(await collect(session.messages()))
    expect(notices).toEqual([expect.stringContaining('{"action":"accept","content":{"name":"Ada"}}')])
    expect(asked).toMatchObject([
      { serverName: 'forms', message: 'Your name?', mode: 'form', requestedSchema: { type: 'object' } },
    ])
  })

  it.each([
    ['declined', () => ({ action: 'decline' as const }), '"action":"decline"'],
    ['cancelled by a nonsensical answer', () => 'sure' as never, '"action":"cancel"'],
    [
      'refused when the callback throws',
      () => {
        throw new Error('nobody home')
      },
      'nobody home',
    ],
  ])('is %s', async (_, onElicitation, expected) => {
    await using fake = startFakeAgent([question, steps.say('on')], { onElicitation })
    const session = await fake.start()
    const messages = await collect(session.messages())
    expect(noticesOf(messages)).toEqual([expect.stringContaining(expected)])
    expect(textOf(messages)).toBe('on')
  })

  it('is declined where there is no callback', async () => {
    await using fake = startFakeAgent([question])
    const session = await fake.start()
    expect(noticesOf(await collect(session.messages()))).toEqual([
      expect.stringContaining('"action":"decline"'),
    ])
  })
})

describe('hook', () => {
  it('that throws is answered with an error, and the session goes on', async () => {
    await using fake = startFakeAgent([steps.hook({ event: 'Stop' }), steps.say('on')], {
      hooks: {
        Stop: [
          {
            hooks: [
              () => {
                throw new Error('broken hook')
              },
            ],
          },
        ],
      },
    })
    const session = await fake.start()
    const messages = await collect(session.messages())
    expect(noticesOf(messages)).toEqual([expect.stringContaining('broken hook')])
    expect(textOf(messages)).toBe('on')
  })

  it('that is withdrawn has its signal aborted', async () => {
    const hooked = deferred<AbortSignal>()
    await using fake = startFakeAgent(
      [steps.parallel([steps.hook({ event: 'Stop' }), [steps.wait(200), steps.cancelAsk()]])],
      {
        hooks: {
          Stop: [
            {
              hooks: [
                (_, __, { signal }) => {
                  hooked.resolve(signal)
                  return new Promise(() => {})
                },
              ],
            },
          ],
        },
      },
    )
    const session = await fake.start()
    await session.waitForCompletion()
    expect((await hooked.promise).aborted).toBe(true)
  })
})

/** Streaming input, interrupting and aborting, with the official SDK and with ours. */
import { setTimeout as sleep } from 'node:timers/promises'
import { hang, type ModelRequest, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { mailbox, said } from './support/mailbox.ts'
import type { Run } from './support/observe.ts'
import { endings, expectSame, observeBoth, ofType } from './support/parity.ts'

const echo = () => (request: ModelRequest) => `You said ${request.lastUserText}.`
const results = (seen: Parameters<typeof ofType>[0]) => ofType(seen, 'result').map(({ result }) => result)

describe('streaming input', () => {
  it('is one conversation of several turns, with setModel and setPermissionMode between them', async () => {
    const seen = await expectSame(echo, ({ query }) => {
      const { post, messages } = mailbox()
      // Messages to which the program gave an id are reported on.
      post(said('one', { uuid: '3fed43ec-5170-44ee-b476-f97131ba8614' }))
      let turns = 0
      return query(messages(), {}, async (message, running) => {
        if (message.type !== 'result') return
        if (turns++ > 0) return post(undefined)
        await running.setModel('claude-haiku-4-5')
        await running.setPermissionMode('acceptEdits')
        post(said('two'))
      })
    })
    // What changed reaches the model along with the second message.
    expect(results(seen)).toEqual(['You said one.', expect.stringMatching(/^You said .*two\.$/s)])
    expect(new Set(ofType(seen, 'result').map(({ session_id }) => session_id)).size).toBe(1)
    expect(ofType(seen, 'command_lifecycle').length).toBeGreaterThan(1)
    expect(seen.requests.at(-1)).toMatchObject({ model: expect.stringContaining('haiku') })
    expect(ofType(seen, 'system').filter(({ subtype }) => subtype === 'init')).toMatchObject([
      { permissionMode: 'default' },
      { permissionMode: 'acceptEdits' },
    ])
    expect(endings(seen)).toEqual([{ ended: 'normally' }])
  })

  it('that yields nothing', async () => {
    const seen = await expectSame(echo, ({ query }) => {
      const { post, messages } = mailbox()
      post(undefined)
      return query(messages())
    })
    expect(seen.log).toEqual([{ ended: 'normally' }])
  })

  it('that ends while a slow tool in process is at work', async () => {
    const seen = await expectSame(
      () => [toolUse('mcp__slow__wait', {}), toolUse('mcp__slow__wait', {}), 'Done.'],
      ({ sdk, query, note }: Run) => {
        const wait = sdk.tool('wait', 'Waits', {}, async () => {
          await sleep(700)
          note('waited')
          return { content: [{ type: 'text', text: 'waited' }] }
        })
        const { post, messages } = mailbox()
        post(said('go'))
        post(undefined)
        return query(messages(), {
          mcpServers: { slow: sdk.createSdkMcpServer({ name: 'slow', tools: [wait] }) },
          allowedTools: ['mcp__slow__wait'],
        })
      },
    )
    expect(seen.notes).toEqual(['waited', 'waited'])
    expect(results(seen)).toEqual(['Done.'])
  })

  it('that throws: ours throws that error, where the official one says "aborted"', async () => {
    async function* broken() {
      yield said('one')
      throw new TypeError('The source broke.')
    }
    const { theirs, own } = await observeBoth(echo, async ({ sdk, note, offline }) => {
      const options = { env: offline.env, cwd: offline.cwd, settingSources: [] }
      try {
        for await (const message of sdk.query({ prompt: broken(), options }))
          if (message.type === 'result' && message.subtype === 'success') note(message.result)
      } catch (error) {
        note(error instanceof sdk.AbortError ? 'AbortError' : String(error))
      }
    })
    expect(theirs.notes.at(-1)).toBe('AbortError')
    expect(own.notes).toEqual(['You said one.', 'TypeError: The source broke.'])
  })
})

describe('interrupt()', () => {
  const script = () => (request: ModelRequest) =>
    request.lastUserText === 'hang' ? hang({ afterDeltas: 1 }) : `You said ${request.lastUserText}.`

  it('stops the turn; the next message is answered', async () => {
    const seen = await expectSame(script, ({ query, offline, note }) => {
      const { post, messages } = mailbox()
      post(said('hang'))
      let results = 0
      return query(messages(), { includePartialMessages: true }, async (message, running) => {
        if (
          message.type === 'stream_event' &&
          message.event.type === 'content_block_delta' &&
          results === 0
        ) {
          await offline.model.waitForRequest(1)
          note(await running.interrupt())
        }
        if (message.type !== 'result') return
        results++
        post(results === 1 ? said('go on') : undefined)
      })
    })
    expect(seen.notes).toEqual([{ still_queued: [] }])
    expect(ofType(seen, 'result')).toMatchObject([
      { subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' },
      { subtype: 'success', result: expect.stringContaining('go on.') },
    ])
    expect(endings(seen)).toEqual([{ ended: 'normally' }])
  })

  it('as the last thing: the official iteration throws, ours ends', async () => {
    const { theirs, own } = await observeBoth(script, ({ query }) => {
      const { post, messages } = mailbox()
      post(said('hang'))
      let interrupted = false
      return query(messages(), { includePartialMessages: true }, async (message, running) => {
        if (message.type === 'stream_event' && message.event.type === 'content_block_delta' && !interrupted) {
          interrupted = true
          await running.interrupt()
        }
        if (message.type === 'result') post(undefined)
      })
    })
    expect(own.log.slice(0, -1)).toEqual(theirs.log.slice(0, -1))
    expect(endings(theirs)).toEqual([{ threw: 'an error' }])
    expect(endings(own)).toEqual([{ ended: 'normally' }])
  })
})

describe('ending early', () => {
  it('abortController: the iteration throws an AbortError; ours also stops the turn in good order', async () => {
    const { theirs, own } = await observeBoth(
      () => [hang()],
      ({ query, offline }) => {
        const abortController = new AbortController()
        void offline.model.waitForRequest(1).then(() => abortController.abort())
        return query('go', { abortController })
      },
    )
    expect(endings(theirs)).toEqual([{ threw: 'AbortError' }])
    expect(endings(own)).toEqual([{ threw: 'AbortError' }])
    expect(ofType(theirs, 'result')).toEqual([])
    expect(ofType(own, 'result')).toMatchObject([{ terminal_reason: 'aborted_streaming' }])
  })

  it('a controller that was aborted before', async () => {
    const seen = await expectSame(
      () => ['never'],
      ({ query }) => query('go', { abortController: abortedController() }),
    )
    expect(seen.log).toEqual([{ threw: 'AbortError' }])
    expect(seen.requests).toEqual([])
  })

  it('close() ends the iteration', async () => {
    const seen = await expectSame(
      () => [hang()],
      ({ query, offline }) =>
        query('go', {}, async (message, running) => {
          if (message.type !== 'system') return
          await offline.model.waitForRequest(1)
          running.close()
        }),
    )
    expect(endings(seen)).toEqual([{ ended: 'normally' }])
  })
})

function abortedController(): AbortController {
  const controller = new AbortController()
  controller.abort()
  return controller
}

import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  call,
  type GatewayFixture,
  gatewayFixture,
  inState,
  plainEntry,
  statusWhere,
  stdioEntry,
  textOf,
} from '../../test/support/gateway-fixture.ts'
import { McpCallError } from '../errors.ts'

let fixture: GatewayFixture
beforeEach(() => {
  fixture = gatewayFixture()
})
afterEach(() => fixture.end())

const failed = (error: unknown) => error as McpCallError

describe('a call', () => {
  it('of one holder is never answered with what another asked for', async () => {
    const supervisor = fixture.supervisor()
    const holds = ['a', 'b'].map((id) => ({ id, hold: supervisor.hold(plainEntry(), { id }) }))
    const rounds = Array.from({ length: 100 }, (_, round) => round)
    const answers = await Promise.all(
      rounds.flatMap((round) =>
        holds.map(async ({ id, hold }) => {
          // As two clients would: the same token, the same words but for one.
          const params = {
            name: 'wait',
            arguments: { ms: round % 7, text: `${id}${round}` },
            _meta: { progressToken: 1 },
          }
          return { asked: `waited for ${id}${round}`, got: await textOf(hold.request('tools/call', params)) }
        }),
      ),
    )
    expect(answers).toHaveLength(200)
    expect(answers.filter(({ asked, got }) => asked !== got)).toEqual([])
  })

  it('gives the result as the server gave it', async () => {
    const hold = fixture.supervisor().hold(plainEntry(), { id: 'a' })
    expect(await call(hold, 'odd')).toEqual({
      content: [
        { type: 'text', text: 'a', extra: [1, { deep: null }] },
        { type: 'hologram', data: 'not in any protocol' },
        { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png', _meta: { own: 1 } },
      ],
      structuredContent: [1, 'two', { three: 3 }],
      isError: false,
      _meta: { 'example.com/own': { a: 1 } },
      unknownField: { nested: [true, null] },
    })
    expect(await call(hold, 'fail')).toEqual({
      content: [{ type: 'text', text: 'it did not work' }],
      isError: true,
    })
  })

  it('reports its own progress to its own caller', async () => {
    const supervisor = fixture.supervisor()
    const seenBy = await Promise.all(
      ['a', 'b'].map(async (id) => {
        const hold = supervisor.hold(plainEntry(), { id })
        const seen: unknown[] = []
        const params = {
          name: 'progress',
          arguments: { steps: 3, ms: 5, text: id },
          _meta: { progressToken: 'same' },
        }
        await hold.request('tools/call', params, { onProgress: (progress) => seen.push(progress) })
        return seen
      }),
    )
    const expected = (message: string) => [1, 2, 3].map((progress) => ({ progress, total: 3, message }))
    expect(seenBy).toEqual([expected('a'), expected('b')])
  })

  it('may take longer than its time while there is progress', async () => {
    const hold = fixture.supervisor().hold(plainEntry({ timeoutMs: 400 }), { id: 'a' })
    await inState(hold, 'connected')
    expect(await textOf(call(hold, 'progress', { steps: 6, ms: 150, text: 'x' }))).toBe('did x')
    const error = await call(hold, 'wait', { ms: 60_000, text: 'silence' }).catch(failed)
    expect(error).toMatchObject({ code: -32001, message: 'MCP server "plain" did not answer within 0.4 s.' })
    await expect.poll(() => hold.status().stderr).toContain('cancelled silence')
  })

  it('ends at ten times its time, however much progress there is', async () => {
    const hold = fixture.supervisor().hold(plainEntry({ timeoutMs: 50 }), { id: 'a' })
    await inState(hold, 'connected')
    const error = await call(hold, 'progress', { steps: 10_000, ms: 10, text: 'x' }).catch(failed)
    expect(error).toMatchObject({ code: -32001 })
  })

  it('that is cancelled is cancelled at the server, and harms no other', async () => {
    const hold = fixture.supervisor().hold(plainEntry(), { id: 'a' })
    const stop = new AbortController()
    await inState(hold, 'connected')
    const params = { name: 'wait', arguments: { ms: 60_000, text: 'mine' } }
    const cancelled = hold.request('tools/call', params, { signal: stop.signal }).catch(failed)
    const other = textOf(call(hold, 'wait', { ms: 200, text: 'other' }))
    await hold.request('ping', {})
    stop.abort(new Error('some private reason'))
    expect(await cancelled).toBeInstanceOf(McpCallError)
    expect(await other).toBe('waited for other')
    expect(hold.status().stderr).toEqual(['cancelled mine'])
    await expect(hold.request('ping', {}, { signal: stop.signal })).rejects.toThrow('cancelled')
    expect(hold.status().stats.wait).toMatchObject({ calls: 1, errors: 0 })
  })

  it('that is cancelled while it waits for the server is given up at once', async () => {
    const hold = fixture.supervisor().hold(plainEntry({ server: { hang: true } }), { id: 'a' })
    const stop = new AbortController()
    const waiting = hold.request('ping', {}, { signal: stop.signal }).catch(failed)
    stop.abort()
    expect(await waiting).toMatchObject({ message: 'The call was cancelled.' })
  })
})

it('counts calls, errors and times of each tool', async () => {
  const hold = fixture.supervisor().hold(plainEntry(), { id: 'a' })
  await Promise.all(Array.from({ length: 20 }, (_, index) => call(hold, 'echo', { text: String(index) })))
  await call(hold, 'fail')
  await call(hold, '__proto__').catch(() => {})
  await hold.request('ping', {})
  const { stats } = hold.status()
  expect(Object.keys(stats).sort()).toEqual(['__proto__', 'echo', 'fail'])
  expect(stats.echo).toMatchObject({ calls: 20, errors: 0 })
  expect(stats.echo?.p95Ms).toBeGreaterThanOrEqual(stats.echo?.p50Ms ?? Number.POSITIVE_INFINITY)
  expect(stats.fail).toMatchObject({ calls: 1, errors: 1 })
  expect(Object.getOwnPropertyDescriptor(stats, '__proto__')?.value).toMatchObject({ calls: 1, errors: 1 })
})

it('leaves nothing behind after 2,000 calls', async () => {
  const hold = fixture.supervisor().hold(plainEntry(), { id: 'a' })
  const round = async (calls: number) => {
    for (let done = 0; done < calls; done += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => call(hold, 'echo', { text: String(index) })))
    }
    const stop = new AbortController()
    const cancelled = hold.request(
      'tools/call',
      { name: 'wait', arguments: { ms: 60_000 } },
      { signal: stop.signal },
    )
    stop.abort()
    await cancelled.catch(() => {})
  }
  await round(100)
  const before = handles()
  await round(2000)
  expect(hold.status().stats.echo?.calls).toBe(2100)
  expect(hold.status().pids).toHaveLength(1)
  expect(handles()).toEqual(before)
})

function handles() {
  const resources = process
    .getActiveResourcesInfo()
    .filter((name) => name !== 'Timeout' && name !== 'Immediate')
  return { files: readdirSync('/proc/self/fd').length, resources: resources.sort() }
}

describe('a server that nobody here wrote', () => {
  it('is held with all that it offers, and its results come through intact', async () => {
    const manifest = createRequire(import.meta.url).resolve(
      '@modelcontextprotocol/server-everything/package.json',
    )
    const args = [join(dirname(manifest), 'dist/index.js'), 'stdio']
    const supervisor = fixture.supervisor()
    const hold = supervisor.hold(stdioEntry(process.execPath, args, { name: 'everything' }), { id: 'a' })
    const status = await inState(hold, 'connected')
    expect(status).toMatchObject({ error: undefined, protocolVersion: '2025-11-25' })
    expect(status.tools).toBeGreaterThan(5)
    expect(status.resources).toBeGreaterThan(0)
    expect(status.prompts).toBeGreaterThan(0)
    expect(hold.catalogue().resourceTemplates.length).toBeGreaterThan(0)
    expect(hold.catalogue().instructions).toBeTruthy()

    const image = (await call(hold, 'get-tiny-image')) as { content: { type: string; data?: string }[] }
    const bytes = Buffer.from(image.content.find((part) => part.type === 'image')?.data ?? '', 'base64')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    const weather = await call(hold, 'get-structured-content', { location: 'New York' })
    expect(weather.structuredContent).toMatchObject({ temperature: expect.any(Number) })

    const progress: unknown[] = []
    const params = { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 3 } }
    await hold.request('tools/call', params, { onProgress: (each) => progress.push(each) })
    expect(progress).toHaveLength(3)
    const [resource] = hold.catalogue().resources
    expect(await hold.request('resources/read', { uri: resource?.uri })).toHaveProperty('contents')
    expect(await hold.request('prompts/get', { name: 'simple-prompt' })).toHaveProperty('messages')
    await expect(call(hold, 'echo', { message: 5 })).resolves.toMatchObject({ isError: true })
    await expect(hold.request('prompts/get', { name: 'none' })).rejects.toMatchObject({ code: -32602 })
    await statusWhere(hold, (each) => each.stats['get-tiny-image']?.calls === 1)
  })
})

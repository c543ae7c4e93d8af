import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ContainerSpec } from '../../core/ports/agent.ts'
import type { HookLaunch } from '../../core/ports/hook-runner.ts'
import { createHookRunner } from './hook-runner.ts'

let cwd: string
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-hook-')))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const runner = createHookRunner(() => Promise.reject(new Error('no containers here')))
const never = new AbortController().signal
function run(launch: HookLaunch['run'], more: Partial<HookLaunch> = {}, signal = never) {
  const env = { PATH: process.env.PATH ?? '', GREETING: 'hello' }
  return runner.run(
    { run: launch, cwd, env, timeoutMs: 20_000, container: undefined, ...more },
    { a: 'ä' },
    signal,
  )
}
const command = (text: string, args?: string[]) =>
  ({ kind: 'command', command: text, ...(args && { args }) }) as const

describe('a command', () => {
  it('gets the input, its directory and its environment, and nothing else', async () => {
    expect(await run(command('cat; pwd; echo "$GREETING $HOME"; echo faults >&2; exit 3'))).toEqual({
      outcome: 'ended',
      exitCode: 3,
      stdout: `{"a":"ä"}${cwd}\nhello \n`,
      stderr: 'faults\n',
    })
  })

  it('with arguments passes no shell', async () => {
    const { stdout } = await run(command('printf', ['%s', '$GREETING; touch made']))
    expect(stdout).toBe('$GREETING; touch made')
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  it('that is not there, or reads nothing, is an end like any other', async () => {
    expect(await run(command('no-such-program-here'))).toMatchObject({ outcome: 'ended', exitCode: 127 })
    expect(await run(command('exec 0<&-; exit 0'))).toMatchObject({ exitCode: 0 })
    expect(await run(command('true'), { cwd: join(cwd, 'gone') })).toMatchObject({ outcome: 'not_started' })
  })

  it('that takes too long is ended with all that it started', async () => {
    const text = '(sleep 2; touch late) & sleep 60'
    expect(await run(command(text), { timeoutMs: 300 })).toMatchObject({
      outcome: 'timed_out',
      stderr: expect.stringContaining('0.3 s'),
    })
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(existsSync(join(cwd, 'late'))).toBe(false)
  })

  it('leaves nothing behind that holds its output open', async () => {
    for (const text of ['sleep 60 & echo done', 'setsid sleep 60 & echo done'])
      expect(await run(command(text))).toMatchObject({ outcome: 'ended', stdout: 'done\n' })
    expect(await run(command('setsid sleep 60 & sleep 60'), { timeoutMs: 300 })).toMatchObject({
      outcome: 'timed_out',
    })
  })

  it('is ended when nobody waits any more', async () => {
    const stop = new AbortController()
    const ended = run(command('echo begun; sleep 60'), {}, stop.signal)
    setTimeout(() => stop.abort(), 200)
    expect(await ended).toMatchObject({ outcome: 'cancelled' })
    expect(await run(command('sleep 60'), {}, AbortSignal.abort())).toMatchObject({ outcome: 'cancelled' })
  })

  it('that floods is kept in bounds', async () => {
    const { stdout, stderr } = await run(command('head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2'))
    expect([stdout.length, stderr.length]).toEqual([1024 * 1024, 1024 * 1024])
  })

  it('does not run outside where it belongs into a container that cannot be had', async () => {
    const container = { workspacePath: cwd } as ContainerSpec
    expect(await run(command('touch made'), { container })).toMatchObject({ outcome: 'not_started' })
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })
})

describe('a request', () => {
  let server: Server
  let url: string
  const seen: string[] = []
  beforeEach(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        seen.push(`${request.method} ${request.headers['x-key']} ${body}`)
        if (request.url === '/elsewhere') response.writeHead(302, { location: '/' }).end()
        else if (request.url === '/broken') response.writeHead(500).end('{"decision":"approve"}')
        else if (request.url === '/large') response.end('x'.repeat(2 * 1024 * 1024))
        else if (request.url !== '/slow') response.end('{"decision":"block"}')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })
  const request = (path: string, more: Partial<HookLaunch> = {}) =>
    run({ kind: 'http', url: url + path, headers: { 'X-Key': 'k' } }, more)

  it('sends the input, and its answer is the output', async () => {
    expect(await request('/')).toMatchObject({ exitCode: 0, stdout: '{"decision":"block"}' })
    expect(seen).toEqual(['POST k {"a":"ä"}'])
  })

  it('that is refused, led elsewhere, flooded or not answered says nothing', async () => {
    expect(await request('/broken')).toMatchObject({ exitCode: 1, stdout: '' })
    for (const path of ['/elsewhere', '/large'])
      expect(await request(path)).toMatchObject({ outcome: 'not_started' })
    expect(await request('/slow', { timeoutMs: 200 })).toMatchObject({ outcome: 'timed_out' })
  })

  it('that is not answered ends in time, also when memory is tidied up meanwhile', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const ended = request('/slow', { timeoutMs: 400 })
    for (let times = 0; times < 3; times++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      collectGarbage()
    }
    expect(await ended).toMatchObject({ outcome: 'timed_out' })
  })

  it('is not made for a session in a container', async () => {
    const before = seen.length
    expect(await request('/', { container: { workspacePath: cwd } as ContainerSpec })).toMatchObject({
      outcome: 'not_started',
    })
    expect(seen).toHaveLength(before)
  })
})

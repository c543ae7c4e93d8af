import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLiving } from '@dorkos/processes'
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
import { HandClock } from '../../test/support/hand-clock.ts'
import { McpCallError } from '../errors.ts'
import { parseJsonRpcLine } from '../upstream/json-rpc-line.ts'

let fixture: GatewayFixture
beforeEach(() => {
  fixture = gatewayFixture()
})
afterEach(() => fixture.end())

const failed = (error: unknown) => error as McpCallError

describe('a server that crashes', () => {
  it('fails the calls in flight at once, is started again, and serves the next call', async () => {
    const hold = fixture.supervisor().hold(plainEntry(), { id: 'a' })
    const before = await textOf(call(hold, 'pid'))
    const waiting = call(hold, 'wait', { ms: 60_000 }).catch(failed)
    const crashing = call(hold, 'crash').catch(failed)
    const errors = await Promise.all([waiting, crashing])
    for (const error of errors) {
      expect(error).toBeInstanceOf(McpCallError)
      expect(error).toMatchObject({ code: -32000 })
      expect((error as Error).message).toContain('ended during the call: it was ended by SIGKILL')
    }
    expect(hold.status()).toMatchObject({ state: 'pending', failures: 1, error: 'was ended by SIGKILL' })
    expect(await textOf(call(hold, 'pid'))).not.toBe(before)
    expect(hold.status().error).toBeUndefined()
  })

  it('is tried ever later, counts as failed after five times, and is tried for ever', async () => {
    const clock = new HandClock()
    const supervisor = fixture.supervisor({ clock, random: () => 1 })
    const hold = supervisor.hold(plainEntry({ server: { exitAtStart: 7, stderr: ['no such database'] } }), {
      id: 'a',
    })
    const delays: number[] = []
    for (let failures = 1; failures <= 7; failures++) {
      const status = await statusWhere(hold, (each) => each.failures === failures)
      expect(status.state).toBe(failures < 5 ? 'pending' : 'failed')
      expect(status.error).toBe('ended with exit code 7')
      const delay = (status.nextTryAt ?? 0) - clock.now()
      delays.push(delay)
      clock.advance(delay - 1)
      expect(hold.status().failures).toBe(failures)
      clock.advance(1)
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 300_000, 300_000, 300_000])
    expect(hold.status().stderr).toContain('no such database')
    expect(hold.status().history.map((change) => change.state)).toEqual(['pending', 'failed'])
    await expect(call(hold, 'echo')).rejects.toThrow('is not connected: ended with exit code 7')
  })

  it('counts as failed also when it connects each time before it dies', async () => {
    const clock = new HandClock()
    const supervisor = fixture.supervisor({ clock, random: () => 0 })
    const hold = supervisor.hold(plainEntry({ server: { exitAfterConnectMs: 0 } }), { id: 'a' })
    for (let failures = 1; failures <= 5; failures++) {
      await statusWhere(hold, (each) => each.failures === failures)
      if (failures < 5) clock.advance(2000)
    }
    expect(hold.status().state).toBe('failed')
  })

  it('starts its count anew once it has lasted', async () => {
    const clock = new HandClock()
    const hold = fixture.supervisor({ clock }).hold(plainEntry(), { id: 'a' })
    await inState(hold, 'connected')
    await call(hold, 'crash').catch(() => {})
    expect(hold.status().failures).toBe(1)
    clock.advance(500)
    await inState(hold, 'connected')
    await call(hold, 'crash').catch(() => {})
    expect(hold.status().failures).toBe(2)
    clock.advance(1000)
    await inState(hold, 'connected')
    clock.advance(10_000)
    await call(hold, 'crash').catch(() => {})
    expect(hold.status().failures).toBe(1)
  })
})

describe('a server that does not come up', () => {
  it('is waited for by calls when it is slow', async () => {
    const hold = fixture.supervisor().hold(plainEntry({ server: { startDelayMs: 300 } }), { id: 'a' })
    expect(hold.status()).toMatchObject({ state: 'pending', error: undefined })
    expect(await textOf(call(hold, 'echo', { text: 'late' }))).toBe('late')
    expect(hold.status().connectMs).toBeGreaterThanOrEqual(300)
  })

  it('is ended when it hangs, and the call says why it waited', async () => {
    const clock = new HandClock()
    const countFile = `${fixture.dir}/starts`
    const supervisor = fixture.supervisor({ clock, connectTimeoutMs: 5000 })
    const hold = supervisor.hold(plainEntry({ server: { hang: true, countFile }, timeoutMs: 3000 }), {
      id: 'a',
    })
    await expect.poll(() => fixture.starts(countFile)).toHaveLength(1)
    const [pid = 0] = fixture.starts(countFile)
    expect(hold.status().pids).toEqual([pid])
    const waiting = call(hold, 'echo').catch(failed)
    clock.advance(3000)
    expect(await waiting).toMatchObject({
      code: -32000,
      message: 'MCP server "plain" is not connected: it is still starting.',
    })
    clock.advance(2000)
    const status = await statusWhere(hold, (each) => each.failures === 1)
    expect(status).toMatchObject({ state: 'pending', error: 'did not answer within 5 s of its start' })
    await expect.poll(() => isLiving(pid)).toBe(false)
  })

  it.each([
    ['command not found: no-such-command', stdioEntry('no-such-command', [])],
    ['command not found: /no/such/command', stdioEntry('/no/such/command', [])],
    ['command cannot be run: /etc/passwd', stdioEntry('/etc/passwd', [])],
    ['working directory not found: /no/such', withFolder('/no/such')],
  ])('has failed at once: %s', async (error, entry) => {
    const clock = new HandClock()
    const hold = fixture.supervisor({ clock, random: () => 0 }).hold(entry, { id: 'a' })
    const status = await inState(hold, 'failed')
    expect(status).toMatchObject({ error, failures: 1, nextTryAt: clock.now() + 150_000, pids: [] })
  })

  // To root no folder is closed.
  it.skipIf(process.getuid?.() === 0)('is not found though a folder of the PATH is closed', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'closed-'))
    chmodSync(closed, 0)
    const entry = stdioEntry('no-such-command', [], { env: { PATH: `${closed}:/usr/bin` } })
    const hold = fixture.supervisor().hold(entry, { id: 'a' })
    expect(await inState(hold, 'failed')).toMatchObject({ error: 'command not found: no-such-command' })
    rmSync(closed, { recursive: true })
  })

  it('breaks no pipe of ours when it closes its input, or its output', async () => {
    const supervisor = fixture.supervisor()
    const deaf = supervisor.hold(stdioEntry('/bin/sh', ['-c', 'exec 0<&-; exec sleep 60']), { id: 'a' })
    const mute = supervisor.hold(stdioEntry('/bin/sh', ['-c', 'exec 1>&-; exec sleep 60']), { id: 'a' })
    expect((await statusWhere(deaf, (each) => each.failures === 1)).error).toBe('closed its input')
    expect((await statusWhere(mute, (each) => each.failures === 1)).error).toBe('closed its output')
  })

  it('does not throw for an environment that no process can have', async () => {
    const hold = fixture.supervisor().hold(plainEntry({ env: { A: 'x\0y' } }), { id: 'a' })
    expect((await statusWhere(hold, (status) => status.failures === 1)).error).toContain(
      'could not be started',
    )
  })
})

function withFolder(cwd: string) {
  const entry = plainEntry()
  return entry.launch.type === 'stdio' ? { ...entry, launch: { ...entry.launch, cwd } } : entry
}

describe('a server that talks nonsense', () => {
  it('may print a banner', async () => {
    const hold = fixture.supervisor().hold(plainEntry({ server: { banner: 900 } }), { id: 'a' })
    expect(await textOf(call(hold, 'echo', { text: 'x' }))).toBe('x')
  })

  it('is ended when it floods its output', async () => {
    const hold = fixture.supervisor().hold(plainEntry(), { id: 'a' })
    const error = await call(hold, 'flood').catch(failed)
    expect((error as Error).message).toContain('wrote more than 1000 lines that are no messages')
    expect(await textOf(call(hold, 'echo', { text: 'again' }))).toBe('again')
  })

  it('is ended when a line has no end', async () => {
    const args = ['-e', 'const x = "x".repeat(1 << 20); const go = () => process.stdout.write(x, go); go()']
    const hold = fixture.supervisor().hold(stdioEntry(process.execPath, args), { id: 'a' })
    const status = await statusWhere(hold, (each) => each.failures === 1)
    expect(status.error).toBe('sent a line longer than 4 MiB')
    expect(process.memoryUsage().external).toBeLessThan(200 * 1024 * 1024)
  })

  it('is ended when its messages take too much time to read', async () => {
    const message = `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":[\${'{},'.repeat(1_300_000)}0]}}`
    const args = ['-e', `const x = \`${message}\\n\`; const go = () => process.stdout.write(x, go); go()`]
    const hold = fixture.supervisor().hold(stdioEntry(process.execPath, args), { id: 'a' })
    const status = await statusWhere(hold, (each) => each.failures === 1)
    expect(status.error).toBe('sent more than can be read in good time')
  })

  it('takes no time with a line of brackets', () => {
    const line = `{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
    expect(parseJsonRpcLine(line)).toBeUndefined()
  })

  it.each([
    ['a wrong id', '{"jsonrpc":"2.0","id":99999,"result":{}}'],
    ['no id', '{"jsonrpc":"2.0","result":{}}'],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"result":{}}'],
    ['a list', '[1,2,3]'],
    ['a list of messages', '[{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}]'],
    ['a method that is no text', '{"jsonrpc":"2.0","method":5}'],
    ['an unknown request', '{"jsonrpc":"2.0","id":"x","method":"sampling/createMessage","params":{}}'],
    ['a poisoned prototype', '{"jsonrpc":"2.0","method":"x","params":{"__proto__":{"polluted":1}}}'],
    [
      'progress of nothing',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":77,"progress":1}}',
    ],
    [
      'a list that is deep',
      `{"jsonrpc":"2.0","id":5000,"result":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
    ],
  ])('goes on being served: %s', async (_, line) => {
    const hold = fixture.supervisor().hold(plainEntry({ timeoutMs: 10_000 }), { id: 'a' })
    await inState(hold, 'connected')
    const stop = new AbortController()
    const unanswered = hold
      .request('tools/call', { name: 'raw', arguments: { line } }, { signal: stop.signal })
      .catch(failed)
    expect(await textOf(call(hold, 'echo', { text: 'fine' }))).toBe('fine')
    expect(hold.status()).toMatchObject({ state: 'connected', failures: 0 })
    stop.abort()
    expect((await unanswered) as Error).toHaveProperty(
      'message',
      'The call to MCP server "plain" was cancelled.',
    )
  })

  it.each([
    [
      'twice the same answer',

      `{"jsonrpc":"2.0","id":ID,"result":{"n":1}}\n{"jsonrpc":"2.0","id":ID,"result":{"n":2}}`,
      { n: 1 },
    ],
    ['an error beside a result', `{"jsonrpc":"2.0","id":ID,"result":{"n":1},"error":null}`, { n: 1 }],
    ['an id as text', `{"jsonrpc":"2.0","id":"ID","result":{"n":1}}`, { n: 1 }],
  ])('is understood: %s', async (_, line, result) => {
    const hold = fixture.supervisor().hold(plainEntry(), { id: 'a' })
    await inState(hold, 'connected')
    expect(await call(hold, 'raw', { line })).toEqual(result)
  })

  it.each([
    ['null', `{"jsonrpc":"2.0","id":ID,"result":null}`, 'neither a result nor an error'],
    [
      'too deep',
      `{"jsonrpc":"2.0","id":ID,"result":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
      'nested too deeply',
    ],
    ['an error without code', `{"jsonrpc":"2.0","id":ID,"error":{"message":"broken"}}`, 'broken'],
  ])('fails the call with a sentence: %s', async (_, line, message) => {
    const hold = fixture.supervisor().hold(plainEntry(), { id: 'a' })
    await inState(hold, 'connected')
    await expect(call(hold, 'raw', { line })).rejects.toThrow(message)
  })
})

it('does not pile up what a server does not read', async () => {
  const hold = fixture
    .supervisor()
    .hold(plainEntry({ server: { deaf: true, capabilities: {} } }), { id: 'a' })
  await inState(hold, 'connected')
  const text = 'x'.repeat(4 * 1024 * 1024)
  const calls = Array.from({ length: 12 }, () => call(hold, 'echo', { text }).catch(failed))
  const errors = await Promise.race(calls)
  expect((errors as Error).message).toContain('does not read what it is sent')
  expect(hold.status().state).toBe('connected')
})

it('shows neither secrets nor what steers a terminal in errors and output', async () => {
  const env = {
    API_TOKEN: 'sk-very-secret-1',
    DB_PASSWORD: 'first-line-of-it\nsecond-line-of-it',
    HOME_DIR: '/home/somebody',
  }
  const stderr = [
    'token sk-very-secret-1 refused',
    'sk-very\u200b-secret-1',
    '\u001b[31mred\u001b[0m \u0007bell',
    'second-line-of-it',
    'at /home/somebody',
    'y'.repeat(2000),
    ...Array.from({ length: 36 }, (_, index) => `line ${index}`),
  ]
  const hold = fixture.supervisor().hold(plainEntry({ env, server: { stderr } }), { id: 'a' })
  await inState(hold, 'connected')
  await expect(call(hold, 'unknown')).rejects.toMatchObject({
    code: -32602,
    message: 'no tool unknown •••',
    data: { own: 1 },
  })
  const lines = hold.status().stderr
  expect(lines).toHaveLength(40)
  expect(lines.slice(0, 4)).toEqual(['red bell', '•••', 'at /home/somebody', `${'y'.repeat(499)}…`])
  expect(JSON.stringify(hold.status())).not.toContain('secret')
})

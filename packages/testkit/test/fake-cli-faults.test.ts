import { afterEach, describe, expect, it } from 'vitest'
import type { LogEntry } from '../src/fake-cli/log.ts'
import { type CliStep, type JunkKind, junkKinds, type Scenario } from '../src/fake-cli/scenario.ts'
import { steps } from '../src/fake-cli/steps.ts'
import { type FakeCli, fakeCli } from '../src/fake-cli.ts'
import { RawHost, type RawHostOptions } from './raw-host.ts'

const running: { cli: FakeCli; host: RawHost }[] = []

function start(
  scenario: Scenario | CliStep[],
  options: RawHostOptions = {},
): { cli: FakeCli; host: RawHost } {
  const cli = fakeCli(scenario)
  const host = new RawHost(cli, options)
  running.push({ cli, host })
  return { cli, host }
}

afterEach(async () => {
  for (const { cli, host } of running.splice(0)) {
    if (host.child.exitCode === null && host.child.signalCode === null) host.child.kill('SIGKILL')
    await cli.dispose()
  }
})

/** Waits until the log has an entry of a type. */
async function logged<T extends LogEntry['type']>(
  cli: FakeCli,
  type: T,
): Promise<Extract<LogEntry, { type: T }>> {
  for (;;) {
    const found = (await cli.log()).find((entry) => entry.type === type)
    if (found !== undefined) return found as Extract<LogEntry, { type: T }>
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('crash', () => {
  it('exits with its code and stderr after delivering what was said', async () => {
    const { host } = start([steps.say('last words'), steps.crash({ code: 7, stderr: 'it broke' })])
    host.user('x')
    expect(await host.exited).toEqual({ code: 7, signal: null })
    await host.closed
    expect(host.stderr).toBe('it broke\n')
    expect(host.frames.at(-1)).toMatchObject({ type: 'assistant' })
    expect(host.frames.some((frame) => frame.type === 'result')).toBe(false)
  })

  it.each(['SIGKILL', 'SIGTERM', 'SIGABRT'] as const)('dies of %s', async (signal) => {
    const { host } = start([steps.crash({ signal })])
    host.user('x')
    expect(await host.exited).toEqual({ code: null, signal })
  })

  it('can come before anything is answered', async () => {
    const { host } = start({ start: [steps.crash({ code: 1, stderr: 'cannot run as root' })] })
    host.control('i', { subtype: 'initialize' })
    expect(await host.exited).toEqual({ code: 1, signal: null })
    await host.closed
    expect(host.lines).toEqual([])
  })

  it('can follow a result at the start, as for a session that does not exist', async () => {
    const result = steps.result({ subtype: 'error_during_execution', is_error: true })
    const { host } = start({ start: [result, steps.crash()] }, { args: ['--resume=gone'] })
    expect(await host.exited).toEqual({ code: 1, signal: null })
    await host.closed
    expect(host.frames).toMatchObject([{ type: 'result', session_id: 'gone', is_error: true }])
  })
})

describe('hang', () => {
  it('answers nothing any more, not even the end of input, but dies of SIGTERM', async () => {
    const { cli, host } = start([steps.say('before'), steps.hang({ reading: true })])
    host.user('x')
    await host.frame((frame) => frame.type === 'assistant')
    const count = host.frames.length
    host.control('c', { subtype: 'interrupt' })
    host.child.stdin?.end()
    await logged(cli, 'stdin_end')
    expect(host.frames).toHaveLength(count)
    expect(host.child.exitCode).toBe(null)
    host.child.kill('SIGTERM')
    expect(await host.exited).toEqual({ code: 143, signal: null })
  })

  it('can begin at the start, and then reads nothing', async () => {
    const { cli, host } = start({ start: [steps.hang()] })
    await logged(cli, 'spawn')
    // More than a pipe and the stream's own buffer hold.
    expect(host.child.stdin?.write('x'.repeat(4_000_000))).toBe(false)
    const drained = new Promise((resolve) => host.child.stdin?.once('drain', () => resolve('drained')))
    const waited = new Promise((resolve) => setTimeout(resolve, 300, 'waited'))
    expect(await Promise.race([drained, waited])).toBe('waited')
    expect((await cli.log()).map((entry) => entry.type)).toEqual(['spawn'])
  })

  it('ends when the fake CLI is disposed, even if it ignores SIGTERM', async () => {
    const { cli, host } = start({ start: [steps.ignoreTerm(), steps.hang()] })
    await logged(cli, 'spawn')
    await cli.dispose()
    expect(await host.exited).toEqual({ code: 0, signal: null })
  })
})

describe('flood', () => {
  it('sends every message once, in order, of the size asked for', async () => {
    const { host } = start([steps.flood({ count: 5000, bytes: 300, numbered: true, kind: 'assistant' })])
    host.user('x')
    await host.result()
    const flood = host.frames.filter((frame) => frame.n !== undefined)
    expect(flood.map((frame) => frame.n)).toEqual(Array.from({ length: 5000 }, (_, n) => n))
    expect(host.stderr).toBe('')
    expect(host.lines.filter((line) => line.startsWith('{"n":')).every((line) => line.length >= 300)).toBe(
      true,
    )
  })

  it.each(['stream_event', 'assistant', 'unknown'] as const)(
    'builds equal messages of kind %s',
    async (kind) => {
      const { host } = start([steps.flood({ count: 1000, bytes: 500, kind })])
      host.user('x')
      await host.result()
      const flood = host.lines.filter((line) => line.startsWith('{"n":'))
      expect(flood).toHaveLength(1000)
      expect(new Set(flood).size).toBe(1)
      expect(flood[0]).toHaveLength(500)
    },
  )

  it('is held by a host that does not read, and can still be interrupted', async () => {
    const { cli, host } = start([steps.flood({ count: 1_000_000, bytes: 1000 })])
    host.child.stdout?.pause()
    host.user('x')
    host.control('stop', { subtype: 'interrupt' })
    while (
      !(await cli.log()).some((entry) => entry.type === 'stdin' && entry.message.request_id === 'stop')
    ) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    host.child.stdout?.resume()
    expect(await host.result()).toMatchObject({ terminal_reason: 'aborted_streaming' })
    expect(host.stdout.length).toBeLessThan(10_000_000)
  })
})

describe('partial', () => {
  const texts = (host: RawHost): string[] =>
    host.frames.flatMap((frame) => (frame.type === 'assistant' ? frame.message.content[0].text : []))

  it('splits a line, even inside a character, and keeps other lines out of it', async () => {
    const { host } = start([steps.partial('é'.repeat(400), { at: 501, ms: 1000 }), steps.say('after')])
    host.user('x')
    await host.frame((frame) => frame.subtype === 'init')
    while (host.rest === '') await new Promise((resolve) => setTimeout(resolve, 5))
    expect(host.rest).toHaveLength(501)
    host.control('c', { subtype: 'get_binary_version' })
    await host.result()
    expect(texts(host)).toEqual(['é'.repeat(400), 'after'])
    expect(host.lines).toHaveLength(host.frames.length)
    expect((await host.response('c')).subtype).toBe('success')
  })

  it('can leave the line unfinished and exit', async () => {
    const { host } = start([steps.partial('never whole', { exitCode: 3 })])
    host.user('x')
    expect(await host.exited).toEqual({ code: 3, signal: null })
    await host.closed
    expect(host.stdout.at(-1)).not.toBe('\n'.charCodeAt(0))
    expect(texts(host)).toEqual([])
  })
})

describe('junk', () => {
  const expected: Record<JunkKind, (host: RawHost) => boolean> = {
    text: ({ lines }) => lines.includes('warning: this line is not JSON'),
    truncated_json: ({ lines }) => lines.includes('{"type":"assistant","message":{"role":'),
    invalid_utf8: ({ stdout }) => stdout.includes(Buffer.from([0xc3, 0x28, 0xff])),
    not_object: ({ lines }) =>
      ['42', 'null', 'true', '"text"', '[1,2]'].every((line) => lines.includes(line)),
    blank: ({ lines }) => lines.filter((line) => line.trim() === '').length === 4,
    unknown_type: ({ frames }) => frames.some((frame) => frame.type === 'junk'),
    no_type: ({ frames }) => frames.some((frame) => frame.type === undefined),
    unknown_response: ({ frames }) => frames.some((frame) => frame.response?.request_id === 'nobody'),
    crlf: ({ lines }) => lines.some((line) => line.endsWith('}\r')),
    bom: ({ stdout }) => stdout.includes(Buffer.from([0xef, 0xbb, 0xbf, 0x7b])),
  }
  it.each(junkKinds)('%s comes between whole messages', async (kind) => {
    const { host } = start([steps.say('before'), steps.junk(kind), steps.say('after')])
    host.user('x')
    expect(await host.result()).toMatchObject({ result: 'after' })
    expect(expected[kind](host)).toBe(true)
  })
})

describe('giant', () => {
  it.each([5 * 1024 * 1024, 70_000_000])('is one line of exactly %d bytes', async (bytes) => {
    const cli = fakeCli([steps.giant({ bytes })])
    const host = new CountingHost(cli)
    running.push({ cli, host })
    host.user('x')
    await host.end()
    expect(Math.max(...host.lengths)).toBe(bytes)
  })
})

/** Measures lines without keeping them. */
class CountingHost extends RawHost {
  readonly lengths: number[] = []
  constructor(cli: FakeCli) {
    super(cli)
    this.child.stdout?.removeAllListeners('data')
    let length = 0
    this.child.stdout?.on('data', (chunk: Buffer) => {
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        this.lengths.push(length + at - from)
        length = 0
        from = at + 1
      }
      length += chunk.length - from
    })
  }
}

describe('processes', () => {
  it('ignore_term survives SIGTERM and notes it, and still ends with its input', async () => {
    const { cli, host } = start([steps.ignoreTerm(), steps.say('ready')])
    host.user('x')
    await host.result()
    host.child.kill('SIGTERM')
    expect(await logged(cli, 'signal')).toMatchObject({ signal: 'SIGTERM' })
    expect(await host.end()).toEqual({ code: 0, signal: null })
  })

  it('fork_grandchild leaves a process in the group that only the end of the group ends', async () => {
    const { cli, host } = start([steps.forkGrandchild()], { detached: true })
    host.user('x')
    await host.result()
    const { grandchildPid } = await logged(cli, 'grandchild')
    await host.end()
    expect(isAlive(grandchildPid)).toBe(true)
    process.kill(-(host.child.pid ?? 0), 'SIGKILL')
    await gone(grandchildPid)
  })

  it('fork_grandchild can hold stdout open after the CLI is gone', async () => {
    const { cli, host } = start([steps.forkGrandchild({ holdStdout: true, ignoreTerm: true })])
    host.user('x')
    await host.result()
    const { grandchildPid } = await logged(cli, 'grandchild')
    host.child.stdin?.end()
    await host.exited
    let closed = false
    void host.closed.then(() => {
      closed = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(closed).toBe(false)
    await cli.dispose()
    await gone(grandchildPid)
    await host.closed
  })
})

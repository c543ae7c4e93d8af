import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLiving, readProcess } from '@dorkos/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLIConnectionError, CLINotFoundError, WorkingDirectoryError } from '../../src/errors.ts'
import { eventually, Scene } from './script-process.ts'

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})
afterEach(() => scene.clean())

const say = `const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');`
const echo = `${say}
import { createInterface } from 'node:readline'
createInterface({ input: process.stdin }).on('line', (line) => say({ echo: JSON.parse(line) }))`
const stayAlive = 'setInterval(() => {}, 1000);'

describe('starting', () => {
  it('runs the script with its arguments, environment and directory, and leads its own group', async () => {
    const { transport, messages, exited } = await scene.start(
      `${say} say({ args: process.argv.slice(2), cwd: process.cwd(), a: process.env.A, secret: process.env.HOME }); process.stdin.resume()`,
      { args: ['--x=a b; $(c)'], cwd: scene.dir, env: { PATH: process.env.PATH ?? '', A: '1' } },
    )
    expect(transport.pid).toBeGreaterThan(0)
    expect(readProcess(transport.pid!)?.group).toBe(transport.pid)
    await transport.endInput()
    await exited
    expect(messages).toEqual([{ args: ['--x=a b; $(c)'], cwd: scene.dir, a: '1' }])
  })

  it('refuses a working directory that is missing, or is a file', async () => {
    const missing = join(scene.dir, 'missing')
    await expect(scene.start('', { cwd: missing })).rejects.toThrow(WorkingDirectoryError)
    const file = join(scene.dir, 'file')
    writeFileSync(file, '')
    await expect(scene.start('', { cwd: file })).rejects.toThrow('not a directory')
  })

  it('refuses a missing CLI, and an executable that does not exist', async () => {
    await expect(scene.start('', { cliPath: join(scene.dir, 'none') })).rejects.toThrow(CLINotFoundError)
    const noRunner = scene.start('', { executable: join(scene.dir, 'none') })
    await expect(noRunner).rejects.toThrow(CLINotFoundError)
  })

  it('refuses arguments that no process can have', async () => {
    await expect(scene.start('', { args: ['a\0b'] })).rejects.toThrow(CLIConnectionError)
    await expect(scene.start('', { args: ['x'.repeat(4_000_000)] })).rejects.toThrow(/too long/)
  })

  it('refuses an old CLI, and leaves no process of it', async () => {
    const binary = join(scene.dir, 'claude')
    const pidFile = join(scene.dir, 'pid')
    const lines = [
      '#!/bin/sh',
      '[ "$1" = --version ] && echo "1.0.5 (Claude Code)" && exit',
      `echo $$ > ${pidFile}`,
      'exec sleep 60',
    ]
    writeFileSync(binary, lines.join('\n'), { mode: 0o755 })
    const started = scene.start('', { cliPath: binary })
    await expect(started).rejects.toMatchObject({ code: 'CLI_VERSION', version: '1.0.5' })
    if (existsSync(pidFile)) expect(isLiving(Number(readFileSync(pidFile)))).toBe(false)
    await scene.start('', { cliPath: binary, checkVersion: false })
  })

  it('connects once only', async () => {
    const { transport } = await scene.start(echo)
    const again = transport.connect({ message() {}, fault() {}, exit() {} })
    await expect(again).rejects.toThrow(CLIConnectionError)
  })

  it('leaves no process when it is terminated at any point of its start', async () => {
    const marked = `setInterval(() => {}, 1000) // ${scene.dir}`
    for (let turns = 0; turns < 12; turns++) {
      const transport = scene.prepare(marked)
      const exits: unknown[] = []
      const receiver = { message() {}, fault() {}, exit: (exit: unknown) => void exits.push(exit) }
      const outcome = transport.connect(receiver).then(
        () => 'connected',
        (error: Error) => error.message,
      )
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      await transport.terminate({ graceMs: 0 })
      expect(exits).toHaveLength((await outcome) === 'connected' ? 1 : 0)
      if (transport.pid !== undefined) expect(isLiving(transport.pid)).toBe(false)
    }
    expect(readdirSync(join(scene.dir, 'registry'))).toEqual([])
  })
})

describe('writing', () => {
  it('keeps the order of lines, also of those in one tick', async () => {
    const { transport, messages } = await scene.start(echo)
    for (let round = 0; round < 20; round++) {
      const lines = Array.from({ length: 50 }, (_, index) => transport.write(JSON.stringify([round, index])))
      if (round % 5 === 0) await Promise.all(lines)
    }
    await eventually('1000 echoes', () => messages.length === 1000)
    expect(messages.map((message) => message.echo)).toEqual(
      Array.from({ length: 1000 }, (_, index) => [Math.floor(index / 50), index % 50]),
    )
  })

  it('makes a writer wait while the process does not read', async () => {
    const { transport, messages } = await scene.start(`
      ${say}
      process.once('SIGUSR2', () => { let n = 0; process.stdin.on('data', (d) => { n += d.length }).on('end', () => say({ n })) })
      say({ ready: true })
      ${stayAlive}`)
    await eventually('ready', () => messages.length === 1)
    let sent = 0
    const line = 'x'.repeat(1024 * 1024 - 1)
    const writing = (async () => {
      for (; sent < 8; sent++) await transport.write(line)
    })()
    await sleep(300)
    expect(sent).toBe(0)
    process.kill(transport.pid!, 'SIGUSR2')
    await writing
    await transport.endInput()
    await eventually('all read', () => messages[1]?.n === 8 * 1024 * 1024)
  })

  it('rejects when the process is gone or its input was ended, without an unhandled error', async () => {
    const ended = await scene.start(echo)
    await ended.transport.endInput()
    await expect(ended.transport.write('{}')).rejects.toThrow(CLIConnectionError)
    await ended.exited

    const gone = await scene.start('process.exit(3)')
    await gone.exited
    await expect(gone.transport.write('{}')).rejects.toThrow(CLIConnectionError)
    void gone.transport.write('ignored')
    await gone.transport.endInput()
  })

  it('rejects lines that a process had not taken when it closed its input or died', async () => {
    const closing = await scene.start(`
      ${say} import { closeSync } from 'node:fs'
      closeSync(0); say({ closed: true }); ${stayAlive}`)
    await eventually('closed', () => closing.messages.length === 1)
    await expect(closing.transport.write('x'.repeat(1_000_000))).rejects.toThrow(CLIConnectionError)

    const dying = await scene.start(stayAlive)
    const stuck = dying.transport.write('x'.repeat(4_000_000))
    process.kill(dying.transport.pid!, 'SIGKILL')
    await expect(stuck).rejects.toThrow(CLIConnectionError)
  })

  it('rejects before it is connected', async () => {
    await expect(scene.prepare(echo).write('{}')).rejects.toThrow('not connected')
  })
})

describe('ends of a process', () => {
  it('reports a clean exit once, after all messages', async () => {
    const { messages, exits, exited } = await scene.start(`${say} for (let i = 0; i < 5000; i++) say({ i })`)
    expect(await exited).toEqual({ exitCode: 0, signal: null, stderrTail: '' })
    expect(messages).toHaveLength(5000)
    await sleep(50)
    expect(exits).toHaveLength(1)
  })

  it('reports the code of a crash and the end of stderr, by whole lines', async () => {
    const { stderr, exited } = await scene.start(`
      const write = (text) => new Promise((done) => process.stderr.write(text, done))
      await write('first li'); await new Promise((r) => setTimeout(r, 30)); await write('ne\\r\\nsecond\\nlast é')
      process.exitCode = 7`)
    const exit = await exited
    expect(exit).toMatchObject({ exitCode: 7, signal: null })
    expect(exit.stderrTail.endsWith('last é')).toBe(true)
    expect(stderr).toEqual(['first line', 'second', 'last é'])
  })

  it('keeps only the tail of a long stderr, and passes a throng of lines to the callback', async () => {
    const lines: string[] = []
    const { exited } = await scene.start(
      `for (let i = 0; i < 20000; i++) process.stderr.write('line ' + i + '\\n')`,
      { stderr: (line) => lines.push(line) },
    )
    const exit = await exited
    expect(lines).toHaveLength(20_000)
    expect(exit.stderrTail).toHaveLength(8192)
    expect(exit.stderrTail.endsWith('line 19999\n')).toBe(true)
  })

  it('reports the signal that ended it', async () => {
    const { transport, exited } = await scene.start(stayAlive)
    process.kill(transport.pid!, 'SIGKILL')
    expect(await exited).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  })

  it('reports a last line that was cut by the death of the process', async () => {
    const { messages, faults, exited } = await scene.start(`
      ${say} say({ a: 1 }); process.stdout.write('{"type":"assi', () => process.kill(process.pid, 'SIGKILL'))`)
    await exited
    expect(messages).toEqual([{ a: 1 }])
    expect(faults).toMatchObject([{ kind: 'truncated', preview: '{"type":"assi', bytes: 13 }])
  })

  it('reads a line of 5 MB, and reports one over the limit', async () => {
    const giant = `${say} say({ text: 'é'.repeat(2_500_000) }); say({ after: true })`
    const whole = await scene.start(giant)
    await whole.exited
    expect((whole.messages[0]!.text as string).length).toBe(2_500_000)
    expect(whole.faults).toEqual([])
    const limited = await scene.start(giant, { maxLineBytes: 1_000_000 })
    await limited.exited
    expect(limited.messages).toEqual([{ after: true }])
    expect(limited.faults).toMatchObject([{ kind: 'too_long' }])
  })

  it('reports junk between messages and reads on', async () => {
    const { messages, faults, exited } = await scene.start(`
      ${say} say({ a: 1 }); process.stdout.write('junk\\n[1]\\n'); process.stdout.write(Buffer.from([0xff, 0x0a])); say({ b: 2 })`)
    await exited
    expect(messages).toEqual([{ a: 1 }, { b: 2 }])
    expect(faults.map((fault) => fault.kind)).toEqual(['malformed', 'not_an_object', 'invalid_utf8'])
  })

  it('is not held up by a grandchild that keeps stdout open, and ends it', async () => {
    const { messages, exited } = await scene.start(grandchildOf(`${stayAlive}`))
    const exit = await exited
    expect(exit).toMatchObject({ exitCode: 0 })
    const pid = scene.track(messages[0]!.grandchild as number)
    await eventually('the grandchild has ended', () => !isLiving(pid))
  })

  it('is not held up by a process outside of the group that keeps stdout open and goes on writing', async () => {
    const chatty = `${say} process.on('SIGTERM', () => {}); setInterval(() => say({ chatter: true }), 100)`
    const { messages, exited } = await scene.start(grandchildOf(chatty, true))
    expect(await exited).toMatchObject({ exitCode: 0 })
    const pid = scene.track(messages.find((message) => 'grandchild' in message)!.grandchild as number)
    expect(isLiving(pid)).toBe(true)
  }, 20_000)
})

/** A process that starts another one on its own stdout, says its id, and ends. */
function grandchildOf(code: string, ownGroup = false): string {
  return `${say}
    import { spawn } from 'node:child_process'
    const options = { stdio: ['ignore', 'inherit', 'inherit'], detached: ${ownGroup} }
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(code)}], options)
    child.unref()
    say({ grandchild: child.pid })
    setTimeout(() => process.exit(0), 200)`
}

describe('pausing', () => {
  it('blocks a flooding process instead of filling memory, and loses nothing', async () => {
    const total = 40_000
    const { transport, messages, exited } = await scene.start(`
      import { writeSync } from 'node:fs'
      const pad = 'x'.repeat(1000)
      for (let i = 0; i < ${total}; i++) {
        const line = Buffer.from(JSON.stringify({ i, pad }) + '\\n')
        for (let at = 0; at < line.length;) {
          try { at += writeSync(1, line, at) } catch (e) { if (e.code !== 'EAGAIN') throw e }
        }
      }`)
    transport.pauseReading()
    await sleep(200)
    const before = messages.length
    await sleep(500)
    expect(messages.length).toBe(before)
    expect(before).toBeLessThan(total / 4)
    expect(isLiving(transport.pid!)).toBe(true)
    transport.resumeReading()
    await exited
    expect(messages.map((message) => message.i)).toEqual(Array.from({ length: total }, (_, index) => index))
  })

  it('holds back what a dead process left, and its exit, until reading goes on', async () => {
    const { transport, messages, exits, exited } = await scene.start(`${say} ${stayAlive}
      process.stdin.once('data', () => { for (let i = 0; i < 100; i++) say({ i }); process.exit(0) })`)
    transport.pauseReading()
    await transport.write('go')
    await eventually('the process has ended', () => !isLiving(transport.pid!))
    await sleep(1200)
    expect(exits).toEqual([])
    const early = messages.length
    expect(early).toBe(0)
    transport.resumeReading()
    await exited
    expect(messages).toHaveLength(100)
  })
})

describe('terminating', () => {
  it('lets a process end by itself when its input ends', async () => {
    const { transport, exits } = await scene.start(echo)
    expect(await transport.terminate()).toMatchObject({ exitCode: 0, signal: null })
    expect(exits).toHaveLength(1)
  })

  it('sends SIGTERM after the grace', async () => {
    const { transport, messages } = await scene.start(`${say} process.stdin.resume(); ${stayAlive}
      process.on('SIGTERM', () => { say({ term: true }); process.exit(143) })
      say({ ready: true })`)
    await eventually('ready', () => messages.length === 1)
    expect(await transport.terminate({ graceMs: 50 })).toMatchObject({ exitCode: 143 })
    expect(messages[1]).toEqual({ term: true })
  })

  it('sends SIGKILL to a process that ignores SIGTERM, and to what it started', async () => {
    const deaf = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); ${stayAlive}`
    const { transport, messages } = await scene.start(`${say} ${deaf}
      import { spawn } from 'node:child_process'
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(`${deaf} process.stdout.write('{"deaf":true}\\n')`)}], { stdio: ['ignore', 'inherit', 'inherit'] })
      say({ grandchild: child.pid })`)
    await eventually('both are deaf', () => messages.length === 2)
    const pid = scene.track(messages.find((message) => 'grandchild' in message)!.grandchild as number)
    expect(await transport.terminate({ graceMs: 50, killMs: 100 })).toMatchObject({ signal: 'SIGKILL' })
    expect(isLiving(transport.pid!)).toBe(false)
    expect(isLiving(pid)).toBe(false)
  })

  it('ends a grandchild that outlives a process which ends by itself', async () => {
    const { transport, messages, exited } = await scene.start(
      grandchildOf(`process.on('SIGTERM', () => {}); ${stayAlive}`),
    )
    await exited
    const pid = scene.track(messages[0]!.grandchild as number)
    await transport.terminate()
    expect(isLiving(pid)).toBe(false)
  })

  it('gives the same exit to all who ask, also while paused and after the end', async () => {
    const { transport, exits } = await scene.start(
      `${say} setInterval(() => say({ pad: 'x'.repeat(10000) }), 1)`,
    )
    transport.pauseReading()
    const both = await Promise.all([transport.terminate({ graceMs: 10 }), transport.terminate()])
    expect(both[0]).toMatchObject({ signal: 'SIGTERM' })
    expect(both[1]).toEqual(both[0])
    expect(await transport.terminate()).toEqual(both[0])
    expect(exits).toHaveLength(1)
  })

  it('leaves no record of the process', async () => {
    const { transport } = await scene.start(echo)
    expect(readdirSync(join(scene.dir, 'registry'))).toHaveLength(1)
    await transport.terminate()
    expect(readdirSync(join(scene.dir, 'registry'))).toEqual([])
  })

  it('does nothing for a transport that was never connected', async () => {
    expect(await scene.prepare(echo).terminate()).toEqual({ exitCode: null, signal: null, stderrTail: '' })
  })
})

describe('detaching', () => {
  it('lets the process finish, pushes nothing more, and drops its record', async () => {
    const file = join(scene.dir, 'finished')
    const { transport, messages, exits } = await scene.start(`${say}
      import { writeFileSync } from 'node:fs'
      say({ started: true })
      process.stdin.resume().on('end', () => {
        for (let i = 0; i < 20000; i++) say({ i, pad: 'x'.repeat(100) })
        process.stdout.write('', () => writeFileSync(${JSON.stringify(file)}, 'yes'))
      })`)
    await eventually('it has started', () => messages.length === 1)
    await transport.detach()
    scene.track(transport.pid!)
    expect(readdirSync(join(scene.dir, 'registry'))).toEqual([])
    await eventually('it has finished', () => existsSync(file))
    await eventually('it has ended', () => !isLiving(transport.pid!))
    await sleep(50)
    expect(messages).toHaveLength(1)
    expect(exits).toEqual([])
  })
})

describe('a custom spawn', () => {
  const custom = (code: string, request: Array<Record<string, unknown>> = []) => ({
    spawn: (asked: { command: string; args: string[]; cwd: string | undefined }) => {
      request.push({ command: asked.command, args: asked.args, cwd: asked.cwd })
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'pipe' })
      return child
    },
  })

  it('gets what would have been started, and is spoken to like the CLI', async () => {
    const requests: Array<Record<string, unknown>> = []
    const { transport, messages } = await scene.start('', {
      ...custom(echo, requests),
      cliPath: '/elsewhere/claude',
      cwd: '/elsewhere',
      args: ['--verbose'],
    })
    expect(requests).toEqual([{ command: '/elsewhere/claude', args: ['--verbose'], cwd: '/elsewhere' }])
    await transport.write('{"a":1}')
    await eventually('the echo', () => messages.length === 1)
    expect(await transport.terminate()).toMatchObject({ exitCode: 0 })
  })

  it('is aborted and killed when it does not end', async () => {
    let signal: AbortSignal | undefined
    const { transport } = await scene.start('', {
      spawn: (request) => {
        signal = request.signal
        return spawn(process.execPath, ['-e', `process.on('SIGTERM', () => {}); ${stayAlive}`], {
          stdio: 'pipe',
        })
      },
    })
    await sleep(100)
    expect(signal?.aborted).toBe(false)
    await transport.terminate({ graceMs: 20, killMs: 50 })
    expect(signal?.aborted).toBe(true)
  })

  it('that fails to start is an exit with the reason', async () => {
    const { exited } = await scene.start('', {
      spawn: () => spawn(join(scene.dir, 'none'), [], { stdio: 'pipe' }),
    })
    expect((await exited).stderrTail).toContain('ENOENT')
  })
})

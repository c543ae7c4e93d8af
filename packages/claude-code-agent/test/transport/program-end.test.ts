import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { isLiving } from '@dorkos/processes'
import { build } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parentDeathLauncher } from '../../src/transport/parent-death.ts'
import { sweepOrphans } from '../../src/transport/process-registry.ts'
import { eventually, Scene } from './script-process.ts'

let outDir: string
let transportModule: string
beforeAll(async () => {
  outDir = mkdtempSync(join(tmpdir(), 'transport-compiled-'))
  transportModule = join(outDir, 'subprocess.mjs')
  const input = fileURLToPath(new URL('../../src/transport/subprocess.ts', import.meta.url))
  const output = { file: transportModule, format: 'esm', codeSplitting: false } as const
  await build({ input, platform: 'node', output })
})
afterAll(() => rmSync(outDir, { recursive: true, force: true }))

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})
afterEach(() => scene.clean())

/** Stays when its input ends, as the CLI does within a turn, and prints the id of a child of its own. */
const stubbornChild = (deafToTerm: boolean) => `
  import { spawn } from 'node:child_process'
  const deaf = ${deafToTerm ? `"process.on('SIGTERM', () => {});"` : "''"}
  ${deafToTerm ? "process.on('SIGTERM', () => {})" : ''}
  process.stdout.on('error', () => {})
  const script = deaf + 'setInterval(() => {}, 1000); console.log(JSON.stringify({ ready: true }))'
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit'] })
  console.log(JSON.stringify({ grandchild: child.pid }))
  setInterval(() => {}, 1000)`

interface Program {
  process: ChildProcess
  child: number
  grandchild: number
}

/** A program of its own that holds a transport, and then does `end`. */
async function startProgram(
  end: string,
  options: { deaf?: boolean; endWithParent?: boolean } = {},
): Promise<Program> {
  const cliPath = scene.writeScript(stubbornChild(options.deaf ?? false))
  const settings = {
    cliPath,
    args: [],
    registryDir: registryDir(),
    endWithParent: options.endWithParent ?? false,
  }
  const program = spawn(
    process.execPath,
    [
      scene.writeScript(`
        import { SubprocessTransport } from ${JSON.stringify(transportModule)}
        const transport = new SubprocessTransport({ ...${JSON.stringify(settings)}, env: process.env })
        const print = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
        await transport.connect({ message: print, fault: print, exit: print })
        print({ child: transport.pid })
        process.stdin.once('data', () => { ${end} })`),
    ],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  )
  scene.track(program.pid!)
  const reported: Record<string, unknown> = {}
  createInterface({ input: program.stdout! }).on('line', (line) => Object.assign(reported, JSON.parse(line)))
  await eventually(
    'the program and its children run',
    () => reported.child && reported.grandchild && reported.ready,
  )
  const { child, grandchild } = reported as { child: number; grandchild: number }
  return { process: program, child: scene.track(child), grandchild: scene.track(grandchild) }
}

function registryDir(): string {
  return join(scene.dir, 'registry')
}

async function expectAllGone(program: Program): Promise<void> {
  await eventually('the program has ended', () => !isLiving(program.process.pid!))
  await eventually('the child has ended', () => !isLiving(program.child))
  await eventually('the grandchild has ended', () => !isLiving(program.grandchild))
}

describe('a program that ends by itself leaves no orphan', () => {
  it.each([
    ['process.exit(0)', 'process.exit(0)'],
    ['an uncaught exception', `setTimeout(() => { throw new Error('oops') })`],
    ['an unhandled rejection', `Promise.reject(new Error('oops'))`],
  ])('after %s, even of children that ignore SIGTERM', async (_, end) => {
    const program = await startProgram(end, { deaf: true })
    program.process.stdin!.write('go\n')
    await expectAllGone(program)
  })

  it('and keeps its exit code', async () => {
    const program = await startProgram('process.exit(5)')
    const code = new Promise((resolve) => program.process.once('exit', resolve))
    program.process.stdin!.write('go\n')
    expect(await code).toBe(5)
    await expectAllGone(program)
  })
})

describe.runIf(process.platform === 'linux')('a program that is killed', () => {
  it('takes its child along where the kernel can do that', async ({ skip }) => {
    const launcher = await parentDeathLauncher()
    if (launcher.length === 0) skip('there is no setpriv that can do it')
    const program = await startProgram('', { endWithParent: true })
    program.process.kill('SIGKILL')
    await eventually('the child has ended', () => !isLiving(program.child))
    // The kernel signals the child only. What that started is known by its mark, and swept.
    expect(isLiving(program.grandchild)).toBe(true)
    expect(await sweepOrphans(registryDir())).toEqual([{ pid: program.child, ended: true }])
    await expectAllGone(program)
  })

  it('leaves a record by which the next program ends what is left', async () => {
    const program = await startProgram('', { deaf: true })
    program.process.kill('SIGKILL')
    await eventually('the program has ended', () => !isLiving(program.process.pid!))
    expect(isLiving(program.child)).toBe(true)
    const next = await startProgram('process.exit(0)')
    await expectAllGone(program)
    expect(isLiving(next.child)).toBe(true)
    await eventually('only its own record is left', () => readdirSync(registryDir()).length === 1)
    next.process.stdin!.write('go\n')
    await expectAllGone(next)
  })

  it('is not taken for dead while it runs', async () => {
    const program = await startProgram('process.exit(0)')
    expect(await sweepOrphans(registryDir())).toEqual([])
    expect(isLiving(program.child)).toBe(true)
    expect(existsSync(registryDir())).toBe(true)
    program.process.stdin!.write('go\n')
    await expectAllGone(program)
  })
})

/** The built command as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../bin/dorkos.mjs', import.meta.url))

export interface SpawnedCommand {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly exit: Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Resolves once stdout or stderr holds it; rejects when the command ends first. */
  shown(pattern: RegExp): Promise<void>
}

export function spawnCommand(
  args: string[],
  { env, cwd, input = '' }: { env: Record<string, string>; cwd: string; input?: string },
): SpawnedCommand {
  const child = spawn(process.execPath, [main, ...args], { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
      child.emit('shown')
    })
  }
  child.stdin.end(input)
  const exit = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return {
    child,
    output,
    exit,
    async shown(pattern) {
      while (!pattern.test(output.stdout) && !pattern.test(output.stderr)) {
        const ended = await Promise.race([once(child, 'shown').then(() => false), exit.then(() => true)])
        if (ended) throw new Error(`it ended first: ${JSON.stringify(output)}`)
      }
    },
  }
}

/** The hook runner port: commands as processes that lead a group of their own, requests over HTTP. Both bounded in time and size. */
import { spawn } from 'node:child_process'
import { ProcessGroup } from '@dorkos/processes'
import { matchesHook, type WrapCommand } from 'claude-code-agent'
import type { ContainerSpec } from '../../core/ports/agent.ts'
import type { HookEnd, HookLaunch, HookRunner } from '../../core/ports/hook-runner.ts'

const maxOutput = 1024 * 1024
/** For what a command has written before its end, and that is still on its way. */
const graceMs = 500

/** `contain` puts a command into a container. */
export function createHookRunner(contain: (spec: ContainerSpec) => Promise<WrapCommand>): HookRunner {
  const start = async (launch: HookLaunch, input: string, signal: AbortSignal): Promise<HookEnd> => {
    const { run, container } = launch
    if (run.kind === 'command')
      return runCommand(launch, run, input, signal, container && (await contain(container)))
    return container ? notStarted('Requests of hooks do not leave a container.') : request(run, input, signal)
  }
  return {
    matches: matchesHook,
    async run(launch, input, signal) {
      // A timer of ours: Node 20 collects AbortSignal.timeout as garbage where only AbortSignal.any knows it, and it never comes.
      const bounded = new AbortController()
      const abort = () => bounded.abort()
      const timer = setTimeout(abort, launch.timeoutMs)
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      const end = await start(launch, JSON.stringify(input), bounded.signal)
        .catch((error: unknown) => notStarted(String(error)))
        .finally(() => {
          clearTimeout(timer)
          signal.removeEventListener('abort', abort)
        })
      return end.outcome === 'cancelled' && !signal.aborted
        ? { ...end, outcome: 'timed_out', stderr: `It took longer than ${launch.timeoutMs / 1000} s.` }
        : end
    },
  }
}

function notStarted(stderr: string): HookEnd {
  return { outcome: 'not_started', exitCode: undefined, stdout: '', stderr }
}

function runCommand(
  { cwd, env }: HookLaunch,
  { command, args }: Extract<HookLaunch['run'], { kind: 'command' }>,
  input: string,
  signal: AbortSignal,
  wrap: WrapCommand | undefined,
): Promise<HookEnd> {
  const shell = ['-c', ...(args ? ['exec "$0" "$@"', command, ...args] : [command])]
  const inside = { command: '/bin/sh', args: shell, cwd, env }
  const started = wrap ? wrap(inside) : inside
  return new Promise((resolve) => {
    const child = spawn(started.command, started.args, { cwd, env, detached: true, stdio: 'pipe' })
    const group = child.pid === undefined ? undefined : new ProcessGroup(child.pid)
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
    const kill = () => {
      group?.signal('SIGKILL')
      // What left its group can hold its pipes open: nobody waits for that.
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, graceMs).unref()
    }
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    child.on('error', (error) => resolve(notStarted(error.message)))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    // Its pipes can be held open by what it left behind, which goes with its group.
    child.on('exit', kill)
    child.on('close', (code) => {
      signal.removeEventListener('abort', kill)
      const outcome = signal.aborted ? 'cancelled' : 'ended'
      resolve({ outcome, exitCode: code ?? undefined, stdout: stdout(), stderr: stderr() })
    })
  })
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    if (length < maxOutput) chunks.push(chunk.subarray(0, maxOutput - length))
    length += chunk.length
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

async function request(
  { url, headers }: Extract<HookLaunch['run'], { kind: 'http' }>,
  body: string,
  signal: AbortSignal,
): Promise<HookEnd> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal,
      redirect: 'error',
    })
    const stdout = await boundedText(answer)
    if (answer.ok) return { outcome: 'ended', exitCode: 0, stdout, stderr: '' }
    return { outcome: 'ended', exitCode: 1, stdout: '', stderr: `The server answered with ${answer.status}.` }
  } catch (error) {
    if (signal.aborted) return { outcome: 'cancelled', exitCode: undefined, stdout: '', stderr: '' }
    return notStarted(`The request failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxOutput) throw new Error('the answer is too large')
  }
  return Buffer.concat(chunks).toString('utf8')
}

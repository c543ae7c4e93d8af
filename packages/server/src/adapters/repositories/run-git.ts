/** Runs git, bounded, with no shell, and as the user whose directory it is. */
import { spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { StderrTail } from '@dorkos/processes'
import type { SystemUser } from '../../core/ports/agent.ts'
import { asUser } from '../system/run-as.ts'

export interface GitProgram {
  /** Absolute. */
  git: string
  env: NodeJS.ProcessEnv
  /** Whom it is to be, where that is not the server's own user; with the program that makes it so. */
  user?: { setpriv: string; as: SystemUser } | undefined
}

export interface GitRun {
  cwd: string
  args: readonly string[]
  input?: Buffer | string
  env?: NodeJS.ProcessEnv
}

/** What a repository's own configuration could have run, or look elsewhere. */
const overruled = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.untrackedCache=false',
  'core.pager=cat',
  'safe.bareRepository=explicit',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

const maxMs = 20_000
const maxBytes = 32 * 1024 * 1024

export class GitError extends Error {
  readonly exitCode: number | null

  constructor(args: readonly string[], exitCode: number | null, stderr: string) {
    super(`git ${args[0]} failed (${exitCode}): ${stderr.trim().slice(-500)}`)
    this.exitCode = exitCode
  }
}

export function runGit(
  { git, env, user }: GitProgram,
  { cwd, args, input, env: more }: GitRun,
): Promise<Buffer> {
  const own = [git, '--no-pager', ...overruled, ...args]
  const [command = git, ...parameters] = user ? [user.setpriv, ...asUser(user.as), ...own] : own
  const child = spawn(command, parameters, {
    cwd,
    env: { ...env, ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: maxMs,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const stderr = new StderrTail()
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks)) : reject(new GitError(args, code, stderr.tail)),
    )
    // It may end before it has read all of it.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

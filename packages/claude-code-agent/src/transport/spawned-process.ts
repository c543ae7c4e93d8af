/** Starting the CLI's process, here or wherever a custom `spawn` runs it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { CLIConnectionError, CLINotFoundError, WorkingDirectoryError } from '../errors.ts'

/** What a custom `spawn` is given. */
export interface SpawnRequest {
  command: string
  args: string[]
  cwd: string | undefined
  env: Record<string, string>
  /** Aborts when the process is to be ended and did not end by itself after the end of its input. */
  signal: AbortSignal
}

/** What a custom `spawn` returns; a `ChildProcess` with pipes will do. */
export interface SpawnedProcess {
  stdin: Writable
  stdout: Readable
  stderr?: Readable | null
  readonly pid?: number | undefined
  kill(signal: NodeJS.Signals): boolean
  on(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** Starts the process in another way or place: a container, another machine. */
export type SpawnProcess = (request: SpawnRequest) => SpawnedProcess

export async function checkWorkingDirectory(cwd: string): Promise<void> {
  const found = await stat(cwd).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) {
    throw new WorkingDirectoryError(cwd, found.code === 'ENOENT' ? 'it does not exist' : found.message)
  }
  if (!found.isDirectory()) throw new WorkingDirectoryError(cwd, 'it is not a directory')
}

export interface LocalSpawn extends Omit<SpawnRequest, 'signal'> {
  /** The CLI, to be named in errors: `command` may be what launches it. */
  program: string
}

/** A child on this machine that leads its own process group. Never through a shell. */
export async function spawnLocal(request: LocalSpawn): Promise<ChildProcess & SpawnedProcess> {
  const { command, args, cwd, env } = request
  try {
    const child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // On Windows this would open a console instead of making a group.
      detached: process.platform !== 'win32',
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    // Node reports failed signals this way too, and an error that nobody listens to ends the program.
    child.on('error', () => {})
    return child
  } catch (error) {
    return explainSpawnError(error as Error, request)
  }
}

/** The system says "no such file" for a missing working directory as for a missing program. */
async function explainSpawnError(error: NodeJS.ErrnoException, request: LocalSpawn): Promise<never> {
  if (request.cwd !== undefined) await checkWorkingDirectory(request.cwd)
  if (error.code === 'ENOENT') throw new CLINotFoundError(request.program)
  const hint = error.code === 'E2BIG' ? ' (the arguments and the environment are too long)' : ''
  throw new CLIConnectionError(`${request.program} cannot be started: ${error.message}${hint}`, {
    cause: error,
  })
}

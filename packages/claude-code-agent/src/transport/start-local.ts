/** Finds, checks and starts the CLI on this machine, tied to this program. */
import { randomUUID } from 'node:crypto'
import { ProcessGroup } from '@dorkos/processes'
import { CLIConnectionError } from '../errors.ts'
import { checkCliVersion } from './check-version.ts'
import { cliCommand, findCli } from './find-cli.ts'
import { parentDeathLauncher } from './parent-death.ts'
import { markerVariable } from './process-registry.ts'
import { checkWorkingDirectory, type SpawnedProcess, spawnLocal } from './spawned-process.ts'
import type { SubprocessOptions } from './subprocess-options.ts'
import { tieToProgram } from './tie-to-program.ts'

export interface LocalProcess {
  child: SpawnedProcess
  group: ProcessGroup | undefined
  /** Undoes what ties the process to this program: the record and the exit guard. */
  release: () => void
  /** Rejects when the CLI turns out to be too old. Asked while it starts, not before: that costs a start of its own. */
  version: Promise<string | undefined>
}

/** Nothing is started when `isCancelled` says so after the preparations. */
export async function startLocal(
  options: SubprocessOptions,
  isCancelled: () => boolean,
): Promise<LocalProcess> {
  const { cliPath, executable, cwd, args, env } = options
  const searchEnv = { ...process.env, ...env }
  const { path } = findCli({ cliPath, env: searchEnv })
  // With a launcher before it, a missing runner would only show as a process that failed.
  const runner = executable && findCli({ cliPath: executable, env: searchEnv }).path
  if (cwd !== undefined) await checkWorkingDirectory(cwd)
  const launcher = options.endWithParent === false ? [] : await parentDeathLauncher()
  if (isCancelled()) throw new CLIConnectionError('it was terminated')
  const found = cliCommand(path, runner)
  const own = { command: found.command, args: [...found.args, ...args] }
  const cli = options.wrapCommand?.({ ...own, cwd, env }) ?? own
  const [command = cli.command, ...before] = [...launcher, cli.command, ...cli.args]
  const marker = randomUUID()
  const version = options.checkVersion === false ? Promise.resolve(undefined) : checkCliVersion(path, env)
  // Whoever awaits it comes later.
  version.catch(() => {})
  const child = await spawnLocal({
    program: options.wrapCommand ? cli.command : path,
    command,
    args: before,
    cwd,
    env: { ...env, [markerVariable]: marker },
  })
  const group = child.pid === undefined ? undefined : new ProcessGroup(child.pid)
  const release = group ? tieToProgram(group, marker, options.registryDir) : () => {}
  return { child, group, release, version }
}

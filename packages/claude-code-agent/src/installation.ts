/** The Claude Code CLI on this machine: where it is, whether it is new enough, and what dead programs left running of it. */
import { checkCliVersion } from './transport/check-version.ts'
import { findCli } from './transport/find-cli.ts'
import { defaultRegistryDir, sweepOrphans } from './transport/process-registry.ts'

export interface ClaudeCodeInstallation {
  path: string
  /** Undefined when it could not be found out. */
  version: string | undefined
  /** What led to it: the option, the variable CLAUDE_CODE_PATH, the PATH, or the official npm package. */
  source: 'option' | 'environment' | 'path' | 'package'
}

export interface FindClaudeCodeOptions {
  /** A path, or the bare name of a program on PATH. Nothing else is tried when it is given. */
  cliPath?: string
  /** Where CLAUDE_CODE_PATH and PATH are looked up. With `{}`, only the npm package counts. Default: the program's own. */
  env?: Record<string, string | undefined>
}

/** Rejects with `CLINotFoundError`, or with `CLIVersionError` for one that is too old. */
export async function findClaudeCode(options: FindClaudeCodeOptions = {}): Promise<ClaudeCodeInstallation> {
  const { path, source } = findCli({ cliPath: options.cliPath, env: options.env ?? process.env })
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) own[name] = value
  return { path, source, version: await checkCliVersion(path, own) }
}

/**
 * Ends the CLI processes, and what they started, of programs that were killed. The first session of a program does this
 * by itself; call it where a program starts long before its first session. Answers with how many there were.
 */
export async function endLeftovers(): Promise<number> {
  return (await sweepOrphans(defaultRegistryDir(process.env))).length
}

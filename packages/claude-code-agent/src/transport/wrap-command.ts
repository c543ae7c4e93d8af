/** The CLI's command before it is started on this machine. */
export interface CliCommand {
  command: string
  args: string[]
  cwd: string | undefined
  env: Readonly<Record<string, string>>
  /** A folder with files that the arguments name: the CLI reads them at its start, and then they are removed. */
  files?: string | undefined
}

/**
 * What to start instead: a program that runs the CLI's command, in a container for example. It gets the same environment and
 * directory, its stdin and stdout must be the CLI's, and it is checked, tied to this program and ended as the CLI would be. So
 * what it starts must be in its process group, or end with it.
 */
export type WrapCommand = (cli: CliCommand) => { command: string; args: string[] }

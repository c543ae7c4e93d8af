import type { SpawnProcess } from './spawned-process.ts'
import type { WrapCommand } from './wrap-command.ts'

export interface SubprocessOptions {
  /** The CLI: a binary, or a script that `executable` runs. Default: found as `findCli` describes. */
  cliPath?: string | undefined
  /** What runs `cliPath` when it is a script. Default: this Node. */
  executable?: string | undefined
  args: string[]
  /** The whole environment of the process. */
  env: Record<string, string>
  cwd?: string | undefined
  /** The longest line that is read. Default 64 MiB. */
  maxLineBytes?: number | undefined
  /** Gets each line of stderr, as the receiver does. */
  stderr?: ((line: string) => void) | undefined
  /** Default true: a CLI below `minimumCliVersion` is refused. */
  checkVersion?: boolean | undefined
  /**
   * Starts the process in another way or place. Then nothing about it is checked, it is not tied to this program,
   * and only the process itself is signalled, not what it started.
   */
  spawn?: SpawnProcess | undefined
  /** Puts another program before the CLI: one that contains it. Not asked where `spawn` is given. */
  wrapCommand?: WrapCommand | undefined
  /**
   * Where running children are recorded, to be ended at the next start of a program if this one is killed; false
   * for nowhere. Default: a private folder in XDG_RUNTIME_DIR, or else in the folder for temporary files.
   */
  registryDir?: string | false | undefined
  /**
   * Default true: where the kernel can do it (Linux with setpriv), the process is ended when this program dies of
   * any cause. With false, one that was detached outlives this program until its turn is over.
   */
  endWithParent?: boolean | undefined
}

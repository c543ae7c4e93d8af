/**
 * The CLI's sandbox, when the server is root. The CLI (2.1.325) calls bubblewrap so that commands are root in there, with every capability
 * of their namespace, and mounts `/proc` after all that settings can close: to root the kernel's own files are then writable. So the CLI
 * finds, first on its PATH, a bubblewrap of ours that adds what is missing before the command. It lies in the state folder, which
 * agents can neither read nor write.
 */
import { access, chmod, constants, mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { writePrivateFile } from '../../config/write-private-file.ts'
import { AppError } from '../../core/app-error.ts'
import { agentIds, agentName, asAgentUser } from './agent-user.ts'
import { findProgram } from './find-sandbox.ts'
import { closedProc, closedSys } from './kernel-files.ts'

export interface RootSandbox {
  /** The CLI's PATH: no settings file may give it another, since it looks for bubblewrap before each command. */
  readonly path: string
  /** Makes sure of the program before a CLI starts: the kernel's files are those of this moment. Throws where it cannot be run. */
  prepare(): Promise<void>
}

export function createRootSandbox(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): RootSandbox {
  const folder = join(home, 'bin')
  const [program, passwd] = [join(folder, 'bwrap'), join(folder, 'passwd')]
  const write = async () => {
    const bwrap = await findProgram('bwrap', env)
    if (bwrap === undefined) throw new AppError('unavailable', 'bubblewrap is not installed any more.')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await keep(passwd, await users(env.HOME ?? homedir()), 0o600)
    const more = [...closedProc(), ...closedSys(), '--ro-bind', passwd, '/etc/passwd', ...asAgentUser()]
    await keep(program, wrapper(bwrap, more), 0o700)
    await access(program, constants.X_OK).catch(() => {
      throw new AppError(
        'unavailable',
        `${program} cannot be run, and without it agents of root have no sandbox; is its disk mounted with noexec?`,
      )
    })
  }
  let writing: Promise<void> = Promise.resolve()
  return {
    path: [folder, env.PATH ?? ''].join(delimiter),
    prepare() {
      // One after the other: a file that is being replaced cannot be run for a moment.
      writing = writing.catch(() => undefined).then(write)
      return writing
    },
  }
}

/** Written only where it is not so already: each write waits for the disk. */
async function keep(file: string, content: string, mode: number): Promise<void> {
  const found = await readFile(file, 'utf8').catch(() => undefined)
  if (found !== content) await writePrivateFile(file, content)
  await chmod(file, mode)
}

/** Those of the machine, and before them the one that commands are: programs ask for its name and home directory. */
async function users(ownerHome: string): Promise<string> {
  const { uid, gid } = agentIds()
  const others = await readFile('/etc/passwd', 'utf8')
  return `${agentName}:x:${uid}:${gid}::${ownerHome}:/bin/sh\n${others}`
}

/** Turns the arguments round once, and puts `more` before the first `--`, where the command begins. */
function wrapper(bwrap: string, more: readonly string[]): string {
  return `#!/bin/sh
count=$# found=
while [ "$count" -gt 0 ]; do
  if [ -z "$found" ] && [ "$1" = -- ]; then
    found=yes
    set -- "$@" ${more.map(quoted).join(' ')}
  fi
  set -- "$@" "$1"
  shift
  count=$((count - 1))
done
if [ -z "$found" ] && [ "$*" != --version ]; then
  echo 'DorkOS: bubblewrap was called in an unknown way, and would leave files of the kernel open to root.' >&2
  exit 1
fi
exec ${quoted(bwrap)} "$@"
`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

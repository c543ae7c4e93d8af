/**
 * The CLI's sandbox, when the server is root. The CLI (2.1.325) calls bubblewrap so that commands are root in there, with every capability
 * of their namespace, and mounts `/proc` after all that settings can close: to root the kernel's own files are then writable. So the CLI
 * finds, first on its PATH, a bubblewrap of ours that adds what is missing before the command. It lies in the state folder, which
 * agents can neither read nor write.
 */

import { access, chmod, constants, mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { say } from '@dorkos/shared'
import { writePrivateFile } from '../../config/write-private-file.ts'
import { AppError } from '../../core/app-error.ts'
import type { SystemUser } from '../../core/ports/agent.ts'
import { agentIds, agentName, asAgentUser } from './agent-user.ts'
import { findProgram } from './find-sandbox.ts'
import { closedProc, closedSys } from './kernel-files.ts'
import { inOwnerNamespace, mayChangeUser } from './owner-namespace.ts'
import { asUser } from './run-as.ts'

export interface RootSandbox {
  /** The CLI's PATH: no settings file may give it another, since it looks for bubblewrap before each command. */
  path(user?: SystemUser): string
  /**
   * Makes sure of the program before a CLI starts: the kernel's files are those of this moment. Throws where it cannot be run. `user`: whom
   * commands are to be, and the CLI is; absent: somebody in root's place.
   */
  prepare(user?: SystemUser): Promise<void>
}

export function createRootSandbox(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): RootSandbox {
  const folder = join(home, 'bin')
  const folderOf = (user: SystemUser | undefined) =>
    user ? join(folder, `as-${user.uid}-${user.gid}`) : folder
  const write = async (user: SystemUser | undefined) => {
    const own = folderOf(user)
    const [program, passwd] = [join(own, 'bwrap'), join(own, 'passwd')]
    const bwrap = await findProgram('bwrap', env)
    if (bwrap === undefined) throw new AppError('unavailable', say('sandbox_gone'))
    await mkdir(own, { recursive: true, mode: 0o700 })
    const machines = await readFile('/etc/passwd', 'utf8')
    const ownerHome = user ? homeOf(user, machines) : (env.HOME ?? homedir())
    const { uid, gid } = user ?? agentIds()
    await keep(passwd, `${agentName}:x:${uid}:${gid}::${ownerHome}:/bin/sh\n${machines}`, 0o644)
    const more = [...closedProc(), ...closedSys(), '--ro-bind', passwd, '/etc/passwd']
    const text = user
      ? wrapperAs(user, {
          program,
          bwrap,
          more: [...more, '--setenv', 'HOME', ownerHome],
        })
      : wrapper(bwrap, [...more, ...asAgentUser()])
    await keep(program, text, 0o700)
    await access(program, constants.X_OK).catch(() => {
      throw new AppError('unavailable', say('sandbox_program_unusable', { program }))
    })
  }
  let writing: Promise<void> = Promise.resolve()
  return {
    path: (user) => [...(user ? [folderOf(user)] : []), folder, env.PATH ?? ''].join(delimiter),
    prepare(user) {
      // One after the other: a file that is being replaced cannot be run for a moment.
      writing = writing.catch(() => undefined).then(() => write(user))
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

/** Root's is closed to commands that are somebody else. Who has none on this machine gets the CLI's folder for temporary files. */
function homeOf({ uid }: SystemUser, machines: string): string {
  const fields = machines.split('\n').map((line) => line.split(':'))
  return fields.find(([, , id]) => id === String(uid))?.[5] || `/tmp/claude-${uid}`
}

function wrapper(bwrap: string, more: readonly string[]): string {
  return `#!/bin/sh
${turned([...more, '--'])}
exec ${quoted(bwrap)} "$@"
`
}

/** Is called by a CLI that is this user, and becomes root again to mount. */
function wrapperAs(
  user: SystemUser,
  { program, bwrap, more }: { program: string; bwrap: string; more: readonly string[] },
): string {
  const inside = [...more, ...mayChangeUser, '--', 'setpriv', ...asUser(user)]
  return `#!/bin/sh
[ "$*" != --version ] || exec ${quoted(bwrap)} --version
if [ "$1" != --as-root ]; then exec setpriv --reuid=0 --regid=0 --clear-groups -- ${quoted(program)} --as-root "$@"; fi
shift
${turned(inside, '--unshare-user')}
set -- ${user.uid} ${user.gid} ${quoted(bwrap)} "$@"
${inOwnerNamespace}`
}

/** Turns the arguments round once, and puts these in the place of the first `--`, where the command begins. `dropped` before it is left out. */
function turned(instead: readonly string[], dropped?: string): string {
  const kept = dropped === undefined ? 'else' : `elif [ -n "$found" ] || [ "$1" != ${quoted(dropped)} ]; then`
  return `count=$# found=
while [ "$count" -gt 0 ]; do
  if [ -z "$found" ] && [ "$1" = -- ]; then
    found=yes
    set -- "$@" ${instead.map(quoted).join(' ')}
  ${kept}
    set -- "$@" "$1"
  fi
  shift
  count=$((count - 1))
done
if [ -z "$found" ] && [ "$*" != --version ]; then
  echo 'DorkOS: bubblewrap was called in an unknown way, and would leave files of the kernel open to root.' >&2
  exit 1
fi`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

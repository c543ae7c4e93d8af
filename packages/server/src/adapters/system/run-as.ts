/**
 * Where the server is root and a directory belongs to somebody else (a folder of the host in a container image, for one), agents are that
 * user: so they can write there, and what they make is the owner's. The CLI then runs as the owner, with those of root's rights that it
 * needs to use its own folder and to set up the sandbox; commands in the sandbox have none of them.
 */

import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { StderrTail } from '@dorkos/processes'
import { type Saying, say } from '@dorkos/shared'
import type { WrapCommand } from 'claude-code-agent'
import type { SystemUser } from '../../core/ports/agent.ts'
import { isRoot } from './agent-user.ts'
import { findProgram } from './find-sandbox.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface FoundUser {
  /** Whom agents are to be there; absent where they are as the server is. */
  user?: SystemUser
  /** Why they are not the owner, though the server could make them anybody, and what to do. */
  fault?: Saying
}

/** To use files of root's, to become root where the sandbox is set up, and to end what was begun so. */
const keptRights = '+dac_override,+fowner,+kill,+setuid,+setgid'

/** Whom the agents of a directory are to be. Tried, since a server in a container may lack rights of root's. */
export async function findUser(directory: string, env: Environment): Promise<FoundUser> {
  if (process.platform !== 'linux' || !isRoot()) return {}
  const found = await stat(directory).catch(() => undefined)
  if (!found || found.uid === 0) return {}
  const user = { uid: found.uid, gid: found.gid }
  const [setpriv, unshare] = await Promise.all([findProgram('setpriv', env), findProgram('unshare', env)])
  if (!setpriv || !unshare) return { fault: faultOf(directory, user, say('workspace_owner_tools_missing')) }
  const reachable = ['test', '-w', directory, '-a', '-x', directory]
  const why = await faultOfRun(setpriv, [...asCli(user), setpriv, ...withoutRights, ...reachable])
  return why === undefined ? { user } : { fault: faultOf(directory, user, why) }
}

/** Runs the CLI as this user. The kernel forgets by a change of users what was asked of it before: that it ends with the server. */
export async function runAs(user: SystemUser, env: Environment): Promise<WrapCommand> {
  const setpriv = (await findProgram('setpriv', env)) ?? 'setpriv'
  return ({ command, args }) => ({
    command: setpriv,
    args: ['--pdeathsig=TERM', ...asCli(user), command, ...args],
  })
}

/** Arguments of setpriv before a command that is to be this user, with no right besides. */
export function asUser({ uid, gid }: SystemUser): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--',
  ]
}

function asCli({ uid, gid }: SystemUser): string[] {
  return [
    ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
    // Otherwise the kernel answers programs that ask whether they may open a file as if these rights were not there.
    '--securebits=+no_setuid_fixup',
    ...[`--inh-caps=${keptRights}`, `--ambient-caps=${keptRights}`, '--'],
  ]
}

const withoutRights = ['--ambient-caps=-all', '--inh-caps=-all', '--']

function faultOf(folder: string, { uid, gid }: SystemUser, why: string | Saying): Saying {
  return say('workspace_owner_unreachable', { folder, uid, gid, why })
}

function faultOfRun(command: string, args: readonly string[]): Promise<string | Saying | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 5000, env: {} })
    const stderr = new StderrTail()
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) =>
      resolve(
        code === 0 ? undefined : stderr.tail.trim().slice(-500) || say('workspace_owner_folder_closed'),
      ),
    )
  })
}

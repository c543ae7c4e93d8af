/**
 * The command that runs a CLI in a container. In it there are the system's programs, the workspace, the CLI's folder for that
 * workspace, and the way to the model gateway; no network, no other process, no home directory. When the outer program ends, of
 * whatever cause, the kernel ends all that is in it, and its mounts go with it.
 */

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { say } from '@dorkos/shared'
import type { CliCommand } from 'claude-code-agent'
import { AppError } from '../../core/app-error.ts'
import type { ContainerSpec, SystemUser } from '../../core/ports/agent.ts'
import { agentIds, agentName } from '../system/agent-user.ts'
import { inOwnerNamespace } from '../system/owner-namespace.ts'
import { asUser } from '../system/run-as.ts'
import type { ClosedMount } from './closed-mounts.ts'
import type { ContainerTools } from './find-container-tools.ts'
import { systemMounts } from './system-mounts.ts'

export interface ContainerParts {
  tools: ContainerTools
  spec: ContainerSpec
  /** The folder with `passwd`, `group` and `hosts` for the container. */
  etc: string
  closed: readonly ClosedMount[]
  /** Of the workspace, as a closed mount has it. */
  identity: string
}

const inner = { cli: '/run/dorkos/claude', socat: '/run/dorkos/socat', socket: '/run/dorkos/gateway.sock' }

/**
 * Runs in the container before the CLI does. Its text never changes; all that varies is an argument. First it makes sure that what
 * was mounted is what was checked: `count` pairs of a path and its identity. Then it opens the way to the model gateway, as a
 * child of the container itself, and becomes the CLI.
 */
const entry = `
count=$1 port=$2; shift 2
while [ "$count" -gt 0 ]; do
  if [ "$(stat -c %d:%i -- "$1")" != "$2" ]; then
    echo "$1 was replaced while the container was being started; start the session again." >&2; exit 1
  fi
  shift 2; count=$((count - 1))
done
(${inner.socat} "TCP-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr" "UNIX-CONNECT:${inner.socket}" </dev/null >/dev/null 2>&1 &)
exec "$@"
`

export function containerCommand(
  parts: ContainerParts,
  cli: CliCommand,
): { command: string; args: string[] } {
  const { tools, spec, closed, identity } = parts
  const { workspacePath, configDir, outputs, gateway, runAs } = spec
  const checked = [{ path: workspacePath, identity }, ...closed].flatMap((one) => [one.path, one.identity])
  return {
    command: runAs ? '/bin/sh' : tools.bwrap,
    args: [
      ...(runAs ? [...asRootFor(runAs), tools.bwrap, ...tools.flagsForOwner] : tools.flags),
      ...systemMounts(),
      ...ownFiles(parts),
      ...[inner.cli, configDir, workspacePath, ...(cli.files === undefined ? [] : [cli.files])].flatMap(
        wayTo,
      ),
      ...['--ro-bind', binaryOf(cli), inner.cli],
      ...['--ro-bind', realpathSync(tools.socat), inner.socat],
      ...['--ro-bind', gateway.socket, inner.socket],
      ...(cli.files === undefined ? [] : ['--ro-bind', cli.files, cli.files]),
      // As the CLI would make it for its user.
      ...['--bind', outputs, `/tmp/claude-${(runAs ?? agentIds()).uid}`],
      ...['--bind', configDir, configDir],
      // A place that something is mounted on cannot be moved away: what we read there is never a link to elsewhere.
      ...['--bind', join(configDir, 'projects'), join(configDir, 'projects')],
      ...['--bind', workspacePath, workspacePath],
      ...closed.flatMap(({ path, isWritable }) => [isWritable ? '--bind' : '--ro-bind', path, path]),
      ...['--remount-ro', '/'],
      ...['--chdir', cli.cwd ?? workspacePath],
      ...['--', ...(runAs ? ['setpriv', ...asUser(runAs)] : []), '/bin/sh', '-c', entry, 'sh'],
      ...[String(checked.length / 2), String(gateway.port), ...checked],
      ...[inner.cli, ...cli.args],
    ],
  }
}

/** Nobody in there makes namespaces: `--disable-userns` of bubblewrap is for those of one user alone. */
const noInnerNamespaces = '{ echo 0 > /proc/sys/user/max_user_namespaces; } 2> /dev/null; exec "$@"'

/** Arguments of the shell before a command, which then sets the container up with root's rights over itself and this user. */
function asRootFor({ uid, gid }: SystemUser): string[] {
  return ['-c', inOwnerNamespace, 'sh', String(uid), String(gid), '/bin/sh', '-c', noInnerNamespaces, 'sh']
}

function ownFiles({ etc, spec }: ContainerParts): string[] {
  return [
    ...['passwd', 'group', 'hosts'].flatMap((name) => ['--ro-bind', join(etc, name), `/etc/${name}`]),
    // Root makes it; whoever else is in there is alone.
    ...['--perms', spec.runAs ? '1777' : '0700', '--tmpfs', containerHome],
  ]
}

/** Bubblewrap makes the folders above what it mounts so that only root can enter them. */
function wayTo(path: string): string[] {
  const above = dirname(path)
  return above === '/' ? [] : [...wayTo(above), '--perms', '0755', '--dir', above]
}

/** One file is shown to the container, not its folder: so a script, which needs others beside it, cannot be run. */
function binaryOf({ command, args: [first = ''] }: CliCommand): string {
  if (first.startsWith('-')) return realpathSync(command)
  throw new AppError('unavailable', say('container_needs_binary', { program: first }))
}

export const containerHome = '/home/agent'

/** The same in every container; the rest is added where the CLI's environment is made. */
export function containerVariables(): Record<string, string> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: containerHome,
    USER: agentName,
    LOGNAME: agentName,
    SHELL: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
  }
}

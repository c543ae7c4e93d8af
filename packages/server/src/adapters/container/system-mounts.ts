/** What a container has of the system: its programs and libraries, read-only, and the little of `/etc` that those need. */
import { lstatSync, readlinkSync } from 'node:fs'
import { closedProc } from '../system/kernel-files.ts'

/** Beside `/usr`; on most systems links into it. */
const rootFolders = ['/bin', '/sbin', '/lib', '/lib32', '/libx32', '/lib64']
/** No names, no passwords, no hosts: those of the container are its own. */
const fromEtc = [
  ...[
    'alternatives',
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'localtime',
    'ssl/certs',
    'ca-certificates',
  ],
  ...['mime.types', 'services', 'protocols'],
]

export function systemMounts(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...rootFolders.flatMap(mountOf),
    ...['--perms', '0755', '--dir', '/etc'],
    ...fromEtc.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...['--proc', '/proc', ...closedProc(), '--dev', '/dev'],
    ...['--perms', '1777', '--tmpfs', '/tmp', '--perms', '0755', '--dir', '/run'],
  ]
}

/** Places that are the container's own: no workspace lies in the first, nor around the others. */
export const innerFolders = ['/proc', '/sys', '/dev', '/run/dorkos', '/home/agent']
export const systemFolders = ['/usr', '/etc', '/run', '/tmp', ...rootFolders, ...innerFolders]

function mountOf(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return ['--symlink', readlinkSync(path), path]
  return found ? ['--ro-bind', path, path] : []
}

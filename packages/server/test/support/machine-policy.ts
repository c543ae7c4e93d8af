/** The beginning of a command for which this folder holds the machine's policy for Claude Code. The machine's own `/etc` is not touched. */
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

export function withPolicy(folder: string): string[] {
  const others = readdirSync('/etc').filter((name) => name !== 'claude-code')
  const shown = others.flatMap((name) => {
    const path = join('/etc', name)
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--bind', path, path]
  })
  const policy = ['--ro-bind', folder, '/etc/claude-code']
  return ['bwrap', '--die-with-parent', '--dev-bind', '/', '/', '--tmpfs', '/etc', ...shown, ...policy, '--']
}

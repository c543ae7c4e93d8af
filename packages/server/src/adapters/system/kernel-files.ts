/**
 * Files of the kernel that programs in a namespace of their own must not write, whoever they are: with them the whole machine is set
 * (`/proc/sys/kernel/core_pattern` names a program that the kernel runs as root). Bubblewrap closes some of them where it mounts `/proc`,
 * but not `/proc/sys` (0.8), and to root they are plain files of its own, also without any capability.
 */
import { lstatSync, readdirSync } from 'node:fs'

/** What container engines hide besides: readable to everybody, and none of a program's business. */
const hiddenInProc = new Set(['acpi', 'asound', 'interrupts', 'keys', 'scsi'])
const hiddenInSys = [
  ...['/sys/firmware', '/sys/devices/virtual/powercap', '/sys/kernel/debug', '/sys/kernel/tracing'],
]

/**
 * Arguments of bubblewrap that come after `--proc /proc`: what everybody may read stays so and cannot be written, the rest is hidden. A
 * hidden file is a device on a mount without devices, which nobody can open.
 */
export function closedProc(): string[] {
  return readdirSync('/proc')
    .filter((name) => !/^\d+$/.test(name))
    .flatMap((name) => {
      const path = `/proc/${name}`
      const file = lstatSync(path, { throwIfNoEntry: false })
      if (!file || file.isSymbolicLink()) return []
      const isHidden = hiddenInProc.has(name) || (file.mode & 0o004) === 0
      if (isHidden) return file.isDirectory() ? hideFolder(path) : ['--ro-bind', '/dev/null', path]
      return file.isDirectory() || (file.mode & 0o222) !== 0 ? ['--ro-bind', path, path] : []
    })
}

/** The same for a `/sys` that is mounted read-only already. */
export function closedSys(): string[] {
  return hiddenInSys
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
    .flatMap(hideFolder)
}

function hideFolder(path: string): string[] {
  return ['--tmpfs', path, '--remount-ro', path]
}

/**
 * At each start with a sandbox the CLI (2.1.325) asks npm for its global folder, where it looks for a helper for Java, and begins no
 * turn before the answer: 160 ms of every first message. So it finds, first on its PATH, an npm of ours that remembers that one
 * answer in the state folder and hands on all else. Commands of agents cannot read that folder, and find the real npm.
 */
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { writePrivateFile } from '../../config/write-private-file.ts'

export interface NpmRoot {
  /** The CLI's PATH. */
  readonly path: string
  /** Makes sure of the program before a CLI starts. */
  prepare(): Promise<void>
}

export function createNpmRoot(home: string, path = ''): NpmRoot {
  const folder = join(home, 'bin')
  const program = join(folder, 'npm')
  const write = async () => {
    const wanted = script(folder)
    if ((await readFile(program, 'utf8').catch(() => undefined)) === wanted) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writePrivateFile(program, wanted)
    await chmod(program, 0o700)
  }
  let writing: Promise<void> = Promise.resolve()
  return {
    path: [folder, path].join(delimiter),
    prepare() {
      // One after the other: a file that is being replaced cannot be run for a moment.
      writing = writing.catch(() => undefined).then(write)
      return writing
    },
  }
}

/** Asked again after a day. */
function script(folder: string): string {
  const quoted = `'${folder.replaceAll("'", `'\\''`)}'`
  return `#!/bin/sh
here=${quoted}
PATH=\${PATH#*"$here:"}
if [ "$*" = 'root -g' ]; then
  find "$here/npm-root" -mtime +0 -delete 2>/dev/null
  if ! [ -s "$here/npm-root" ]; then
    npm root -g > "$here/npm-root.$$" && mv "$here/npm-root.$$" "$here/npm-root" || { rm -f "$here/npm-root.$$"; exit 1; }
  fi
  exec cat "$here/npm-root"
fi
exec npm "$@"
`
}

/**
 * Files as git knows them: tracked ones and new ones, without those that are ignored. The workspace may be a hostile one, and git obeys
 * the configuration that it finds there; every setting by which `ls-files` could be made to run a program or to look elsewhere is
 * overruled. The index is as hostile: git does not check the paths in it, so whoever uses them must.
 */
import { spawn } from 'node:child_process'
import { lstat } from 'node:fs/promises'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'

export interface GitFilesOptions {
  /** The program, by its absolute path. */
  git: string
  env: Readonly<Record<string, string | undefined>>
  maxEntries: number
  maxBytes: number
  maxMs: number
}

export interface GitFiles {
  /** Relative to the directory. A repository inside this one is one entry that ends with `/`. */
  paths: string[]
  complete: boolean
}

const settings = [
  // Both name programs that git runs.
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.untrackedCache=false',
  'safe.bareRepository=explicit',
]

/** Undefined where git says no: this is no work tree, or none that it trusts. The directory is one without links. */
export async function gitFiles(directory: string, options: GitFilesOptions): Promise<GitFiles | undefined> {
  const root = await workTreeRoot(directory)
  if (root === undefined) return undefined
  // `core.worktree` could name any folder of this host.
  const flags = [`--work-tree=${root}`, ...settings.flatMap((setting) => ['-c', setting])]
  const command = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const child = spawn(options.git, ['--no-pager', ...flags, ...command], {
    cwd: directory,
    // Git must find the repository whose root was found here, or none.
    env: { ...gitEnvironment(options.env), GIT_CEILING_DIRECTORIES: dirname(root) },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: options.maxMs,
    killSignal: 'SIGKILL',
  })
  const paths = new Set<string>()
  const decoder = new TextDecoder()
  let bytes = 0
  let rest = ''
  let isCut = false
  return new Promise((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      const names = (rest + decoder.decode(chunk, { stream: true })).split('\0')
      rest = names.pop() ?? ''
      for (const name of names)
        if (paths.size < options.maxEntries) paths.add(name)
        else isCut ||= !paths.has(name)
      isCut ||= bytes > options.maxBytes
      if (isCut) child.kill('SIGKILL')
    })
    child.on('error', () => resolve(undefined))
    child.on('close', (code, signal) => {
      isCut ||= signal !== null
      const usable = code === 0 || (isCut && paths.size > 0)
      resolve(usable ? { paths: [...paths], complete: !isCut } : undefined)
    })
  })
}

/** The nearest folder with a `.git`, upwards. */
async function workTreeRoot(directory: string): Promise<string | undefined> {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (await lstat(join(folder, '.git')).catch(() => undefined)) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** The owner's own configuration stays; nothing is fetched, by any protocol, and nothing is written. */
export function gitEnvironment({ PATH, HOME, XDG_CONFIG_HOME }: GitFilesOptions['env']): NodeJS.ProcessEnv {
  const quiet = {
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
  return { PATH, HOME, ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }), ...quiet }
}

/** Files of the workspace that commands name: an agent that could write one would decide what runs outside of its sandbox. */

import { lstat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { isInside, realPath } from '../../core/real-path.ts'
import { commandWords, isMeantForFile, isScriptName } from '../../core/trust/command-words.ts'
import { type FoundFile, statFile } from './file-list.ts'
import { readBytes } from './read-bytes.ts'

export interface NamedCommand {
  texts: string[]
  cwd?: string
}

interface NamingOptions {
  root: string
  ownerHome: string
  closed: readonly string[]
}

export interface NamedFiles {
  /** Inside the workspace, links followed. */
  scripts: string[]
  /** Links in the workspace that lead out of it, and where to. */
  links: { path: string; real: string }[]
  /**
   * Named, inside the workspace, and not there: whoever makes one decides what runs. Empty ones are among them, for nothing runs by
   * them, and sandboxes keep the place of what is not there with an empty file.
   */
  missing: string[]
  /** Every path that was looked for: when what stands there changes, all has to be read again. */
  inspected: string[]
  tooMany: boolean
}

const MAX_INSPECTED = 8000
const MAX_BASES = 8
/** What programs add to the name they are given. */
const endings = ['.js', '.mjs', '.cjs', '.py', '.sh']
const inFolders = ['index.js', '__main__.py']
/** Programs that find a module by less than its name; what a variable stands for may be one. */
const findsModules =
  /\b(?:node|nodejs|bun|deno|tsx|ts-node|nodemon|pm2|python[\d.]*|pypy\d?|uv)\b|^\s*["']?\$/i
const runsFolder =
  /\b(?:node|nodejs|bun|deno|tsx|ts-node|nodemon|pm2|python[\d.]*|pypy\d?)(?:\s+-\S+)*\s+["']?\.\/?["']?(?=[\s;&|]|$)/i
const MAX_MANIFEST = 256 * 1024

export async function findNamedFiles(
  commands: readonly NamedCommand[],
  options: NamingOptions,
): Promise<NamedFiles> {
  const finder = new Finder(options)
  for (const { texts, cwd } of commands) {
    const words = new Set<string>()
    for (const text of texts) {
      const some = commandWords(text, options)
      if (!some) finder.tooMany = true
      for (const word of some ?? []) words.add(word)
    }
    const line = texts.join(' ')
    await finder.find([...words], cwd, { modules: findsModules.test(line), here: runsFolder.test(line) })
  }
  return finder.found()
}

class Finder {
  tooMany = false
  readonly #options: NamingOptions
  readonly #seen = new Map<string, FoundFile | undefined>()
  readonly #scripts = new Set<string>()
  readonly #missing = new Set<string>()
  readonly #links = new Map<string, string>()

  constructor(options: NamingOptions) {
    this.#options = options
  }

  found(): NamedFiles {
    return {
      scripts: [...this.#scripts],
      links: [...this.#links].map(([path, real]) => ({ path, real })),
      missing: [...this.#missing],
      inspected: [...this.#seen.keys()],
      tooMany: this.tooMany,
    }
  }

  /** `modules`: by less than their names; `here`: the folder itself is run. */
  async find(
    words: readonly string[],
    cwd: string | undefined,
    { modules, here }: { modules: boolean; here: boolean },
  ): Promise<void> {
    const { root } = this.#options
    const bases = new Set([root, ...(cwd === undefined ? [] : [resolve(root, cwd)])])
    if (here) for (const base of bases) await this.#tryFolder(base)
    const absent = new Map<string, string[]>()
    const there = new Set<string>()
    for (const base of bases) {
      for (const word of words) {
        if (this.tooMany) return
        for (const path of await this.#pathsOf(word, base)) {
          const found = modules ? await this.#tryModule(path) : await this.#sort(path)
          if (found?.target.isDirectory() && isInside(root, found.real) && bases.size < MAX_BASES)
            bases.add(path)
          if (found) there.add(word)
          else absent.set(word, [...(absent.get(word) ?? []), path])
        }
      }
    }
    for (const [word, paths] of absent) {
      const meant = there.has(word) ? 'no' : isMeantForFile(word, root)
      if (meant !== 'no') for (const path of paths) await this.#miss(path, meant === 'yes')
    }
  }

  /** What looks absolute may follow something that we do not know, such as the output of a command. */
  async #pathsOf(word: string, base: string): Promise<string[]> {
    if (!isAbsolute(word)) return [resolve(base, word)]
    const path = resolve(word)
    if (isInside(this.#options.root, path) || (await this.#stat(path))) return [path]
    return [path, join(base, path)]
  }

  /** The file itself, or what a program would take for it. */
  async #tryModule(path: string): Promise<FoundFile | undefined> {
    const found = await this.#sort(path)
    if (!isInside(this.#options.root, path) || found?.target.isFile()) return found
    if (found?.target.isDirectory()) {
      await this.#tryFolder(path)
      return found
    }
    const name = basename(path)
    const dotted = /^\w+(?:\.\w+)+$/.test(name) ? join(dirname(path), ...name.split('.')) : undefined
    const others = dotted === undefined ? [] : [`${dotted}.py`, join(dotted, '__main__.py')]
    for (const other of [...endings.map((ending) => path + ending), ...others]) {
      const found = await this.#sort(other)
      if (found?.target.isFile()) return found
    }
    return found
  }

  async #tryFolder(path: string): Promise<void> {
    for (const name of inFolders) await this.#sort(join(path, name))
    const manifest = await this.#stat(join(path, 'package.json'))
    if (!manifest?.target.isFile() || !isInside(this.#options.root, manifest.real)) return
    const main = await mainOf(manifest.real)
    if (main === undefined) return
    this.#scripts.add(join(path, 'package.json'))
    for (const ending of ['', '.js', '/index.js']) await this.#sort(resolve(path, main + ending))
  }

  async #sort(path: string): Promise<FoundFile | undefined> {
    const { root } = this.#options
    const found = await this.#stat(path)
    if (!found?.target.isFile()) return found
    if (isInside(root, found.real)) {
      if (found.target.size === 0n) this.#missing.add(path).add(found.real)
      else this.#scripts.add(path)
    } else if (isInside(root, path)) this.#links.set(path, found.real)
    return found
  }

  async #stat(path: string): Promise<FoundFile | undefined> {
    const { root, closed } = this.#options
    if (path === root || closed.some((folder) => isInside(folder, path))) return undefined
    if (this.#seen.has(path)) return this.#seen.get(path)
    if (this.#seen.size >= MAX_INSPECTED) {
      this.tooMany = true
      return undefined
    }
    const found = await statFile(path).catch(() => undefined)
    this.#seen.set(path, found)
    return found
  }

  /** Where it would be made, links on the way followed. */
  async #miss(path: string, surely: boolean): Promise<void> {
    const { root, closed } = this.#options
    if (path === root || !isInside(root, path) || closed.some((folder) => isInside(folder, path))) return
    if (!surely && (dirname(path) === root || !(await this.#stat(dirname(path))))) return
    const real = await realPath(path).catch(() => path)
    for (const one of [path, real]) {
      if (!isInside(root, one)) continue
      this.#missing.add(one)
      if (!isScriptName(one)) this.#missing.add(`${one}.js`)
    }
  }
}

/** What node runs in the place of a folder. */
async function mainOf(manifest: string): Promise<string | undefined> {
  try {
    const { main } = JSON.parse((await readBytes(manifest, MAX_MANIFEST)).toString('utf8')) as {
      main?: unknown
    }
    return typeof main === 'string' && main !== '' && !main.includes('\0') ? main : undefined
  } catch {
    return undefined
  }
}

/** Folders of the workspace that hold a link on the way to the path: whoever can write there can lead it elsewhere. */
export async function foldersOfLinks(root: string, path: string): Promise<string[]> {
  const folders: string[] = []
  const parts = isInside(root, path) ? path.slice(root.length).split(sep).filter(Boolean) : []
  let way = root
  for (const part of parts) {
    way = join(way, part)
    if ((await lstat(way).catch(() => undefined))?.isSymbolicLink() && dirname(way) !== root)
      folders.push(dirname(way))
  }
  return folders
}

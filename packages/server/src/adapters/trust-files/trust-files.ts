/** Reads what trust in a workspace covers. What has not changed since the last time is not read again. */
import { createHash } from 'node:crypto'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { TrustFault, TrustKind } from '@dorkos/shared'
import type { CoveredItem, TrustFiles, TrustReading } from '../../core/ports/trust.ts'
import { isInside } from '../../core/real-path.ts'
import { type DescribedFile, describeFile, type Seal } from '../../core/trust/covered-item.ts'
import { isData } from './covered-names.ts'
import { changedAt, type FileList, MAX_COVERED_BYTES, MAX_FILES, markOf, statFile } from './file-list.ts'
import { type CoveredListing, type ListingOptions, listCovered, profilesOf, toolsOf } from './list-covered.ts'
import { findNamedFiles, foldersOfLinks } from './named-files.ts'
import { readBytes } from './read-bytes.ts'
import { createSeal } from './trust-key.ts'

export interface TrustFilesOptions extends ListingOptions {
  key: Buffer
  /** All files in this folder of the program that begins with this module. Absent: the folder alone is covered. */
  moduleGraph?: (file: string, within: string) => Promise<string[]>
  /** In milliseconds, as files have it; the system's clock unless given. */
  now?: () => number
}

interface Cached {
  signature: string
  reading: TrustReading
  /** Looked for besides what is listed. */
  inspected: string[]
  settled: boolean
  texts: boolean
  /** SHA-256 of files that hold or name commands, by real path: a write through a mapping changes no times at once. */
  hashes: ReadonlyMap<string, string>
}

/** A file that changed this shortly before it was read may change again without its times showing it. */
const UNSETTLED_MS = 2000
/** Texts for diffs, in all. */
const MAX_TEXTS = 512 * 1024
/** Larger files are known by their times alone. */
const MAX_HASHED = 256 * 1024

export function createTrustFiles(options: TrustFilesOptions): TrustFiles {
  const cache = new Map<string, Cached>()
  const running = new Map<string, Promise<TrustReading>>()
  const read = async (root: string, texts: boolean): Promise<TrustReading> => {
    const begun = (options.now ?? Date.now)()
    const known = cache.get(root)
    const listed = await listCovered(root, options)
    const listMarks = [...listed.list.marks]
    const marks = await marksOf(known?.inspected ?? [])
    const signature = signatureOf(listMarks, marks.marks)
    const isKnown = known?.settled && known.signature === signature && (known.texts || !texts)
    if (isKnown && (await areSame(known.hashes))) return known.reading
    const { reading, inspected, hashes } = await new Reader(root, listed, options, texts).read()
    const after = await marksOf(inspected)
    const newest = Math.max(listed.list.newest, after.newest)
    const settled = newest < begun - UNSETTLED_MS
    cache.set(root, {
      signature: signatureOf(listMarks, after.marks),
      reading,
      inspected,
      settled,
      texts,
      hashes,
    })
    return reading
  }
  return {
    read(root, { texts } = { texts: false }) {
      const current = running.get(root)?.catch(() => undefined) ?? Promise.resolve()
      // One after the other, and each its own: what was written before it was asked for is in it.
      const next = current.then(() => read(root, texts))
      running.set(root, next)
      void next
        .catch(() => undefined)
        .finally(() => {
          if (running.get(root) === next) running.delete(root)
        })
      return next
    },
  }
}

/** One reading of all that was listed. */
class Reader {
  readonly #root: string
  readonly #list: FileList
  readonly #roots: string[]
  readonly #options: TrustFilesOptions
  readonly #texts: boolean
  readonly #items: CoveredItem[] = []
  readonly #commands: DescribedFile['commands'] = []
  readonly #read = new Set<string>()
  readonly #closedFolders = new Set<string>()
  /** Named by commands, and not there. */
  readonly #missing = new Set<string>()
  readonly #extraFaults: TrustFault[] = []
  /** What modules of tools import. */
  readonly #graph = new Set<string>()
  readonly #modules: Record<string, string> = Object.create(null)
  readonly #profiles: Record<string, string> = Object.create(null)
  readonly #hashes = new Map<string, string>()
  readonly #seal: Seal
  #serversFile: string | undefined

  constructor(root: string, { list, roots }: CoveredListing, options: TrustFilesOptions, texts: boolean) {
    this.#texts = texts
    this.#root = root
    this.#list = list
    this.#roots = roots
    this.#options = options
    this.#seal = createSeal(options.key)
  }

  async read(): Promise<{ reading: TrustReading; inspected: string[]; hashes: Map<string, string> }> {
    await this.#readNew()
    const graph = await this.#readModules()
    const { closedFolders: closed, ownerHome } = this.#options
    const named = await findNamedFiles(this.#commands, { root: this.#root, ownerHome, closed })
    if (named.tooMany)
      this.#fault('.', 'Its commands have more words than can be looked at; make them shorter.')
    for (const path of named.scripts) {
      await this.#list.add(path)
      for (const folder of await foldersOfLinks(this.#root, path)) this.#closedFolders.add(folder)
    }
    for (const path of named.missing) {
      this.#missing.add(path)
      for (const folder of await foldersOfLinks(this.#root, path)) this.#closedFolders.add(folder)
    }
    for (const { path, real } of named.links) {
      const content = Buffer.from(`leads to ${real}`)
      const link = { kind: 'script', path: this.#list.shown(path), link: real, content } as const
      this.#items.push(...describeFile(link, this.#seal, this.#texts).items)
      for (const folder of await foldersOfLinks(this.#root, path)) this.#closedFolders.add(folder)
    }
    await this.#readNew()
    return { reading: this.#reading(), inspected: [...named.inspected, ...graph], hashes: this.#hashes }
  }

  /** Reads what was added to the list since. */
  async #readNew(): Promise<void> {
    for (const [path, { real, isLink }] of this.#list.files) {
      if (this.#read.has(path)) continue
      this.#read.add(path)
      try {
        const content = await readBytes(real, MAX_COVERED_BYTES)
        const kind = this.#kindOf(path)
        const throughLink = isLink || real !== path
        if (kind === 'tool' || this.#graph.has(path)) this.#modules[real] = sha256(content)
        if (kind === 'profile') this.#profiles[real] = sha256(content)
        if (kind !== 'file' && content.length <= MAX_HASHED) this.#hashes.set(real, sha256(content))
        if (kind === 'server' && content.length > 0) this.#serversFile = sha256(content)
        const file = {
          kind,
          path: this.#list.shown(path),
          content,
          ...(throughLink && { link: this.#list.shown(real) }),
        }
        const { items, commands, folders = [], fault } = describeFile(file, this.#seal, this.#texts)
        if (fault !== undefined) this.#fault(file.path, fault)
        this.#items.push(...items)
        this.#commands.push(...commands)
        if (folders.some((folder) => isInside(this.#root, resolve(this.#root, folder))))
          this.#fault(
            file.path,
            'It names a plugin marketplace inside the workspace, which trust does not cover; take that out.',
          )
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
        this.#fault(this.#list.shown(path), `It cannot be read (${code}).`)
      }
    }
  }

  /** What modules of tools import, as far as it lies in the workspace. */
  async #readModules(): Promise<string[]> {
    const { moduleGraph } = this.#options
    if (!moduleGraph) return []
    const found = this.#graph
    for (const path of [...this.#list.files.keys()].filter((file) => this.#kindOf(file) === 'tool')) {
      if (!/\.[cm]?[jt]s$/.test(path)) continue
      try {
        for (const file of await moduleGraph(path, this.#root))
          if (isInside(this.#root, file)) found.add(file)
      } catch {
        this.#fault(
          this.#list.shown(path),
          'What this module imports cannot be determined; mend or remove it.',
        )
      }
      if (found.size > MAX_FILES) break
    }
    for (const file of found) await this.#list.add(file)
    await this.#readNew()
    return [...found]
  }

  #kindOf(path: string): TrustKind {
    if (path === join(this.#root, '.mcp.json')) return 'server'
    if (/^settings(\.local)?\.json$/.test(basename(path)) && this.#roots.includes(dirname(dirname(path))))
      return basename(dirname(path)) === '.claude' ? 'settings' : 'script'
    if (isInside(toolsOf(this.#root), path)) return 'tool'
    if (isInside(profilesOf(this.#root), path)) return 'profile'
    return this.#roots.some((base) => isInside(join(base, '.claude'), path)) ? 'file' : 'script'
  }

  #fault(path: string, reason: string): void {
    this.#extraFaults.push({ path, reason })
  }

  #reading(): TrustReading {
    const items = withBoundedTexts(this.#items.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)))
    const digest = this.#seal(...items.map((item) => item.digest))
    const files = [...this.#list.files.values()].flatMap(({ file, real }) => [file, real])
    const faults = [...this.#list.faults, ...this.#extraFaults]
    const closedFiles = new Set<string>()
    for (const file of [...files, ...this.#missing]) {
      const folder = this.#wholeFolder(file)
      // What lies elsewhere is not the agents' to write anyway.
      if (folder !== undefined) this.#closedFolders.add(folder)
      else if (isInside(this.#root, file)) closedFiles.add(file)
    }
    return {
      digest,
      items,
      faults,
      closedFiles: [...closedFiles],
      closedFolders: [...this.#closedFolders],
      modules: this.#modules,
      profiles: this.#profiles,
      ...(this.#serversFile !== undefined && { serversFile: this.#serversFile }),
    }
  }

  /** A folder of which all is covered: one name for many files. */
  #wholeFolder(file: string): string | undefined {
    const own = [toolsOf(this.#root), profilesOf(this.#root)].find((folder) => isInside(folder, file))
    if (own !== undefined) return own
    const claude = join(this.#root, '.claude')
    const [top = '', ...rest] = isInside(claude, file) ? file.slice(claude.length + 1).split(sep) : []
    return rest.length > 0 && !isData(top) ? join(claude, top) : undefined
  }
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

const orderOf = ({ kind, path, name }: CoveredItem) => JSON.stringify([kind, path, name ?? ''])

function withBoundedTexts(items: CoveredItem[]): CoveredItem[] {
  let left = MAX_TEXTS
  return items.map((item) => {
    left -= item.text?.length ?? 0
    return left >= 0 || item.text === undefined ? item : { ...item, text: '', cut: true }
  })
}

async function areSame(hashes: ReadonlyMap<string, string>): Promise<boolean> {
  for (const [real, hash] of hashes) {
    const content = await readBytes(real, MAX_HASHED).catch(() => undefined)
    if (!content || sha256(content) !== hash) return false
  }
  return true
}

async function marksOf(paths: readonly string[]): Promise<{ marks: string[]; newest: number }> {
  let newest = 0
  const marks: string[] = []
  for (const path of paths) {
    const found = await statFile(path).catch(() => undefined)
    marks.push(`${path}\0${found ? markOf(found) : '-'}`)
    if (found?.target.isFile()) newest = Math.max(newest, changedAt(found.link), changedAt(found.target))
  }
  return { marks, newest }
}

function signatureOf(...marks: string[][]): string {
  const hash = createHash('sha256')
  // In any order: files of a folder are checked together.
  for (const list of marks) for (const mark of list.toSorted()) hash.update(mark).update('\n')
  return hash.digest('hex')
}

/** The modules of one folder: found, watched, loaded anew when they change, and offered as one list of tools. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ModuleFault, ModuleReport } from '../core/ports/tool-folders.ts'
import { folderIdentity } from '../watching/folder-watches.ts'
import { WatchedFolders } from '../watching/watch-folders.ts'
import { readApprovedList } from './approved-list.ts'
import { traceModule } from './module-graph.ts'
import { faultText } from './module-report.ts'
import type { Answer } from './module-worker.ts'
import { lastingMs, ToolModule } from './tool-module.ts'
import type { LoadedTool } from './worker-messages.ts'
import { WorkerSource } from './worker-source.ts'

const mostModules = 100
const mostFolders = 100

export interface ToolFolderOptions {
  /** Absolute, and a real path. */
  folder: string
  /** Names of files: no others are loaded. */
  only: readonly string[] | undefined
  /** A file that says what may be loaded (see approved-list.ts). */
  digests: string | undefined
  /** Other machines write into the folder, too. */
  isShared: boolean
  /** For people: faults, and what modules print. */
  write(line: string): void
  onToolsChanged(): void
  onReportsChanged(): void
}

interface Known {
  module: ToolModule
  /** What its files looked like when it was last loaded. */
  signature: string
  /** When its file was first seen to be gone. */
  missingSince: number | undefined
  /** Where its files are. */
  folders: readonly string[]
}

interface Offer {
  module: ToolModule
  tool: LoadedTool
}

export class ModuleFolder {
  readonly #options: ToolFolderOptions
  readonly #workers: WorkerSource
  readonly #watch: WatchedFolders
  readonly #known = new Map<string, Known>()
  #offers = new Map<string, Offer>()
  #reports: ModuleReport[] = []
  #toolsMark = '[]'
  #reportsMark = ''
  #approvedMark = ''
  /** Of the folder; undefined while it is not there. */
  #identity: string | undefined
  #written: ReadonlySet<string> = new Set()
  #isScanning = false
  #isDueAgain = false
  #isClosed = false
  #rescan: NodeJS.Timeout | undefined
  #hasScanned = false
  readonly #scanned: Promise<void>
  readonly #waiting = new Set<() => void>()

  constructor(options: ToolFolderOptions) {
    this.#options = options
    this.#watch = new WatchedFolders(() => void this.#scan(), options)
    this.#workers = new WorkerSource(options.folder, options.write)
    this.#scanned = this.#scan()
  }

  /** Resolves when it was looked through for the first time. */
  get scanned(): Promise<void> {
    return this.#scanned
  }

  /** Resolves when every module was loaded or has failed, or this time is over. */
  settled(ms: number): Promise<void> {
    if (this.#isSettled()) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waiting.add(done)
    })
  }

  /** Entries of `tools/list`, by name. */
  tools(): Record<string, unknown>[] {
    return [...this.#offers.values()].map(({ tool }) => tool.definition)
  }

  reports(): readonly ModuleReport[] {
    return this.#reports
  }

  /** Undefined where there is no such tool. Never rejects. */
  call(name: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Answer> | undefined {
    const offer = this.#offers.get(name)
    return offer?.module.call(offer.tool, params, signal)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#rescan)
    this.#watch.close()
    for (const { module } of this.#known.values()) module.remove()
    this.#workers.close()
  }

  #isSettled(): boolean {
    return this.#hasScanned && [...this.#known.values()].every(({ module }) => !module.isLoading)
  }

  async #scan(): Promise<void> {
    this.#isDueAgain = true
    if (this.#isScanning) return
    this.#isScanning = true
    while (this.#isDueAgain && !this.#isClosed) {
      this.#isDueAgain = false
      try {
        await this.#readFolder()
      } catch (error) {
        this.#options.write(`The folder cannot be looked through: ${String(error)}`)
      }
      this.#hasScanned = true
      this.#changed()
    }
    this.#isScanning = false
  }

  async #readFolder(): Promise<void> {
    const { folder, digests } = this.#options
    await this.#readApproved()
    const files = await this.#moduleFiles()
    if (this.#isClosed) return
    for (const file of files) await this.#inspect(file)
    for (const [file, known] of this.#known) if (!files.includes(file)) this.#missing(file, known)
    const folders = new Set([folder, ...(digests === undefined ? [] : [dirname(digests)])])
    for (const known of this.#known.values()) for (const each of known.folders) folders.add(each)
    this.#watch.watch(new Set([...folders].slice(0, mostFolders)))
  }

  async #readApproved(): Promise<void> {
    const { digests } = this.#options
    if (digests === undefined) return
    const approved = await readApprovedList(digests)
    const mark = JSON.stringify(approved)
    if (mark === this.#approvedMark) return
    this.#approvedMark = mark
    this.#workers.approve(approved)
    // All are checked anew.
    for (const known of this.#known.values()) known.signature = ''
  }

  async #moduleFiles(): Promise<string[]> {
    const { folder, only } = this.#options
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    this.#enter()
    const names = entries
      .filter((entry) => !entry.isDirectory() && /^[^.].*\.m?js$/.test(entry.name))
      .map((entry) => entry.name)
      .filter((name) => only === undefined || only.includes(name))
      .sort()
    if (names.length > mostModules)
      this.#options.write(`${folder} has ${names.length} modules; only the first ${mostModules} are loaded`)
    return names.slice(0, mostModules).map((name) => join(folder, name))
  }

  /** No thread works in a folder that was removed, also where there is a new one of its name. */
  #enter(): void {
    const { folder } = this.#options
    const identity = folderIdentity(folder)
    if (identity === this.#identity) return
    this.#identity = identity
    this.#workers.renew(identity !== undefined)
    if (identity !== undefined) process.chdir(folder)
  }

  async #inspect(file: string): Promise<void> {
    const known = this.#known.get(file) ?? this.#add(file)
    known.missingSince = undefined
    const { files, missing } = await traceModule(file)
    const signature = await signatureOf([file, ...files, ...missing])
    known.folders = [...new Set([...files, ...missing].map((each) => dirname(each)))]
    if (signature === known.signature || this.#isClosed) return
    known.signature = signature
    const [real = file, ...imported] = files
    known.module.changed([real, file, ...imported])
  }

  #add(file: string): Known {
    const module = new ToolModule({
      file,
      load: (signal) => this.#workers.load(file, signal),
      onChange: () => this.#changed(),
    })
    const known: Known = { module, signature: '', missingSince: undefined, folders: [] }
    this.#known.set(file, known)
    return known
  }

  /** Many editors remove a file for a moment when they save it. */
  #missing(file: string, known: Known): void {
    const now = performance.now()
    known.missingSince ??= now
    if (now - known.missingSince >= lastingMs) {
      known.module.remove()
      this.#known.delete(file)
      return
    }
    clearTimeout(this.#rescan)
    this.#rescan = setTimeout(() => void this.#scan(), lastingMs)
  }

  #changed(): void {
    if (this.#isClosed || !this.#hasScanned) return
    this.#offer()
    const tools = JSON.stringify(this.tools())
    const reports = JSON.stringify(this.#reports)
    const isNew = { tools: tools !== this.#toolsMark, reports: reports !== this.#reportsMark }
    this.#toolsMark = tools
    this.#reportsMark = reports
    this.#writeFaults()
    if (isNew.tools) this.#options.onToolsChanged()
    if (isNew.reports) this.#options.onReportsChanged()
    if (this.#isSettled()) for (const done of [...this.#waiting]) done()
  }

  /** Each once, for as long as it lasts. */
  #writeFaults(): void {
    const faults = new Set(this.#reports.flatMap((report) => report.faults).map(faultText))
    for (const fault of faults) if (!this.#written.has(fault)) this.#options.write(fault)
    this.#written = faults
  }

  /** Names that are alike to the model, or to people, are one name: the first file in order has it. */
  #offer(): void {
    const taken = new Map<string, string>()
    const offers = new Map<string, Offer>()
    const modules = [...this.#known.values()].map(({ module }) => module)
    modules.sort((a, b) => (a.file < b.file ? -1 : 1))
    this.#reports = modules.map((module) => {
      const offered: string[] = []
      const faults: ModuleFault[] = []
      for (const tool of module.tools) {
        const key = tool.name.replace(/[^\w-]/g, '_').toLowerCase()
        const other = taken.get(key)
        if (other === undefined) {
          taken.set(key, basename(module.file))
          offers.set(tool.name, { module, tool })
          offered.push(tool.name)
        } else {
          const message = `Tool '${tool.name}' is left out: ${other} has one of that name`
          faults.push({ file: module.file, message })
        }
      }
      return module.report(offered, faults)
    })
    this.#offers = new Map([...offers].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Differs when one of the files was written, replaced or removed. */
async function signatureOf(files: readonly string[]): Promise<string> {
  const parts = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file, { bigint: true }).catch(() => undefined)
      return found ? `${file} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : `${file} -`
    }),
  )
  return parts.join('\n')
}

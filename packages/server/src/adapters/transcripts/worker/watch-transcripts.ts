/**
 * Watches the folders of transcripts: a watch for each project's folder and for the folder that holds them, none for files.
 * Where the system has no watches left, and before the folder exists, it looks now and then instead.
 */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FolderWatches, folderIdentity } from '../../../watching/folder-watches.ts'
import { isSessionId, projectFolders, projectsFolder, sessionIdOf } from '../find-transcript-file.ts'

/** Changes within this time are reported together: a file that grows line by line is not read for each. */
const gatherMs = 250
const tickMs = 2000

export interface WatchSetup {
  configDirs: readonly string[]
  onFiles(paths: string[]): void
  /** Something changed that cannot be reported more precisely, or may have been missed. */
  onUnknown(): void
  /** Watches cannot be had; reported once. */
  onDegraded(reason: string): void
  /** How often to check everything where watches cannot be had. */
  pollMs(): number
}

/** Missed events are possible with every kind of watch. */
const safetyMs = 10 * 60 * 1000

export class TranscriptWatch {
  readonly #setup: WatchSetup
  readonly #folders = new FolderWatches({
    onEvent: (folder, name) => this.#seen(folder, name),
    // A folder that is gone needs no watch.
    onFault: (folder, error) => folderIdentity(folder) !== undefined && this.#degrade(error),
  })
  readonly #roots = new Map<string, string>()
  readonly #changed = new Set<string>()
  #gather: NodeJS.Timeout | undefined
  #tick: NodeJS.Timeout | undefined
  #syncing: Promise<void> | undefined
  #syncAgain = false
  #degraded = false
  #lastScan = performance.now()
  #closed = false

  constructor(setup: WatchSetup) {
    this.#setup = setup
  }

  /** Resolves when every folder that is there is watched. */
  async start(): Promise<void> {
    await this.#sync(false)
    this.#plan()
  }

  /** Looks for folders that are new, also of configurations that were added to the setup. */
  scan(): Promise<void> {
    return this.#sync(true)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#tick)
    clearTimeout(this.#gather)
    this.#folders.close()
  }

  #plan(): void {
    this.#tick = setTimeout(async () => {
      await this.#sync(true)
      if (this.#closed) return
      const interval = this.#degraded ? this.#setup.pollMs() : safetyMs
      if (performance.now() - this.#lastScan >= interval) this.#unknown()
      this.#plan()
    }, tickMs)
  }

  #unknown(): void {
    this.#lastScan = performance.now()
    this.#setup.onUnknown()
  }

  /** Watches what is there now. One at a time; a call meanwhile makes it run again. */
  async #sync(report: boolean): Promise<void> {
    if (this.#syncing) {
      this.#syncAgain = true
      return this.#syncing
    }
    this.#syncing = this.#syncOnce(report).catch(() => {})
    await this.#syncing
    this.#syncing = undefined
    if (!this.#syncAgain || this.#closed) return
    this.#syncAgain = false
    await this.#sync(report)
  }

  async #syncOnce(report: boolean): Promise<void> {
    const wanted = new Set<string>()
    for (const configDir of this.#setup.configDirs) {
      const root = await projectsFolder(configDir)
      if (root === undefined) continue
      this.#roots.set(configDir, root)
      wanted.add(root)
      for (const folder of await projectFolders(root)) wanted.add(folder)
    }
    if (this.#closed) return
    const { opened, lost } = this.#folders.watch(wanted)
    if (!report) return
    for (const folder of opened) await this.#reportFiles(folder)
    // Its files went with it, and whether that was reported depends on who was faster.
    if (lost.length > 0) this.#unknown()
  }

  #degrade(error: unknown): void {
    if (this.#degraded) return
    this.#degraded = true
    this.#setup.onDegraded(error instanceof Error ? error.message : String(error))
  }

  #seen(path: string, name: string | null): void {
    // So the end of the folder itself is reported; its watch is of no use then.
    const isEnd = name === basename(path)
    if (isEnd) this.#folders.unwatch(path)
    if (isEnd || [...this.#roots.values()].includes(path)) void this.#sync(true)
    else if (name === null) this.#unknown()
    else if (sessionIdOf(name) !== undefined) this.#add(join(path, name))
    // The folder beside a transcript holds what else belongs to the session, such as a title.
    else if (isSessionId(name)) this.#add(join(path, `${name}.jsonl`))
  }

  async #reportFiles(folder: string): Promise<void> {
    for (const name of await readdir(folder).catch(() => []))
      if (sessionIdOf(name) !== undefined) this.#add(join(folder, name))
  }

  #add(path: string): void {
    this.#changed.add(path)
    this.#gather ??= setTimeout(() => {
      this.#gather = undefined
      const paths = [...this.#changed]
      this.#changed.clear()
      this.#setup.onFiles(paths)
    }, gatherMs)
  }
}

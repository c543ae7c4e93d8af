/** What was read for each workspace, kept until one of its files changes. */
import type { McpSources } from '../ports/mcp-sources.ts'
import type { SourceReading } from './found-server.ts'

interface Kept {
  reading: Promise<SourceReading>
  stop(): void
}

/** Workspaces whose files are watched at once; beyond that, the one that was asked for longest ago is let go. */
const mostKept = 30

export class SourceReadings {
  readonly #sources: McpSources
  readonly #onChange: (workspacePath: string | undefined) => void
  readonly #now: () => number
  readonly #kept = new Map<string | undefined, Kept>()
  #closed = false

  constructor(
    sources: McpSources,
    options: { now: () => number; onChange(workspacePath: string | undefined): void },
  ) {
    this.#sources = sources
    this.#now = options.now
    this.#onChange = options.onChange
  }

  of(workspacePath: string | undefined): Promise<SourceReading> {
    const kept = this.#kept.get(workspacePath) ?? this.#read(workspacePath)
    // The newest goes last.
    this.#kept.delete(workspacePath)
    this.#kept.set(workspacePath, kept)
    if (this.#kept.size > mostKept) this.#letGo(this.#kept.keys().next().value)
    return kept.reading
  }

  /** It is read anew when it is asked for. */
  drop(workspacePath: string | undefined): void {
    this.#letGo(workspacePath)
  }

  /** Everything is read anew when it is asked for: the configuration changed. */
  clear(): void {
    for (const path of [...this.#kept.keys()]) this.#letGo(path)
  }

  close(): void {
    this.#closed = true
    this.clear()
  }

  #read(workspacePath: string | undefined): Kept {
    const readSince = this.#now()
    let stop = () => {}
    let isOver = false
    const reading = this.#sources.read(workspacePath)
    void reading.then((read) => {
      if (isOver || this.#closed) return
      stop = this.#sources.watch(read, readSince, () => {
        this.#letGo(workspacePath)
        this.#onChange(workspacePath)
      })
    })
    return {
      reading,
      stop() {
        isOver = true
        stop()
      },
    }
  }

  #letGo(workspacePath: string | undefined): void {
    this.#kept.get(workspacePath)?.stop()
    this.#kept.delete(workspacePath)
  }
}

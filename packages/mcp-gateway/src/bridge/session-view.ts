/** What one session sees of a server: its tools by the names that the model knows, without those that are withheld. */
import { createHash } from 'node:crypto'
import type { Catalogue, CatalogueTool } from '../catalogue/catalogue.ts'
import type { ServerHold } from '../supervisor/supervised-server.ts'
import type { BridgeOptions } from './bridge-types.ts'
import { offerToolNames } from './tool-names.ts'

type Json = Record<string, unknown>

/** One word for each thing of whose change a session may be notified. */
export interface ViewMarks {
  tools: string
  resources: string
  prompts: string
  /** What is said in the handshake and never again. */
  handshake: string
}

export class SessionView {
  readonly #options: Pick<BridgeOptions, 'name' | 'offers' | 'offersInstructions'>
  readonly #hold: ServerHold
  /** By offered name, of `#known`. */
  #tools = new Map<string, CatalogueTool>()
  #known: Catalogue | undefined

  constructor(options: Pick<BridgeOptions, 'name' | 'offers' | 'offersInstructions'>, hold: ServerHold) {
    this.#options = options
    this.#hold = hold
  }

  /** Those that are withheld too. */
  findTool(offeredName: string): CatalogueTool | undefined {
    return this.#currentTools().get(offeredName)
  }

  /** A failure to decide is a no. */
  isOffered(tool: CatalogueTool): boolean {
    try {
      return this.#options.offers?.(tool) ?? true
    } catch {
      return false
    }
  }

  /** Those of the server, unless they are withheld. A failure to decide is a no. */
  instructions(): string | undefined {
    const { instructions } = this.#hold.catalogue()
    if (instructions === undefined) return undefined
    try {
      return (this.#options.offersInstructions?.(instructions) ?? true) ? instructions : undefined
    } catch {
      return undefined
    }
  }

  listTools(): Json[] {
    return this.#offeredTools().map(([name, tool]) => ({ ...tool, name }))
  }

  /** A server that declares resources makes Claude Code (2.1.325) give the model three more tools: only where there are some. */
  hasResources(): boolean {
    const { resources, resourceTemplates } = this.#hold.catalogue()
    return resources.length + resourceTemplates.length > 0
  }

  marks(): ViewMarks {
    const handshake = hash([this.instructions() ?? null, this.hasResources()])
    return { tools: this.toolsMark(), handshake, ...catalogueMarks(this.#hold.catalogue()) }
  }

  toolsMark(): string {
    return hash(this.#offeredTools().map(([name, tool]) => [name, toolMark(tool)]))
  }

  toolNames(): string[] {
    return this.#offeredTools().map(([name]) => name)
  }

  #offeredTools(): [string, CatalogueTool][] {
    return [...this.#currentTools()].filter(([, tool]) => this.isOffered(tool))
  }

  #currentTools(): ReadonlyMap<string, CatalogueTool> {
    const catalogue = this.#hold.catalogue()
    if (this.#known === catalogue) return this.#tools
    // Named by all that there are, so that a name is the same whatever is withheld.
    const { offered } = offerToolNames(
      this.#options.name,
      catalogue.tools.map((tool) => tool.name),
    )
    this.#tools = new Map(catalogue.tools.map((tool) => [offered.get(tool.name) ?? tool.name, tool]))
    this.#known = catalogue
    return this.#tools
  }
}

/** Made once for all sessions. */
const knownMarks = new WeakMap<Catalogue, Pick<ViewMarks, 'resources' | 'prompts'>>()
const knownToolMarks = new WeakMap<CatalogueTool, string>()

function catalogueMarks(catalogue: Catalogue): Pick<ViewMarks, 'resources' | 'prompts'> {
  const known = knownMarks.get(catalogue)
  if (known) return known
  const { resources, resourceTemplates, prompts } = catalogue
  const marks = {
    resources: hash([resources, resourceTemplates]),
    prompts: hash(prompts),
  }
  knownMarks.set(catalogue, marks)
  return marks
}

function toolMark(tool: CatalogueTool): string {
  const known = knownToolMarks.get(tool)
  if (known !== undefined) return known
  const mark = hash(tool)
  knownToolMarks.set(tool, mark)
  return mark
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64')
}

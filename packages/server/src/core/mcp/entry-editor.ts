/** MCP servers in DorkOS's configuration: added, changed, taken out, copied from other programs' files and for them. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@dorkos/mcp-gateway'
import type { EndpointResponse, McpServer, ParsedBody } from '@dorkos/shared'
import { foldServerName, say, serverNameFault } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { McpEntry } from './found-server.ts'
import { type ImportedEntry, importSnippet } from './import-snippet.ts'
import { keepMasked } from './keep-masked.ts'
import { MASK } from './mask-entry.ts'
import { toEntryView } from './mcp-view.ts'
import type { WorkspaceServers } from './workspace-servers.ts'

export interface EntryEditorParts {
  /** Entries of DorkOS's configuration, as they stand there. */
  configured(): Readonly<Record<string, unknown>>
  /** Writes entries into the configuration file; undefined takes one out. */
  writeEntries(actor: Actor, entries: Record<string, Record<string, unknown> | undefined>): Promise<void>
  /** Files of other programs that are there, with their text. */
  clientFiles(folder: string | undefined): Promise<{ client: string; file: string; text: string }[]>
  audit(actor: Actor, action: string, detail: Record<string, unknown>): Promise<void>
}

export class EntryEditor {
  readonly #parts: EntryEditorParts

  constructor(parts: EntryEditorParts) {
    this.#parts = parts
  }

  add(actor: Actor, body: ParsedBody<'addMcpServers'>): Promise<EndpointResponse<'addMcpServers'>> {
    if ('snippet' in body) return this.#add(actor, body.snippet, { name: body.name })
    return this.#add(actor, snippetOf(body.name, body.entry), {})
  }

  /** Answers with the name as it stands in the configuration. */
  async change(actor: Actor, name: string, body: ParsedBody<'changeMcpServer'>): Promise<string> {
    const key = this.#configuredName(name)
    const raw = this.#rawEntry(key)
    const [stored] = importSnippet(snippetOf(key, raw)).entries
    const given = 'entry' in body ? body.entry : { ...raw, ...body }
    const entry = stored ? keepMasked(given, stored.entry) : given
    const { entries, faults } = importSnippet(snippetOf(key, entry))
    const [read] = entries
    if (!read)
      throw new AppError(
        'invalid_request',
        say('mcp_entry_faults', { faults: faults.map(({ reason }) => reason) }),
      )
    refuseMask(read.entry)
    await this.#parts.writeEntries(actor, { [key]: compact(entry) })
    await this.#parts.audit(actor, 'mcp_server_changed', { server: key, entry: toEntryView(read.entry) })
    return key
  }

  async remove(actor: Actor, name: string): Promise<void> {
    const key = this.#configuredName(name)
    await this.#parts.writeEntries(actor, { [key]: undefined })
    await this.#parts.audit(actor, 'mcp_server_removed', { server: key })
  }

  async imports(folder: string | undefined): Promise<EndpointResponse<'listMcpImports'>> {
    const known = this.#taken()
    const files = await this.#parts.clientFiles(folder)
    return {
      clients: files.map(({ client, file, text }) => {
        const { entries, faults } = importSnippet(text)
        return {
          client,
          file,
          servers: entries.flatMap(({ name, entry }) =>
            name === undefined
              ? []
              : [
                  {
                    name,
                    entry: toEntryView(entry),
                    known: known.has(foldServerName(name)),
                    hash: hashOf(entry),
                  },
                ],
          ),
          faults: faults.map(({ reason }) => reason),
        }
      }),
    }
  }

  async import(
    actor: Actor,
    folder: string | undefined,
    { file, servers }: ParsedBody<'importMcpServers'>,
  ): Promise<EndpointResponse<'importMcpServers'>> {
    const found = (await this.#parts.clientFiles(folder)).find((one) => one.file === file)
    if (!found) throw new AppError('not_found', say('mcp_file_unknown'))
    const wanted = new Map(servers.map(({ name, hash }) => [name, hash]))
    for (const { name = '', entry } of importSnippet(found.text).entries)
      if (wanted.has(name) && wanted.get(name) !== hashOf(entry))
        throw new AppError('conflict', say('mcp_entry_changed', { name }))
    return this.#add(actor, found.text, { only: new Set(wanted.keys()) })
  }

  export({ active }: WorkspaceServers): EndpointResponse<'exportMcpServers'> {
    const mcpServers: Record<string, Record<string, unknown>> = {}
    const fillIn: string[] = []
    for (const { server } of active.filter(({ isOwn }) => !isOwn)) {
      const view = toEntryView(server.entry)
      fillIn.push(...maskedFields(view).map((field) => `${server.name}: ${field}`))
      const { modes, sharing, passthrough, disabled, ...common } = view
      mcpServers[server.name] = common
    }
    return { mcpServers, fill_in: fillIn }
  }

  async #add(
    actor: Actor,
    text: string,
    options: { name?: string | undefined; only?: ReadonlySet<string> },
  ): Promise<EndpointResponse<'addMcpServers'>> {
    const { only } = options
    const { entries, faults } = importSnippet(text)
    const isWanted = (name: string | undefined) => !only || (name !== undefined && only.has(name))
    const reasons = faults.filter(({ name }) => isWanted(name)).map(({ reason }) => reason)
    const wanted = entries.filter(({ name }) => isWanted(name))
    if (wanted.length === 0)
      throw new AppError(
        'invalid_request',
        reasons.length > 0 ? say('mcp_entry_faults', { faults: reasons }) : say('mcp_entry_missing'),
      )
    const added: Record<string, Record<string, unknown>> = {}
    for (const { name = options.name, entry } of wanted) added[this.#newName(name)] = newEntry(entry)
    await this.#parts.writeEntries(actor, added)
    for (const { name: server = options.name, entry } of wanted)
      await this.#parts.audit(actor, 'mcp_server_added', { server, entry: toEntryView(entry) })
    return { added: Object.keys(added), faults: reasons, fill_in: wanted.flatMap(placeholders) }
  }

  #newName(name: string | undefined): string {
    if (name === undefined) throw new AppError('invalid_request', say('mcp_entry_unnamed'))
    const fault = serverNameFault(name)
    if (fault) throw new AppError('invalid_request', say('mcp_name_refused', { why: fault }))
    if (this.#taken().has(foldServerName(name)))
      throw new AppError('conflict', say('mcp_server_exists', { name }))
    return name
  }

  #taken(): Set<string> {
    return new Set(Object.keys(this.#parts.configured()).map(foldServerName))
  }

  #configuredName(name: string): string {
    const folded = foldServerName(name)
    const key = Object.keys(this.#parts.configured()).find((one) => foldServerName(one) === folded)
    if (key === undefined) throw new AppError('not_found', say('mcp_server_not_configured', { name }))
    return key
  }

  #rawEntry(key: string): object {
    const entry = this.#parts.configured()[key]
    return typeof entry === 'object' && entry !== null ? entry : {}
  }
}

function hashOf(entry: McpEntry): string {
  return createHash('sha256').update(canonicalJson(entry)).digest('hex')
}

function snippetOf(name: string, entry: object): string {
  return JSON.stringify({ mcpServers: { [name]: entry } })
}

function newEntry(entry: McpEntry): Record<string, unknown> {
  refuseMask(entry)
  return compact(entry)
}

/** What was shown masked would be stored so. Of an entry that is changed, this is what `keepMasked` leaves. */
function refuseMask(entry: McpEntry): void {
  if (JSON.stringify(entry).includes(MASK)) throw new AppError('invalid_request', say('mcp_entry_masked'))
}

/** Where a value stands that has to be filled in. */
function maskedFields(view: McpServer['entry']): string[] {
  const isMasked = (text: string | undefined) => text?.includes(MASK) === true
  const inPairs = (part: 'env' | 'headers') =>
    Object.entries(view[part] ?? {}).flatMap(([key, value]) => (isMasked(value) ? [`${part}.${key}`] : []))
  const inArgs = (view.args ?? []).flatMap((text, at) => (isMasked(text) ? [`args[${at}]`] : []))
  const whole = (['command', 'url'] as const).filter((part) => isMasked(view[part]))
  return [...whole, ...inArgs, ...inPairs('env'), ...inPairs('headers')]
}

function placeholders({ toFillIn }: Pick<ImportedEntry, 'toFillIn'>): string[] {
  return toFillIn.map(({ placeholder, description }) => `${placeholder} ${description}`.trim())
}

/** As people would write it: without what is empty. */
function compact(entry: object): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => !isEmpty(value)))
}

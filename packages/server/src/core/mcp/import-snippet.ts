/** What the README of a server, or the file of another client, shows: pasted in, and made into entries of ours. Pure. */
import type { McpEntry } from './found-server.ts'
import { type JsonNode, type JsonTree, memberOf, readJsonTree } from './json-tree.ts'
import { mapEntryTexts } from './map-entry-texts.ts'
import { entriesOf, syntaxFault } from './parse-entries.ts'
import { parseEntry } from './parse-entry.ts'

/** A place in an entry that waits for a value of the person who adds it. */
interface ValueToFillIn {
  /** What stands in the entry for it: `${input:key}`, or a text such as `<YOUR_TOKEN>`. */
  placeholder: string
  /** For people. */
  description: string
  secret: boolean
}

export interface ImportedEntry {
  /** Undefined where the snippet has an entry without a name: it has to be asked for. */
  name: string | undefined
  line: number
  entry: McpEntry
  toFillIn: ValueToFillIn[]
}

interface ImportFault {
  line?: number
  name?: string
  reason: string
}

export interface ImportedSnippet {
  entries: ImportedEntry[]
  faults: ImportFault[]
}

const MAX_SNIPPET = 256 * 1024

/** Entries are read as DorkOS's own: only there do they get to. */
const source = { file: 'snippet', scope: 'dorkos' } as const

export function importSnippet(text: string): ImportedSnippet {
  if (text.length > MAX_SNIPPET) return failed(`This is longer than ${MAX_SNIPPET / 1024} KiB.`)
  const { root, problem } = readSnippet(text)
  if (problem) return failed(syntaxFault(source, problem).reason.replace('The file', 'This'), problem.line)
  if (root?.kind !== 'object') return failed('Paste an object: { "mcpServers": { … } }.', root?.line)
  const inputs = inputsOf(root)
  if (isEntry(root)) return bareEntry(root, inputs)
  const { servers, faults } = entriesOf(listOf(root), source)
  return {
    entries: servers.map(({ name, line, entry }) => ({ name, line, ...prepare(entry, inputs) })),
    faults: faults.map(({ line, name, reason }) => ({
      ...(line !== undefined && { line }),
      ...(name !== undefined && { name }),
      reason,
    })),
  }
}

/** Puts the values in; those without one stay as they are. A value is text and is not scanned again. */
export function fillIn(entry: McpEntry, values: ReadonlyMap<string, string>): McpEntry {
  const placeholders = [...values.keys()].filter((one) => one !== '').map(escapeForPattern)
  if (placeholders.length === 0) return entry
  const pattern = new RegExp(placeholders.join('|'), 'g')
  return mapEntryTexts(entry, (text) => text.replace(pattern, (found) => values.get(found) ?? found))
}

/** With the fence of Markdown around it, or without the braces: READMEs show both. */
function readSnippet(text: string): JsonTree {
  const fenced = /^\s*(?:```|~~~)[^\n]*\n([\s\S]*?)\n?\s*(?:```|~~~)\s*$/.exec(text)
  // The line of the fence stays, so that line numbers are those of what was pasted.
  const plain = (fenced ? `\n${fenced[1]}` : text).replace(/^\uFEFF/, '')
  if (!plain.trimStart().startsWith('"')) return readJsonTree(plain)
  return readJsonTree(`{${plain.trimEnd().replace(/,$/, '')}}`)
}

function isEntry(node: JsonNode): boolean {
  return ['command', 'url'].some((key) => memberOf(node, key)?.kind === 'value')
}

/** `mcp.servers` is how VS Code's settings.json had it. */
function listOf(root: JsonNode): JsonNode {
  return (
    memberOf(root, 'mcpServers') ??
    memberOf(root, 'servers') ??
    memberOf(memberOf(root, 'mcp'), 'servers') ??
    root
  )
}

function bareEntry(root: JsonNode, inputs: ReadonlyMap<string, ValueToFillIn>): ImportedSnippet {
  const { entry, faults } = parseEntry(root, source.scope)
  return {
    entries: entry ? [{ name: undefined, line: root.line, ...prepare(entry, inputs) }] : [],
    faults: faults.map(({ line, reason }) => ({ line, reason: `${reason}.` })),
  }
}

/** VS Code's `inputs`: what it would ask for, by `${input:id}`. */
function inputsOf(root: JsonNode): Map<string, ValueToFillIn> {
  const list = memberOf(root, 'inputs') ?? memberOf(memberOf(root, 'mcp'), 'inputs')
  const inputs = new Map<string, ValueToFillIn>()
  for (const node of list?.kind === 'array' ? list.items.slice(0, 256) : []) {
    const [id, description, password] = ['id', 'description', 'password'].map((key) => {
      const value = memberOf(node, key)
      return value?.kind === 'value' ? value.value : undefined
    })
    if (typeof id !== 'string' || id === '') continue
    const placeholder = `\${input:${id}}`
    const words = typeof description === 'string' && description !== '' ? description : id
    inputs.set(placeholder, { placeholder, description: words.slice(0, 500), secret: password === true })
  }
  return inputs
}

function prepare(
  entry: McpEntry,
  inputs: ReadonlyMap<string, ValueToFillIn>,
): Pick<ImportedEntry, 'entry' | 'toFillIn'> {
  // `${env:NAME}` is VS Code's and Cursor's word for `${NAME}`.
  const ours = mapEntryTexts(entry, (text) =>
    text.replace(/\$\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${${name}}`),
  )
  return { entry: ours, toFillIn: placeholdersOf(ours, inputs) }
}

function placeholdersOf(entry: McpEntry, inputs: ReadonlyMap<string, ValueToFillIn>): ValueToFillIn[] {
  const found = new Map<string, ValueToFillIn>()
  const note = (text: string, where: string, secret: boolean) => {
    for (const [placeholder, id = ''] of text.matchAll(
      /\$\{((?:input|command):[^}]{1,200}|workspaceFolder|userHome)\}/g,
    )) {
      const description = `${where}: ${id.replace(/^\w+:/, '')}`
      found.set(placeholder, inputs.get(placeholder) ?? { placeholder, description, secret })
    }
    for (const [placeholder] of text.matchAll(/<[A-Za-z][\w .-]{1,100}>|\b(?:YOUR|your)[-_][\w-]{2,100}/g)) {
      if (!found.has(placeholder)) found.set(placeholder, { placeholder, description: where, secret })
    }
  }
  const pairs = entry.type === 'stdio' ? entry.env : entry.headers
  for (const [name, value] of Object.entries(pairs)) note(value, name, true)
  if (entry.type === 'stdio') {
    for (const text of [entry.command, ...entry.args, entry.cwd ?? '']) note(text, 'An argument', false)
  } else note(entry.url, 'The address', false)
  return [...found.values()]
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function failed(reason: string, line?: number): ImportedSnippet {
  return { entries: [], faults: [{ ...(line !== undefined && { line }), reason }] }
}

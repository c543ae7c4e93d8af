/** One covered file → its items: hashed whole, and described for people with secrets masked. Pure but for the seal. */
import type { TrustKind } from '@dorkos/shared'
import type { McpEntry } from '../mcp/found-server.ts'
import { type JsonNode, memberOf, nodeAt, readJsonTree } from '../mcp/json-tree.ts'
import { MASK } from '../mcp/mask-entry.ts'
import { parseEntry } from '../mcp/parse-entry.ts'
import type { CoveredItem } from '../ports/trust.ts'
import { markdownCommands } from './markdown-commands.ts'
import { maskCommand, maskLines, maskWords } from './mask-text.ts'
import { exactJson, maskedJson } from './masked-json.ts'
import {
  loadedByVariables,
  type SettingsCommand,
  settingsCommands,
  shownCommand,
} from './settings-commands.ts'

export interface CoveredFile {
  kind: TrustKind
  /** Relative to the workspace. */
  path: string
  /** Where it leads, when it is a link. */
  link?: string
  content: Buffer
}

export interface DescribedFile {
  items: CoveredItem[]
  commands: (SettingsCommand & { cwd?: string })[]
  /** From which plugins would be loaded. */
  folders?: string[]
  /** Why nobody can know what it would run: those who load it read it in their own way. */
  fault?: string
}

/** HMAC with the installation's key. */
export type Seal = (...parts: (string | Buffer)[]) => string

const MAX_TEXT = 16 * 1024
const MAX_RUNS = 200

/** Without `texts`, items are no more than their digest. */
export function describeFile(file: CoveredFile, seal: Seal, texts: boolean): DescribedFile {
  const described = describe(file, seal, texts)
  if (texts) return described
  const items = described.items.map(({ kind, path, name, digest }) => ({
    kind,
    path,
    ...(name !== undefined && { name }),
    digest,
    runs: [],
    secrets: {},
  }))
  return { ...described, items }
}

function describe(file: CoveredFile, seal: Seal, texts: boolean): DescribedFile {
  const isRead = file.kind === 'server' || file.kind === 'settings'
  if (!isRead) return describeOther(file, seal, texts)
  const text = textOf(file.content)
  if (text === undefined) return unread(file, seal, notText)
  if (text.trim() === '') return unread(file, seal)
  const { root, problem } = readJsonTree(text)
  if (!root || problem)
    return unread(
      file,
      seal,
      `It is not JSON (line ${problem?.line ?? 1}: ${problem?.message ?? 'empty'}); mend it.`,
    )
  try {
    return file.kind === 'server'
      ? describeServers(file, root, seal, texts)
      : describeSettings(file, root, seal, texts)
  } catch {
    return unread(file, seal, 'It is nested too deeply to be looked through; make it flatter.')
  }
}

const notText = 'It is not clean UTF-8 text, so what it would run cannot be shown; save it as UTF-8.'

function unread(file: CoveredFile, seal: Seal, fault?: string): DescribedFile {
  const items = [item(file, seal, { text: textOf(file.content), commands: [] })]
  return { items, commands: [], ...(fault !== undefined && { fault }) }
}

function describeOther(file: CoveredFile, seal: Seal, texts: boolean): DescribedFile {
  const isLoaded = isMarkdown(file.path) && file.kind === 'file'
  const text = texts || isMarkdown(file.path) ? textOf(file.content) : undefined
  if (isLoaded && text === undefined) return unread(file, seal, notText)
  const commands = text !== undefined && isMarkdown(file.path) ? markdownCommands(text) : []
  const shown = texts ? { text, commands } : { commands: [] }
  return { items: [item(file, seal, shown)], commands }
}

const isMarkdown = (path: string) => /\.md$/i.test(path)

function describeSettings(file: CoveredFile, root: JsonNode, seal: Seal, texts: boolean): DescribedFile {
  const commands = settingsCommands(root)
  const base = item(file, seal, { commands: texts ? commands : [] })
  return {
    items: [texts ? { ...base, ...masked(root, seal) } : base],
    commands,
    folders: marketplaceFolders(root),
  }
}

function masked(node: JsonNode, seal: Seal): Pick<CoveredItem, 'text' | 'cut' | 'secrets'> {
  const { text, secrets } = maskedJson(node, seal)
  return { ...cutText(text), secrets }
}

function marketplaceFolders(root: JsonNode): string[] {
  const list = memberOf(root, 'extraKnownMarketplaces')
  if (list?.kind !== 'object') return []
  return list.members.flatMap(({ node }) => {
    const path = nodeAt(node, ['source', 'path'])
    return path?.kind === 'value' && typeof path.value === 'string' ? [path.value] : []
  })
}

/** Each entry is an item of its own. A file without any is one, whole. */
function describeServers(file: CoveredFile, root: JsonNode, seal: Seal, texts: boolean): DescribedFile {
  const list = memberOf(root, 'mcpServers')
  if (list?.kind !== 'object') return unread(file, seal)
  const names = [...new Set(list.members.map(({ key }) => key))]
  const described = names.map((name) => {
    // Of a name that stands there twice the last counts; a change of the other is a change all the same.
    const nodes = list.members.filter(({ key }) => key === name).flatMap(({ node }) => (node ? [node] : []))
    return describeServer({ ...file, name }, nodes, seal, texts)
  })
  return {
    items: described.flatMap(({ items }) => items),
    commands: described.flatMap(({ commands }) => commands),
  }
}

function describeServer(
  file: CoveredFile & { name: string },
  nodes: JsonNode[],
  seal: Seal,
  texts: boolean,
): DescribedFile {
  const { name } = file
  const node = nodes.at(-1)
  const { entry } = node ? parseEntry(node, 'project') : { entry: undefined }
  const variables = loadedByVariables(nodeAt(node, ['env']))
  const content = Buffer.from(nodes.map(exactJson).join('\n'))
  const base = { ...item({ ...file, content }, seal, { commands: [], name }), name }
  const shown = texts && {
    runs: [...(entry ? launchOf(entry) : []), ...variables.map(shownCommand)],
    ...(node && masked(node, seal)),
  }
  const cwd = entry?.type === 'stdio' ? entry.cwd : undefined
  const words = entry?.type === 'stdio' ? [entry.command, ...entry.args] : []
  const commands = [{ when: name, texts: words }, ...variables].map((command) => ({
    ...command,
    ...(cwd !== undefined && { cwd }),
  }))
  return { items: [{ ...base, ...shown }], commands }
}

/** What would be started or reached. */
function launchOf(entry: McpEntry): string[] {
  if (entry.type === 'stdio') return [argvText(maskWords([entry.command, ...entry.args]))]
  return [`connects to ${maskCommand(entry.url)}`]
}

/** So that nobody mistakes two arguments for one. */
function argvText(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./•${}-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}

function item(
  { kind, path, link, content }: CoveredFile,
  seal: Seal,
  about: { text?: string | undefined; commands: SettingsCommand[]; name?: string },
): CoveredItem {
  const digest = seal(JSON.stringify([kind, path, about.name ?? null, link ?? null]), content)
  const runs = about.commands.map(shownCommand)
  const shown =
    runs.length > MAX_RUNS ? [...runs.slice(0, MAX_RUNS), `… and ${runs.length - MAX_RUNS} more`] : runs
  const base: CoveredItem = { kind, path, digest, runs: shown, secrets: {} }
  if (about.text === undefined) return base
  // A little more than is kept: what is cut off in the middle of a secret would not be known for one.
  const cut = about.text.length > 2 * MAX_TEXT
  const lines = cut ? about.text.slice(0, 2 * MAX_TEXT) : about.text
  const text = maskLines(lines, path.split('/').at(-1) ?? '')
  const secrets = text.includes(MASK) ? { '': seal(about.text) } : {}
  return { ...base, ...cutText(text), ...(cut && { cut }), secrets }
}

function cutText(text: string): { text: string; cut?: true } {
  return text.length > MAX_TEXT ? { text: text.slice(0, MAX_TEXT), cut: true } : { text }
}

/** Undefined for what is no text. */
function textOf(content: Buffer): string | undefined {
  if (content.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

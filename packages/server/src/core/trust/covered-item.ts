/** One covered file → its items: hashed whole, and described for people with secrets masked. Pure but for the seal. */
import type { TrustKind } from '@dorkos/shared'
import { type JsonNode, memberOf, nodeAt, readJsonTree } from '../mcp/json-tree.ts'
import { describeLaunch, MASK } from '../mcp/mask-entry.ts'
import { parseEntry } from '../mcp/parse-entry.ts'
import type { CoveredItem } from '../ports/trust.ts'
import { maskLines } from './mask-text.ts'
import { exactJson, maskedJson } from './masked-json.ts'
import {
  type FoundCommand,
  loadedByVariables,
  markdownCommands,
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
  commands: (FoundCommand & { cwd?: string })[]
  /** From which plugins would be loaded. */
  folders?: string[]
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
  try {
    if (file.kind === 'server') return describeServers(file, seal)
    if (file.kind === 'settings') return describeSettings(file, seal)
  } catch {
    // Nested more deeply than can be walked: nothing loads it, and it is hashed as it is.
  }
  const text = texts || isMarkdown(file.path) ? textOf(file.content) : undefined
  const commands = text !== undefined && isMarkdown(file.path) ? markdownCommands(text) : []
  const shown = texts ? { text, commands } : { commands: [] }
  return { items: [item(file, seal, shown)], commands }
}

const isMarkdown = (path: string) => /\.md$/i.test(path)

function describeSettings(file: CoveredFile, seal: Seal): DescribedFile {
  const { root, problem } = readJsonTree(textOf(file.content) ?? '')
  if (!root || problem)
    return { items: [item(file, seal, { text: textOf(file.content), commands: [] })], commands: [] }
  const commands = settingsCommands(root)
  const { text, secrets } = maskedJson(root, seal)
  const one = { ...item(file, seal, { commands }), ...cutText(text), secrets }
  return { items: [one], commands, folders: marketplaceFolders(root) }
}

function marketplaceFolders(root: JsonNode): string[] {
  const list = memberOf(root, 'extraKnownMarketplaces')
  if (list?.kind !== 'object') return []
  return list.members.flatMap(({ node }) => {
    const path = nodeAt(node, ['source', 'path'])
    return path?.kind === 'value' && typeof path.value === 'string' ? [path.value] : []
  })
}

/** Each entry is an item of its own. A file that is not JSON is one, whole. */
function describeServers(file: CoveredFile, seal: Seal): DescribedFile {
  const { root, problem } = readJsonTree(textOf(file.content) ?? '')
  const list = memberOf(root, 'mcpServers')
  if (problem || list?.kind !== 'object')
    return { items: [item(file, seal, { text: textOf(file.content), commands: [] })], commands: [] }
  const names = [...new Set(list.members.map(({ key }) => key))]
  const described = names.map((name) => {
    // Of a name that stands there twice the last counts; a change of the other is a change all the same.
    const nodes = list.members.filter(({ key }) => key === name).flatMap(({ node }) => (node ? [node] : []))
    return describeServer(file, name, nodes, seal)
  })
  return {
    items: described.flatMap(({ items }) => items),
    commands: described.flatMap(({ commands }) => commands),
  }
}

function describeServer(file: CoveredFile, name: string, nodes: JsonNode[], seal: Seal): DescribedFile {
  const node = nodes.at(-1)
  const { entry } = node ? parseEntry(node, 'project') : { entry: undefined }
  const { text, secrets } = node ? maskedJson(node, seal) : { text: '', secrets: {} }
  const launch = entry && describeLaunch(entry)
  const runs = !launch
    ? []
    : launch.type === 'stdio'
      ? [argvText(launch.argv)]
      : [`connects to ${launch.url}`]
  const content = Buffer.from(nodes.map(exactJson).join('\n'))
  const one: CoveredItem = {
    ...item({ ...file, content }, seal, { commands: [], name }),
    name,
    runs,
    ...cutText(text),
    secrets,
  }
  const cwd = entry?.type === 'stdio' ? entry.cwd : undefined
  const texts = entry?.type === 'stdio' ? [entry.command, ...entry.args] : []
  const variables = loadedByVariables(nodeAt(node, ['env']))
  const commands = [{ when: name, texts }, ...variables].map((command) => ({
    ...command,
    ...(cwd !== undefined && { cwd }),
  }))
  return { items: [one], commands }
}

/** So that nobody mistakes two arguments for one. */
function argvText(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./•${}-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}

function item(
  { kind, path, link, content }: CoveredFile,
  seal: Seal,
  about: { text?: string | undefined; commands: FoundCommand[]; name?: string },
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

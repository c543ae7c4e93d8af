/** The text of a file that lists MCP servers: servers with their line, and what is wrong with their line. */

import type { McpScope } from '@dorkos/shared'
import { foldServerName, serverNameFault } from '@dorkos/shared'
import type { FoundServer, PluginOrigin, SourceFault } from './found-server.ts'
import { type JsonMember, type JsonNode, nodeAt, readJsonTree, repeatedMembers } from './json-tree.ts'
import { parseEntry } from './parse-entry.ts'
import { shownName } from './server-name.ts'

/** What is read from. */
export interface EntrySource {
  file: string
  scope: McpScope
  plugin?: PluginOrigin
}

export interface ParseEntriesInput extends EntrySource {
  text: string
  /** The keys that lead to the servers; `['mcpServers']` unless given. */
  at?: readonly string[]
  /** Where those keys are not there, the whole file is the list: so may it be in a plugin's `.mcp.json`. */
  orTop?: boolean
}

export interface ParsedEntries {
  servers: FoundServer[]
  faults: SourceFault[]
}

const MAX_SERVERS = 256

export function parseEntries(input: ParseEntriesInput): ParsedEntries {
  const path = input.at ?? ['mcpServers']
  const { root, problem } = readJsonTree(input.text, input.orTop ? undefined : [path])
  if (problem) return { servers: [], faults: [syntaxFault(input, problem)] }
  if (root?.kind !== 'object') {
    const fault = { file: input.file, scope: input.scope, line: root?.line ?? 1 }
    return { servers: [], faults: [{ ...fault, reason: 'The file must hold one object: { … }.' }] }
  }
  const list = nodeAt(root, path) ?? (input.orTop ? root : undefined)
  const parsed = list ? entriesOf(list, input) : { servers: [], faults: [] }
  // Of the keys that lead to the list: a list that stands there twice is one list too many.
  const unseen = path.flatMap((key, depth) => {
    const above = nodeAt(root, path.slice(0, depth))
    return above ? repeatedMembers(above).filter((member) => member.key === key) : []
  })
  return { servers: parsed.servers, faults: [...parsed.faults, ...unseen.map((one) => twice(one, input))] }
}

/** What is wrong with a text that is not JSON. */
export function syntaxFault(
  source: EntrySource,
  problem: { line: number; column: number; message: string },
): SourceFault {
  const { line, column, message } = problem
  const reason = `The file is not JSON: in line ${line}, column ${column}, ${message}.`
  return { file: source.file, scope: source.scope, line, column, reason }
}

/** The servers of one object in a file. Each entry stands for itself: a broken one takes no other with it. */
export function entriesOf(list: JsonNode, source: EntrySource): ParsedEntries {
  const { file, scope, plugin } = source
  if (list.kind !== 'object') {
    const reason = 'The list of servers must be an object: { "name": { … } }.'
    return { servers: [], faults: [{ file, scope, line: list.line, reason }] }
  }
  const repeated = new Set(repeatedMembers(list))
  const servers: FoundServer[] = []
  const faults: SourceFault[] = []
  const byFolded = new Map<string, FoundServer>()
  const fail = (member: JsonMember, reason: string, line = member.line) =>
    faults.push({ file, line, scope, name: shownName(member.key), reason: sentence(member.key, reason) })

  for (const [index, member] of list.members.entries()) {
    if (index >= MAX_SERVERS) {
      faults.push({
        file,
        line: member.line,
        scope,
        reason: `Only the first ${MAX_SERVERS} servers of a file are read.`,
      })
      break
    }
    if (repeated.has(member)) {
      faults.push(twice(member, source))
      continue
    }
    const name = plugin ? `plugin:${plugin.name}:${member.key}` : member.key
    const wrongName = serverNameFault(member.key, name)
    if (wrongName) {
      fail(member, wrongName)
      continue
    }
    const parsed = parseEntry(member.node ?? list, scope)
    for (const { line, reason } of parsed.faults) fail(member, reason, line)
    if (!parsed.entry) continue
    const same = byFolded.get(foldServerName(name))
    if (same) {
      fail(
        member,
        `to Claude Code it has the same name as ${shownName(same.name)} in line ${same.line}; rename one`,
      )
      continue
    }
    const server: FoundServer = {
      name,
      scope,
      file,
      line: member.line,
      entry: parsed.entry,
      ...(plugin && { plugin }),
    }
    byFolded.set(foldServerName(name), server)
    servers.push(server)
  }
  return { servers, faults }
}

function twice(member: JsonMember, { file, scope }: EntrySource): SourceFault {
  const reason = sentence(
    member.key,
    'it stands there again further down, and the last one counts; remove one',
  )
  return { file, line: member.line, scope, name: shownName(member.key), reason }
}

function sentence(name: string, reason: string): string {
  return `${shownName(name) || 'A server without a name'}: ${reason}.`
}

/** Files of one reading: remembers which were looked for, and what was wrong with them. */

import { createHash } from 'node:crypto'
import type { McpScope } from '@dorkos/shared'
import type { SourceFault } from '../../core/mcp/found-server.ts'
import { type JsonNode, readJsonTree } from '../../core/mcp/json-tree.ts'
import {
  type ParsedEntries,
  type ParseEntriesInput,
  parseEntries,
  syntaxFault,
} from '../../core/mcp/parse-entries.ts'
import { type FileText, readSourceFile } from './read-source-file.ts'

const MIB = 1024 * 1024
export const MAX_BYTES = 2 * MIB
/** The CLI keeps much more in `.claude.json` than servers. */
export const MAX_CLAUDE_BYTES = 32 * MIB

export interface SourceFile {
  file: string
  scope: McpScope
  /** The folder that the file must lie in. */
  within?: string
  maxBytes?: number
}

/** `root` is what could be read; `broken` says that this may not be all. */
export interface ReadTree {
  root: JsonNode | undefined
  broken: boolean
}

export class SourceFiles {
  readonly inspected = new Set<string>()
  /** SHA-256 of files with entries, in hex. */
  readonly hashes = new Map<string, string>()
  readonly faults: SourceFault[] = []

  async tree(source: SourceFile, wanted?: readonly (readonly string[])[]): Promise<ReadTree> {
    const read = await this.#read(source)
    if (read.state === 'absent') return { root: undefined, broken: false }
    if (read.state === 'refused') return { root: undefined, broken: true }
    const { root, problem } = readJsonTree(read.text, wanted)
    if (problem) this.faults.push(syntaxFault(source, problem))
    else if (root?.kind !== 'object') {
      const { file, scope } = source
      this.faults.push({
        file,
        scope,
        line: root?.line ?? 1,
        reason: 'The file must hold one object: { … }.',
      })
    }
    return { root, broken: problem !== undefined || root?.kind !== 'object' }
  }

  /** No servers where there is no file. */
  async entries(source: SourceFile & Omit<ParseEntriesInput, 'text'>): Promise<ParsedEntries['servers']> {
    const read = await this.#read(source)
    if (read.state !== 'read') return []
    this.hashes.set(source.file, createHash('sha256').update(read.bytes).digest('hex'))
    return this.keep(parseEntries({ ...source, text: read.text }))
  }

  keep(parsed: ParsedEntries): ParsedEntries['servers'] {
    this.faults.push(...parsed.faults)
    return parsed.servers
  }

  async #read({ file, scope, within, maxBytes }: SourceFile): Promise<FileText> {
    this.inspected.add(file)
    const read = await readSourceFile(file, {
      maxBytes: maxBytes ?? MAX_BYTES,
      ...(within !== undefined && { within }),
    })
    if (read.state === 'refused') this.faults.push({ file, scope, reason: read.reason })
    // In workspaces sandboxes keep the place of what is not there with an empty file.
    if (within !== undefined && read.state === 'read' && read.bytes.length === 0) return { state: 'absent' }
    return read
  }
}

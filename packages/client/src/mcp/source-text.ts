/** Where a server comes from, in words. Pure. */

import type { McpServer } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import { serverWords } from '../text/server-words.ts'
import { isModules } from './server-state.ts'

type Source = Pick<McpServer['source'], 'file'> & { line?: number | undefined }

/** `file:line`, whole: it is there to be opened. */
export function locationOf({ file, line }: Source): string {
  return line === undefined ? file : `${file}:${line}`
}

/** The last parts of a path, for where there is no room for all of it. */
export function shortLocation(source: Source, parts = 2): string {
  const folders = source.file.split('/')
  const short = folders.length > parts + 1 ? `…/${folders.slice(-parts).join('/')}` : source.file
  return source.line === undefined ? short : `${short}:${source.line}`
}

/** Where an entry stands; of tool modules, their folder. */
export function sourceOf(server: McpServer): Source {
  return isModules(server) ? { file: server.source.file } : server.source
}

export function scopeWord({ scope, plugin }: McpServer['source']): string {
  const word = text.mcp.scopes[scope]
  return plugin === undefined ? word : `${word} ${plugin}`
}

/** Why sessions do not get it, as a sentence. */
export function whyUnused(server: McpServer): string {
  if (server.overridden_by)
    return text.mcp.overriddenBy(scopeWord(server.overridden_by), locationOf(server.overridden_by))
  if (server.message !== undefined) return serverWords(server.said, server.message)
  return server.reason ?? text.mcp.unusedUnknown
}

/** Faults of an entry begin with its name; it is shown once. */
export function faultText({ name, message }: { name?: string | undefined; message: string }): string {
  return name === undefined || message.startsWith(`${name}:`) ? message : `${name}: ${message}`
}

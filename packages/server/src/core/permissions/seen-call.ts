/** A tool call as the gateway sees it: what rules compare, which paths it names, and its hash. */

import { homedir } from 'node:os'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { canonicalJson } from '@dorkos/mcp-gateway'
import { realPath } from '../real-path.ts'
import { hashText } from './input-hash.ts'
import { fileTools, isMcpTool } from './tool-names.ts'

export interface SeenCall {
  tool: string
  input: Record<string, unknown>
  /** Canonical JSON of the input, and its hash. */
  json: string
  hash: string
  /** What an allowing rule compares: the command, the file that the path really leads to, or the whole input. */
  subject: string
  /** What denying and asking rules compare: the same, in every form in which it was given. */
  subjects: readonly string[]
  /** Every path in the input, as it was meant and where it leads. */
  paths: readonly { meant: string; real: string }[]
}

/** Throws when the input cannot be inspected; the caller then denies. */
export async function inspectCall(
  tool: string,
  input: Record<string, unknown>,
  cwd: string,
): Promise<SeenCall> {
  const json = canonicalJson(input)
  const meant = namedPaths(tool, input, cwd)
  const paths = await Promise.all(
    meant.map(async (path) => ({ meant: path, real: await leadsTo(tool, path) })),
  )
  return { tool, input, json, hash: hashText(json), paths, ...subjectOf(tool, input, json, cwd, paths) }
}

/** What a tool of an MCP server calls `path` may be none; that it cannot be followed says nothing then. */
async function leadsTo(tool: string, path: string): Promise<string> {
  try {
    return await realPath(path)
  } catch (error) {
    if (isMcpTool(tool)) return path
    throw error
  }
}

function subjectOf(
  tool: string,
  input: Record<string, unknown>,
  json: string,
  cwd: string,
  paths: SeenCall['paths'],
): Pick<SeenCall, 'subject' | 'subjects'> {
  if (tool === 'Bash' && typeof input.command === 'string') {
    return { subject: input.command, subjects: [input.command, input.command.trim()] }
  }
  const file = input[fileTools.get(tool) ?? '']
  if (typeof file === 'string' && file.trim()) {
    const meant = absolute(file, cwd)
    const real = paths.find((path) => path.meant === meant)?.real
    if (real !== undefined) return { subject: real, subjects: [real, meant, file] }
  }
  return { subject: json, subjects: [json] }
}

/** The keys under which the CLI's file tools take paths. Checked in every tool: a match can only make it stricter. */
const pathKeys = ['file_path', 'path', 'notebook_path'] as const

function namedPaths(tool: string, input: Record<string, unknown>, cwd: string): string[] {
  const named = pathKeys
    .map((key) => input[key])
    .filter((path): path is string => typeof path === 'string' && path.trim() !== '')
    .map((path) => absolute(path, cwd))
  if (tool === 'Glob' && typeof input.pattern === 'string') {
    named.push(absolute(folderOfGlob(input.pattern), named[0] ?? cwd))
  }
  return [...new Set(named)]
}

/** The CLI trims paths and takes `~` for the home folder. */
function absolute(path: string, cwd: string): string {
  const trimmed = path.trim()
  if (trimmed === '~' || trimmed.startsWith('~/')) return join(homedir(), trimmed.slice(1))
  return isAbsolute(trimmed) ? resolve(trimmed) : resolve(cwd, trimmed)
}

function folderOfGlob(pattern: string): string {
  const fixed = pattern.split(sep)
  const wild = fixed.findIndex((part) => /[*?[{]/.test(part))
  return (wild < 0 ? fixed : fixed.slice(0, wild)).join(sep) || (pattern.startsWith(sep) ? sep : '.')
}

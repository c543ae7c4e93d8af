/** Which tool calls may change files. What is not known to be harmless may. */
import { isAbsolute, resolve } from 'node:path'
import { changesFiles, fileTools, harmlessTools, kindOf, readsFiles } from '../permissions/tool-names.ts'

const others: ReadonlySet<string> = new Set([
  ...['WebFetch', 'WebSearch', 'BashOutput', 'KillShell', 'KillBash'],
  ...['ListMcpResourcesTool', 'ReadMcpResourceTool'],
])

export function mayWrite(tool: string): boolean {
  if (readsFiles(tool) || harmlessTools.has(tool) || others.has(tool)) return false
  return kindOf(tool) === 'tool' && !tool.startsWith('mcp__dorkos__')
}

/** The file that a tool writes by its own word, absolute. */
export function writtenPath(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
): string | undefined {
  if (!changesFiles(tool)) return undefined
  const path = input[fileTools.get(tool) ?? '']
  if (typeof path !== 'string' || path.trim() === '') return undefined
  return isAbsolute(path.trim()) ? resolve(path.trim()) : resolve(cwd, path.trim())
}

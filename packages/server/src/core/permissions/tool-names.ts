/** Names that the permission gateway treats in a way of their own. */
import type { ApprovalKind } from '@dorkos/shared'

/** Harmless tools of DorkOS's own: in modes that ask less they run unasked. */
export const seedTools: ReadonlySet<string> = new Set([
  'mcp__dorkos__ping',
  'mcp__dorkos__get_server_info',
  'mcp__dorkos__get_session_count',
])

/** Of DorkOS's own: what they leave is shown to a person, who decides then. Nobody is asked before, in any mode. */
export const proposingTools: ReadonlySet<string> = new Set(['mcp__dorkos__propose_commit_message'])

/** Never without a person's answer to the very call, in any mode and whatever the rules. */
export const alwaysAskTools: ReadonlySet<string> = new Set(['mcp__dorkos__set_config'])

/** Through which an answer of a given form comes: it does nothing else. */
export const answerTool = 'StructuredOutput'

/** What an elicitation is called where a tool's name is due. */
export const elicitationTool = 'elicitation'

const kinds: ReadonlyMap<string, ApprovalKind> = new Map([
  ['AskUserQuestion', 'question'],
  ['ExitPlanMode', 'plan'],
  [elicitationTool, 'elicitation'],
])

export function kindOf(tool: string): ApprovalKind {
  return kinds.get(tool) ?? 'tool'
}

/** Whether a rule can allow it: not what is put to a person, nor what always asks. */
export function canBeAllowedByRule(tool: string): boolean {
  return kindOf(tool) === 'tool' && !alwaysAskTools.has(tool)
}

/** Tools of MCP servers, DorkOS's own among them. */
export function isMcpTool(tool: string): boolean {
  return tool.startsWith('mcp__')
}

/** The input's key that names the file which a tool reads or changes. */
export const fileTools: ReadonlyMap<string, string> = new Map([
  ['Read', 'file_path'],
  ['Write', 'file_path'],
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
  ['NotebookRead', 'notebook_path'],
])

/** Tools that only read files. */
export function readsFiles(tool: string): boolean {
  return ['Read', 'NotebookRead', 'Glob', 'Grep', 'LS'].includes(tool)
}

/** Tools that hand a command to a shell. */
export function runsCommands(tool: string): boolean {
  return ['Bash', 'PowerShell', 'Monitor'].includes(tool)
}

/** Built-in tools that no mode asks about, and that run nothing. A subagent's own calls pass the gateway one by one. */
export const harmlessTools: ReadonlySet<string> = new Set([
  ...['TodoWrite', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'TaskOutput', 'TaskStop'],
  ...['Agent', 'Task', 'Skill', 'ToolSearch', 'EnterPlanMode', 'StructuredOutput', 'ReportFindings'],
])

/** Tools that write files by themselves, and not through a command. */
export function changesFiles(tool: string): boolean {
  return fileTools.has(tool) && !tool.endsWith('Read')
}

/** The CLI's own tools by name (2.1.325): a profile that names another would have that one dropped without a word. */

/** That DorkOS gives to sessions. */
const offered: ReadonlySet<string> = new Set([
  ...[
    'Agent',
    'Task',
    'AskUserQuestion',
    'Bash',
    'Edit',
    'EnterPlanMode',
    'ExitPlanMode',
    'Glob',
    'Grep',
    'Monitor',
  ],
  ...['NotebookEdit', 'Read', 'ReportFindings', 'Skill', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'],
  ...['TaskOutput', 'TaskStop', 'TodoWrite', 'ToolSearch', 'WebFetch', 'WebSearch', 'Workflow', 'Write'],
])

/** That no session gets: they begin turns that nobody caused, or leave the session's folder. */
const withheld: ReadonlySet<string> = new Set([
  ...['CronCreate', 'CronDelete', 'CronList', 'ScheduleWakeup', 'SendMessage', 'ListAgents'],
  ...['EnterWorktree', 'ExitWorktree'],
])

export const isMcpName = (tool: string) => tool.startsWith('mcp__')

/** Why a built-in tool cannot be named; undefined where it can. */
export function builtInToolFault(tool: string): string | undefined {
  if (offered.has(tool)) return undefined
  if (withheld.has(tool)) return `DorkOS gives the tool ‘${tool}’ to no session`
  const meant = [...offered].find((name) => name.toLowerCase() === tool.toLowerCase())
  return meant ? `there is no tool ‘${tool}’; ‘${meant}’ is meant` : `there is no tool ‘${tool}’`
}

import type { Risk } from '@dorkos/shared'

const risks: ReadonlyMap<string, Risk> = new Map<string, Risk>([
  ...(
    ['Read', 'NotebookRead', 'Glob', 'Grep', 'LS', 'TodoWrite', 'ListAgents', 'AskUserQuestion'] as const
  ).map((tool): [string, Risk] => [tool, 'read']),
  ...(
    ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'ExitPlanMode', 'EnterWorktree', 'ExitWorktree'] as const
  ).map((tool): [string, Risk] => [tool, 'write']),
  ...(['Bash', 'PowerShell', 'Monitor', 'Task', 'Agent', 'Skill', 'Workflow', 'CronCreate'] as const).map(
    (tool): [string, Risk] => [tool, 'execute'],
  ),
  ...(['WebFetch', 'WebSearch', 'SandboxNetworkAccess'] as const).map((tool): [string, Risk] => [
    tool,
    'network',
  ]),
  ...(
    [
      'ping',
      'get_server_info',
      'get_session_count',
      'list_sessions',
      'get_session_details',
      'list_active_sessions',
      'get_config',
      'get_costs',
      'propose_commit_message',
    ] as const
  ).map((tool): [string, Risk] => [`mcp__dorkos__${tool}`, 'read']),
  ['mcp__dorkos__set_config', 'admin'],
])

/** Files that a program runs or obeys later: who writes them decides what will be executed. */
const runLater =
  /(^|\/)(\.claude(\/|$)|\.git\/|\.mcp\.json$|\.ssh\/|\.(bash|zsh)(rc|_profile|env)$|\.profile$|\.npmrc$|\.envrc$|\.husky\/|\.github\/workflows\/|\.vscode\/|Makefile$|package\.json$)/

/** What a call can do if it goes wrong. A tool that is not known is `unknown`, never harmless. */
export function riskOf(tool: string, input: Record<string, unknown>): Risk {
  const risk = risks.get(tool) ?? 'unknown'
  if (risk !== 'write') return risk
  const path = input.file_path ?? input.notebook_path
  return typeof path === 'string' && runLater.test(path) ? 'execute' : risk
}

/** Answers and lists that are the same in every scenario, in the shapes of CLI 2.1.325, shortened. */
import type { JsonObject } from './scenario.ts'

export const builtinTools = [
  'Task',
  'AskUserQuestion',
  'Bash',
  'Edit',
  'ExitPlanMode',
  'NotebookEdit',
  'Read',
  'Skill',
  'TaskStop',
  'WebFetch',
  'WebSearch',
  'Write',
]

export const permissionModes = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan']

const effortLevels = ['low', 'medium', 'high', 'xhigh', 'max']

export const models = [
  {
    value: 'default',
    resolvedModel: 'claude-opus-5-5',
    displayName: 'Default (recommended)',
    description: 'Use the default model (currently Opus 5.5)',
    supportsEffort: true,
    supportedEffortLevels: effortLevels,
  },
  {
    value: 'opus',
    resolvedModel: 'claude-opus-5-5',
    displayName: 'Opus',
    description: 'Opus 5.5 · Best for everyday, complex tasks',
    supportsEffort: true,
    supportedEffortLevels: effortLevels,
  },
]

const commands = [
  { name: 'compact', description: 'Summarise the conversation so far', argumentHint: '', builtin: true },
  { name: 'clear', description: 'Start a new conversation', argumentHint: '', builtin: true },
]

const agents = [
  { name: 'claude', description: 'Catch-all for any task.' },
  { name: 'Explore', description: 'Fast read-only search agent.', model: 'inherit' },
]

/** The unchanging part of the answer to `initialize`. */
export const initializeAnswer: JsonObject = {
  commands,
  agents,
  output_style: 'default',
  available_output_styles: ['default', 'Concise', 'Explanatory', 'Learning'],
  models,
  account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' },
  hook_on_failure_supported: true,
  analytics_disabled: true,
  fast_mode_state: 'off',
  capabilities: ['ui_surface_v1', 'mcp_call_check_permissions_v1'],
}

/** The unchanging part of `system/init`. */
export const initFields: JsonObject = {
  slash_commands: commands.map((command) => command.name),
  apiKeySource: 'ANTHROPIC_API_KEY',
  output_style: 'default',
  agents: agents.map((agent) => agent.name),
  skills: [],
  plugins: [],
  capabilities: [
    'interrupt_receipt_v1',
    'interrupt_cancel_queued_v1',
    'msg_lifecycle_v1',
    'sdk_mcp_tools_list_changed',
    'sdk_mcp_manifests',
  ],
  fast_mode_state: 'off',
}

export const contextUsage: JsonObject = {
  categories: [
    { id: 'system_tools', name: 'System tools', tokens: 18010, color: 'inactive', kind: 'used' },
    { id: 'messages', name: 'Messages', tokens: 291, color: 'purple_FOR_SUBAGENTS_ONLY', kind: 'used' },
    { id: 'free_space', name: 'Free space', tokens: 981699, color: 'promptBorder', kind: 'free' },
  ],
  totalTokens: 18301,
  maxTokens: 1000000,
  rawMaxTokens: 1000000,
  percentage: 2,
}

export const tokenUsage = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 20,
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
}

export const rejection =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
  'the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.'

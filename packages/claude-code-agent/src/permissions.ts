/** Types of the permission callback, with the official names, and what our side makes of its answers. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions' | 'dontAsk' | 'auto'

export type PermissionBehavior = 'allow' | 'deny' | 'ask'

export type PermissionUpdateDestination =
  | 'userSettings'
  | 'projectSettings'
  | 'localSettings'
  | 'session'
  | 'cliArg'

export interface PermissionRuleValue {
  toolName: string
  ruleContent?: string
}

/** A change of the CLI's rules that goes with an answer. `session` lasts as long as the process. */
export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules'
      rules: PermissionRuleValue[]
      behavior: PermissionBehavior
      destination: PermissionUpdateDestination
    }
  | { type: 'setMode'; mode: PermissionMode; destination: PermissionUpdateDestination }
  | {
      type: 'addDirectories' | 'removeDirectories'
      directories: string[]
      destination: PermissionUpdateDestination
    }

/** What the CLI proposes as "always allow"; hand one back in `updatedPermissions` to accept it. */
export type PermissionSuggestion = PermissionUpdate

export type PermissionResult =
  | {
      behavior: 'allow'
      /** Runs the tool with this input instead. */
      updatedInput?: Record<string, unknown>
      updatedPermissions?: PermissionUpdate[]
      toolUseID?: string
      decisionClassification?: string
    }
  | {
      behavior: 'deny'
      /** Given to the model. */
      message: string
      /** Ends the turn as well. */
      interrupt?: boolean
      toolUseID?: string
      decisionClassification?: string
    }

export interface PermissionContext {
  /** Aborted when the CLI withdraws the question, the callback times out, or the session ends. */
  signal: AbortSignal
  suggestions: PermissionSuggestion[]
  /** The id of the tool call, `toolu_…`. */
  toolUseId: string
  /** The same under the official name. */
  toolUseID: string
  requestId: string
  /** Why the CLI asks, where it says so. */
  decisionReason?: string
  /** The path outside the workspace that the tool wants to touch. */
  blockedPath?: string
  displayName?: string
  description?: string
  title?: string
  /** Set when a subagent asks. */
  agentID?: string
  /** A question to a person (`AskUserQuestion`), to be answered through `updatedInput.answers`. */
  requiresUserInteraction?: boolean
}

export type CanUseToolCallback = (
  toolName: string,
  toolInput: Record<string, unknown>,
  context: PermissionContext,
) => Promise<PermissionResult> | PermissionResult

/**
 * The CLI's suggestions for this session alone. Handed back as they came, they may be written to settings files and
 * hold for ever.
 */
export function forThisSession(suggestions: readonly PermissionSuggestion[]): PermissionUpdate[] {
  return suggestions.map((suggestion) => ({ ...suggestion, destination: 'session' }))
}

/**
 * The permission callback and the hooks of a session. Every call passes `PreToolUse`, whatever the mode; what the CLI asks
 * about comes to `canUseTool`. Whatever goes wrong here means no.
 */
import type {
  HookConfigurations,
  HookEvent,
  HookInput,
  HookMatcher,
  HookOutput,
  PermissionResult,
  SessionOptions,
} from 'claude-code-agent'
import type { AgentHandlers, AgentHook, ToolCallVerdict } from '../../core/ports/agent.ts'
import { type CommandRules, proposedCommandRule } from './command-rules.ts'

/** A week, longer than any deadline of an approval: past its timeout a hook denies, and the CLI says nothing of why. */
const hookSeconds = 7 * 24 * 60 * 60

export function permissionOptions(
  handlers: AgentHandlers,
  hooks: readonly AgentHook[],
  commandRules: CommandRules,
): Pick<SessionOptions, 'canUseTool' | 'hooks' | 'onElicitation'> {
  return {
    canUseTool: async (tool, input, context): Promise<PermissionResult> => {
      const { toolUseId, agentID, signal, decisionReason, description, suggestions } = context
      const reason = decisionReason ?? description
      const answer = await handlers.onPermission({
        toolCallId: toolUseId,
        tool,
        input,
        reason,
        agentId: agentID,
        commandRule: proposedCommandRule(tool, suggestions),
        signal,
      })
      if (answer.behavior === 'deny') return answer
      const { permissionMode } = answer
      return {
        behavior: 'allow',
        updatedInput: answer.updatedInput,
        ...(permissionMode && {
          updatedPermissions: [{ type: 'setMode', mode: permissionMode, destination: 'session' }],
        }),
      }
    },
    hooks: hookOptions(handlers, hooks, commandRules),
    onElicitation: ({ serverName, message, requestedSchema, url }, { signal }) =>
      handlers.onElicitation({ server: serverName, message, schema: requestedSchema, url, signal }),
  }
}

function hookOptions(
  handlers: AgentHandlers,
  hooks: readonly AgentHook[],
  commandRules: CommandRules,
): HookConfigurations {
  const configured: HookConfigurations = {
    PreToolUse: [
      {
        hooks: [(input, id, { signal }) => beforeTool(handlers, commandRules, { input, id, signal })],
        timeout: hookSeconds,
        onFailure: 'block',
      },
    ],
    PostToolUse: afterTool(handlers),
    PostToolUseFailure: afterTool(handlers),
    // It is called for every prompt, whoever it comes from, before the model is asked (2.1.325).
    UserPromptSubmit: [
      {
        hooks: [
          ({ prompt }) => {
            const refused = handlers.onPrompt(typeof prompt === 'string' ? prompt : '')
            return refused === undefined ? {} : { decision: 'block', reason: refused }
          },
        ],
        onFailure: 'block',
      },
    ],
    UserPromptExpansion: [
      {
        hooks: [
          (input) => {
            handlers.onSkill(input)
            return {}
          },
        ],
        onFailure: 'block',
      },
    ],
    // What a settings file says counts from the next process on, which is made of what was checked then.
    ConfigChange: [
      {
        hooks: [
          async () => {
            await handlers.onSettingsChanged()
            return { decision: 'block', reason: 'DorkOS takes changed settings over with the next process.' }
          },
        ],
        onFailure: 'block',
      },
    ],
  }
  for (const { id, event, matcher } of hooks) {
    const one: HookMatcher = {
      ...(matcher !== '' && { matcher }),
      hooks: [(input, _, { signal }) => handlers.onHook(id, input, signal) as Promise<HookOutput>],
      timeout: hookSeconds,
    }
    const name = event as HookEvent
    configured[name] = [...(configured[name] ?? []), one]
  }
  return configured
}

/** With the input that the tool got, whoever changed it on its way there (2.1.325). */
function afterTool(handlers: AgentHandlers): HookMatcher[] {
  const hook = async ({ tool_use_id, tool_name, tool_input }: HookInput, id: string | undefined) => {
    await handlers.onToolRan({
      toolCallId: id ?? tool_use_id ?? '',
      tool: tool_name ?? '',
      input: tool_input ?? {},
    })
    return {}
  }
  return [{ hooks: [hook], onFailure: 'block' }]
}

async function beforeTool(
  handlers: AgentHandlers,
  commandRules: CommandRules,
  { input, id, signal }: { input: HookInput; id: string | undefined; signal: AbortSignal },
): Promise<HookOutput> {
  const call = {
    toolCallId: id ?? input.tool_use_id ?? '',
    tool: input.tool_name ?? '',
    input: input.tool_input ?? {},
    permissionMode: input.permission_mode ?? 'default',
    agentId: typeof input.agent_id === 'string' ? input.agent_id : undefined,
    hookInput: input,
    signal,
  }
  const verdict = await handlers.onToolCall(call)
  if (verdict.verdict === 'pass' && !(await commandRules.give(verdict.commandRules)))
    return toOutput({
      verdict: 'ask',
      reason: 'Claude Code could not be told which rules for commands hold.',
    })
  if (verdict.verdict !== 'ask' || call.permissionMode !== 'bypassPermissions') return toOutput(verdict)
  // In bypass mode the CLI drops an `ask` about files it would ask about itself (measured: 2.1.325). So the question is
  // asked right here, and the hook waits for its answer.
  const reason = verdict.reason ?? standardReason
  const answer = await handlers.onPermission({ ...call, reason, commandRule: undefined })
  if (answer.behavior === 'deny') return toOutput({ verdict: 'deny', message: answer.message })
  return decision('allow', reason, { updatedInput: answer.updatedInput })
}

const standardReason = 'DorkOS asks about this tool.'

function toOutput(verdict: ToolCallVerdict): HookOutput {
  const { context } = verdict
  const more = context === undefined ? {} : { additionalContext: context }
  switch (verdict.verdict) {
    case 'pass':
      return context === undefined ? {} : { hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } }
    case 'allow':
      return decision('allow', verdict.reason, more)
    case 'ask':
      return decision('ask', verdict.reason ?? standardReason, more)
    case 'deny':
      return decision('deny', verdict.message, more)
  }
}

function decision(
  verdict: 'allow' | 'deny' | 'ask',
  reason: string,
  more: { updatedInput?: Record<string, unknown>; additionalContext?: string },
): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: verdict,
      permissionDecisionReason: reason,
      ...more,
    },
  }
}

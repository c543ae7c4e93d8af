/**
 * The permission callback and the hooks of a session. Every call passes `PreToolUse`, whatever the mode; what the CLI asks
 * about comes to `canUseTool`. Whatever goes wrong here means no.
 */
import type { HookInput, HookOutput, PermissionResult, SessionOptions } from 'claude-code-agent'
import type { AgentHandlers } from '../../core/ports/agent.ts'

/** A week, longer than any deadline of an approval: past its timeout a hook denies, and the CLI says nothing of why. */
const hookSeconds = 7 * 24 * 60 * 60

export function permissionOptions(
  handlers: AgentHandlers,
): Pick<SessionOptions, 'canUseTool' | 'hooks' | 'onElicitation'> {
  return {
    canUseTool: async (tool, input, context): Promise<PermissionResult> => {
      const { toolUseId, agentID, signal, decisionReason, description } = context
      const reason = decisionReason ?? description
      const answer = await handlers.onPermission({
        toolCallId: toolUseId,
        tool,
        input,
        reason,
        agentId: agentID,
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
    hooks: {
      PreToolUse: [
        {
          hooks: [(input, id, { signal }) => beforeTool(handlers, input, id, signal)],
          timeout: hookSeconds,
          onFailure: 'block',
        },
      ],
    },
    onElicitation: ({ serverName, message, requestedSchema, url }, { signal }) =>
      handlers.onElicitation({ server: serverName, message, schema: requestedSchema, url, signal }),
  }
}

async function beforeTool(
  handlers: AgentHandlers,
  input: HookInput,
  toolUseId: string | undefined,
  signal: AbortSignal,
): Promise<HookOutput> {
  const call = {
    toolCallId: toolUseId ?? input.tool_use_id ?? '',
    tool: input.tool_name ?? '',
    input: input.tool_input ?? {},
    permissionMode: input.permission_mode ?? 'default',
    agentId: typeof input.agent_id === 'string' ? input.agent_id : undefined,
  }
  const verdict = await handlers.onToolCall(call)
  if (verdict.verdict === 'pass') return {}
  if (verdict.verdict === 'deny') return decision('deny', verdict.message)
  const reason = verdict.reason ?? 'DorkOS asks about this tool.'
  if (call.permissionMode !== 'bypassPermissions') return decision('ask', reason)
  // In bypass mode the CLI drops an `ask` about files it would ask about itself (measured: 2.1.325). So the question is
  // asked right here, and the hook waits for its answer.
  const answer = await handlers.onPermission({ ...call, reason, signal })
  if (answer.behavior === 'deny') return decision('deny', answer.message)
  return decision('allow', reason, answer.updatedInput)
}

function decision(
  verdict: 'allow' | 'deny' | 'ask',
  reason: string,
  updatedInput?: Record<string, unknown>,
): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: verdict,
      permissionDecisionReason: reason,
      ...(updatedInput && { updatedInput }),
    },
  }
}

/** `can_use_tool` → the program's callback → an answer that the CLI accepts. Everything unclear denies. */
import { isRecord } from '@dorkos/processes'
import { AbortError } from '../errors.ts'
import type { CanUseToolCallback, PermissionContext, PermissionResult } from '../permissions.ts'
import type { InboundRequest } from './control-channel.ts'

export interface PermissionOptions {
  canUseTool: CanUseToolCallback
  /** After this the question is denied, and the model gets the reason. 0 waits for ever. */
  timeoutMs: number
}

/** A timer of Node's that is set for longer fires at once, which would deny. */
const longestTimerMs = 2 ** 31 - 1

type Answer = Record<string, unknown> & { behavior: 'allow' | 'deny' }

/** Never rejects. */
export async function answerPermission(request: InboundRequest, options: PermissionOptions): Promise<Answer> {
  const toolName = String(request.payload.tool_name ?? '')
  const input = recordOf(request.payload.input)
  const controller = new AbortController()
  const withdraw = () => controller.abort(request.signal.reason)
  if (request.signal.aborted) withdraw()
  request.signal.addEventListener('abort', withdraw, { once: true })
  const context = contextOf(request, controller.signal)
  let timer: NodeJS.Timeout | undefined
  try {
    const result = await Promise.race([
      Promise.resolve().then(() => options.canUseTool(toolName, input, context)),
      new Promise<PermissionResult>((resolve) => {
        controller.signal.addEventListener(
          'abort',
          () => resolve(deny('The permission question was withdrawn.')),
          {
            once: true,
          },
        )
        if (options.timeoutMs <= 0 || !Number.isFinite(options.timeoutMs)) return
        const expire = () => {
          resolve(
            deny(`Nobody answered the permission question within ${options.timeoutMs} ms, so it was denied.`),
          )
          controller.abort(new AbortError('The permission question timed out'))
        }
        timer = setTimeout(expire, Math.min(options.timeoutMs, longestTimerMs))
      }),
    ])
    return toAnswer(result, input, context.toolUseId)
  } catch (error) {
    return toAnswer(deny(`The permission callback failed: ${messageOf(error)}`), input, context.toolUseId)
  } finally {
    clearTimeout(timer)
    request.signal.removeEventListener('abort', withdraw)
  }
}

function contextOf(request: InboundRequest, signal: AbortSignal): PermissionContext {
  const payload = request.payload
  const toolUseId = String(payload.tool_use_id ?? '')
  const text = (key: string) => (typeof payload[key] === 'string' ? payload[key] : undefined)
  const optional = {
    decisionReason: text('decision_reason'),
    blockedPath: text('blocked_path'),
    displayName: text('display_name'),
    description: text('description'),
    title: text('title'),
    agentID: text('agent_id'),
    requiresUserInteraction: payload.requires_user_interaction === true ? true : undefined,
  }
  const suggestions = payload.permission_suggestions
  return {
    signal,
    suggestions: Array.isArray(suggestions) ? suggestions : [],
    toolUseId,
    toolUseID: toolUseId,
    requestId: request.id,
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<PermissionContext>),
  }
}

/** Checks what the callback returned: anything but a proper answer denies, and says so to the model. */
function toAnswer(result: unknown, input: Record<string, unknown>, toolUseID: string): Answer {
  const given = recordOf(result)
  if (given.behavior === 'allow') {
    const updated = given.updatedInput
    if (updated !== undefined && !isRecord(updated))
      return { ...deny('The permission callback returned an updatedInput that is not an object.'), toolUseID }
    const updates = given.updatedPermissions
    if (updates !== undefined && !Array.isArray(updates))
      return { ...deny('The permission callback returned updatedPermissions that are no list.'), toolUseID }
    return { toolUseID, ...given, behavior: 'allow', updatedInput: isRecord(updated) ? updated : input }
  }
  if (given.behavior === 'deny') {
    const message = typeof given.message === 'string' && given.message.trim() ? given.message : undefined
    return { toolUseID, ...given, behavior: 'deny', message: message ?? 'The user denied this tool call.' }
  }
  return { ...deny('The permission callback returned no valid answer, so the call was denied.'), toolUseID }
}

function deny(message: string): { behavior: 'deny'; message: string } {
  return { behavior: 'deny', message }
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What the CLI asks of this side, each kind to the one that answers it. */
import { ControlProtocolError } from '../errors.ts'
import type { SessionOptions } from '../options.ts'
import type { InboundRequest } from '../protocol/control-channel.ts'
import { answerElicitation } from '../protocol/elicitation.ts'
import type { HookRegistry } from '../protocol/hook-registry.ts'
import type { McpRouter } from '../protocol/mcp-router.ts'
import { answerPermission } from '../protocol/permission-requests.ts'
import type { Emitter } from './emitter.ts'
import type { SessionEvents } from './session-events.ts'
import type { PendingPermission, StateTracker } from './state-machine.ts'
import { timestamp } from './timestamp.ts'

export interface InboundSetup {
  options: SessionOptions
  hooks: HookRegistry
  router: McpRouter
  tracker: StateTracker
  events: Emitter<SessionEvents>
  warn(warning: string): void
}

export class InboundRequests {
  readonly #setup: InboundSetup

  constructor(setup: InboundSetup) {
    this.#setup = setup
  }

  /** The answer or a promise of it; a throw or rejection is an error answer. */
  answer(request: InboundRequest): unknown {
    const { options, router } = this.#setup
    switch (request.subtype) {
      case 'mcp_message':
        return router.handle(request)
      case 'can_use_tool':
        return this.#askPermission(request)
      case 'hook_callback':
        return this.#callHook(request)
      case 'elicitation':
        return answerElicitation(request, options.onElicitation)
      default:
        throw new ControlProtocolError(`unsupported request: ${request.subtype}`)
    }
  }

  /** The CLI says only that a hook failed, not why; so the reason is reported here. */
  async #callHook(request: InboundRequest): Promise<unknown> {
    try {
      return await this.#setup.hooks.answer(request)
    } catch (error) {
      this.#setup.warn(`A hook failed: ${error instanceof Error ? error.message : String(error)}`)
      throw error
    }
  }

  async #askPermission(request: InboundRequest): Promise<unknown> {
    const { options, tracker, events } = this.#setup
    const { canUseTool, canUseToolTimeoutMs: timeoutMs = 0 } = options
    if (!canUseTool) return { behavior: 'deny', message: 'Nobody is there to answer permission questions.' }
    const permission = pendingPermission(request)
    tracker.apply({ type: 'permission_request', permission })
    events.emit('permissionRequest', permission)
    try {
      return await answerPermission(request, { canUseTool, timeoutMs })
    } finally {
      tracker.apply({ type: 'permission_resolve', requestId: request.id })
    }
  }
}

function pendingPermission({ id, payload }: InboundRequest): PendingPermission {
  return {
    requestId: id,
    toolName: String(payload.tool_name ?? ''),
    toolInput: (payload.input ?? {}) as Record<string, unknown>,
    toolUseId: typeof payload.tool_use_id === 'string' ? payload.tool_use_id : undefined,
    startedAt: timestamp(),
  }
}

import { contextUsage, initializeAnswer, models, permissionModes } from './canned.ts'
import { systemMessage, userMessage } from './messages.ts'
import type { Program } from './program.ts'
import type { Answer, JsonObject } from './scenario.ts'

/** A request that is refused, as the CLI words it. */
class Refusal extends Error {
  readonly code: string | undefined
  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

type Handler = (program: Program, request: JsonObject) => JsonObject | undefined

const nothing: Handler = () => undefined

const handlers: Record<string, Handler> = {
  initialize,
  interrupt: (program, request) => program.turns.interrupt(request.cancel_queued === true),
  set_model: (program, request) => {
    const { facts } = program
    facts.model = typeof request.model === 'string' ? request.model : program.launch.model
    const text = `<local-command-stdout>Set model to \`${facts.model}\`</local-command-stdout>`
    program.output.send(userMessage(facts, text, { isReplay: true }))
    return { model: facts.model }
  },
  set_permission_mode: setPermissionMode,
  set_max_thinking_tokens: nothing,
  apply_flag_settings: nothing,
  rename_session: (program, request) => {
    program.output.send(systemMessage(program.facts, 'session_title_changed', { title: request.title }))
    return undefined
  },
  mcp_status: (program) => ({ mcpServers: program.servers.forStatus() }),
  mcp_set_servers: (program, request) =>
    program.servers.replaceDynamic((request.servers ?? {}) as Record<string, JsonObject>),
  mcp_reconnect: (program, request) => {
    program.servers.reconnect(String(request.serverName))
    return undefined
  },
  mcp_toggle: (program, request) => {
    program.servers.toggle(String(request.serverName), request.enabled === true)
    return undefined
  },
  mcp_message: (program, request) => {
    const { method } = (request.message ?? {}) as JsonObject
    if (method === 'notifications/tools/list_changed') program.servers.relist(String(request.server_name))
    return undefined
  },
  get_context_usage: () => contextUsage,
  get_hooks_listing: ({ launch: { settings } }) => ({
    events: [],
    hooks: [],
    policy: { allDisabled: settings.disableAllHooks === true, policyHookCount: 0 },
  }),
  get_session_cost: () => ({ text: 'Total cost:            $0.0004' }),
  get_binary_version: (program) => ({ version: program.facts.version }),
  get_settings: ({ launch: { settings }, facts: { model } }) => ({
    effective: settings,
    sources: [{ source: 'flagSettings', settings }],
    applied: { model },
  }),
  list_models: () => ({ models }),
  rewind_files: () => ({ canRewind: true, filesChanged: [], insertions: 0, deletions: 0 }),
  stop_task: () => ({}),
  background_tasks: () => ({}),
  cancel_async_message: (program, request) => ({
    cancelled: program.turns.cancel(String(request.message_uuid)),
  }),
  end_session: nothing,
  claim_session: (program) => ({ status: 'ok', session_id: program.facts.sessionId }),
}

function initialize(program: Program, request: JsonObject): JsonObject {
  program.hooks = (request.hooks ?? program.hooks) as Record<string, JsonObject[]>
  const manifests = (request.sdkMcpServerManifests ?? {}) as JsonObject
  const names = (request.sdkMcpServers ?? []) as string[]
  const parked = program.servers.announce(names, manifests)
  const pending = program.requests.openQuestions()
  program.turns.begin()
  return {
    ...initializeAnswer,
    pid: process.pid,
    claude_code_version: program.facts.version,
    current_permission_mode: program.facts.permissionMode,
    session_state: program.turns.state,
    pending_permission_requests: pending.filter(
      (frame) => (frame.request as JsonObject).subtype === 'can_use_tool',
    ),
    ...(Object.keys(parked).length > 0 && { sdk_mcp_manifests_parked: parked }),
  }
}

function setPermissionMode(program: Program, request: JsonObject): JsonObject {
  const mode = String(request.mode)
  if (!permissionModes.includes(mode)) {
    const known = permissionModes.join(', ')
    throw new Refusal(`Cannot set permission mode: must be one of ${known}`, 'invalid_mode')
  }
  if (mode === 'bypassPermissions' && !program.launch.bypassAllowed) {
    throw new Refusal(
      'Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions',
      'bypass_not_launched',
    )
  }
  program.facts.permissionMode = mode
  process.nextTick(() => {
    program.output.send(systemMessage(program.facts, 'status', { status: null, permissionMode: mode }))
  })
  return { mode }
}

/** Answers control requests of the host: as the CLI would, or as the scenario wants it. */
export function createControlAnswers(program: Program): (frame: JsonObject) => void {
  const counts = new Map<string, number>()
  const chosen = (subtype: string): Answer => {
    const count = counts.get(subtype) ?? 0
    counts.set(subtype, count + 1)
    const answers = program.scenario.answers?.[subtype] ?? 'normal'
    return Array.isArray(answers) ? (answers[count] ?? answers.at(-1) ?? 'normal') : answers
  }
  return (frame) => {
    const request = (frame.request ?? {}) as JsonObject
    const subtype = String(request.subtype)
    const id = frame.request_id
    const answer = chosen(subtype)
    if (answer === 'never') return
    const response = respond(program, request, id, answer)
    const send = (): void => {
      program.output.send({ type: 'control_response', response })
      if (answer === 'twice') program.output.send({ type: 'control_response', response })
      if (subtype === 'end_session' && response.subtype === 'success') void program.exit(0)
    }
    const delayMs = lateBy(answer)
    if (delayMs === undefined) send()
    else setTimeout(send, delayMs)
  }
}

function lateBy(answer: Answer): number | undefined {
  if (answer === 'late') return 250
  return typeof answer === 'object' && 'late' in answer ? answer.late : undefined
}

function respond(program: Program, request: JsonObject, id: unknown, answer: Answer): JsonObject {
  const error = (text: string, code?: string): JsonObject => ({
    subtype: 'error',
    request_id: id,
    error: text,
    ...(code !== undefined && { error_code: code }),
  })
  if (answer === 'error') return error('the scenario refuses this request')
  if (typeof answer === 'object' && 'error' in answer) return error(answer.error, answer.code)
  const subtype = String(request.subtype)
  const handler = Object.hasOwn(handlers, subtype) ? handlers[subtype] : undefined
  const replaced = typeof answer === 'object' && 'value' in answer
  try {
    if (handler === undefined && !replaced) {
      throw new Refusal(`Unsupported control request subtype: ${subtype}`, 'unsupported_request')
    }
    const usual = handler?.(program, request)
    const response = replaced ? answer.value : usual
    return { subtype: 'success', request_id: id, ...(response !== undefined && { response }) }
  } catch (cause) {
    const { message } = cause as Error
    return error(message, cause instanceof Refusal ? cause.code : undefined)
  }
}

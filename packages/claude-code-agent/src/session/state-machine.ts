/**
 * The session's nine states as a pure function. What is open (tool calls, permission questions) is kept apart from
 * the *phase*; the state that people see is derived from both, so several calls and questions can be open at once.
 */

export type SessionState =
  | 'idle'
  | 'starting'
  | 'running'
  | 'waiting_tool_call'
  | 'waiting_permission'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'cancelled'

const terminalStates = ['completed', 'failed', 'cancelled'] as const
export type TerminalState = (typeof terminalStates)[number]

/** Which state may directly follow which. Held by the property tests of this module. */
export const transitions: Readonly<Record<SessionState, readonly SessionState[]>> = {
  idle: ['starting', 'running', 'waiting_tool_call', 'waiting_permission', 'paused', ...terminalStates],
  starting: ['idle', 'running', 'waiting_tool_call', 'waiting_permission', 'paused', ...terminalStates],
  running: ['idle', 'waiting_tool_call', 'waiting_permission', 'paused', ...terminalStates],
  waiting_tool_call: ['idle', 'starting', 'running', 'waiting_permission', 'paused', ...terminalStates],
  waiting_permission: ['idle', 'starting', 'running', 'waiting_tool_call', 'paused', ...terminalStates],
  paused: ['idle', 'starting', 'running', 'waiting_tool_call', 'waiting_permission', ...terminalStates],
  completed: [],
  failed: [],
  cancelled: [],
}

/** A tool of ours that the agent is waiting for. */
export interface PendingToolCall {
  toolUseId: string
  /** The whole name, such as `mcp__calc__add`. */
  toolName: string
  /** The key in `mcpServers`. */
  serverName: string
  arguments: Record<string, unknown>
  startedAt: string
}

/** A question that `canUseTool` has not answered yet. */
export interface PendingPermission {
  requestId: string
  toolName: string
  toolInput: Record<string, unknown>
  toolUseId: string | undefined
  startedAt: string
}

export type Phase = 'idle' | 'starting' | 'running' | TerminalState

export interface MachineState {
  phase: Phase
  paused: boolean
  /** Oldest first. */
  toolCalls: readonly PendingToolCall[]
  /** Oldest first. */
  permissions: readonly PendingPermission[]
}

export type MachineEvent =
  | { type: 'start' }
  | { type: 'connected'; busy: boolean }
  | { type: 'turn_start' }
  | { type: 'turn_end' }
  | { type: 'tool_call_start'; call: PendingToolCall }
  | { type: 'tool_call_end'; toolUseId: string }
  | { type: 'permission_request'; permission: PendingPermission }
  | { type: 'permission_resolve'; requestId: string }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'end'; state: TerminalState }

export const initialState: MachineState = { phase: 'idle', paused: false, toolCalls: [], permissions: [] }

/** What a person is shown: the end wins over a pause, a pause over a question, a question over a tool call. */
export function stateOf(machine: MachineState): SessionState {
  if (isTerminal(machine.phase)) return machine.phase
  if (machine.paused) return 'paused'
  if (machine.permissions.length > 0) return 'waiting_permission'
  if (machine.toolCalls.length > 0) return 'waiting_tool_call'
  return machine.phase
}

/** The next state. An event that does not fit (a late answer, anything after the end) changes nothing. */
export function next(machine: MachineState, event: MachineEvent): MachineState {
  if (isTerminal(machine.phase)) return machine
  switch (event.type) {
    case 'start':
      return machine.phase === 'idle' ? { ...machine, phase: 'starting' } : machine
    case 'connected':
      return machine.phase === 'starting' ? { ...machine, phase: event.busy ? 'running' : 'idle' } : machine
    case 'turn_start':
      return machine.phase === 'running' ? machine : { ...machine, phase: 'running' }
    case 'turn_end':
      return { ...machine, phase: 'idle', toolCalls: [], permissions: [] }
    case 'tool_call_start':
      if (machine.toolCalls.some((call) => call.toolUseId === event.call.toolUseId)) return machine
      return { ...machine, phase: atWork(machine.phase), toolCalls: [...machine.toolCalls, event.call] }
    case 'tool_call_end': {
      const toolCalls = machine.toolCalls.filter((call) => call.toolUseId !== event.toolUseId)
      return toolCalls.length === machine.toolCalls.length ? machine : { ...machine, toolCalls }
    }
    case 'permission_request':
      if (machine.permissions.some((open) => open.requestId === event.permission.requestId)) return machine
      return {
        ...machine,
        phase: atWork(machine.phase),
        permissions: [...machine.permissions, event.permission],
      }
    case 'permission_resolve': {
      const permissions = machine.permissions.filter((open) => open.requestId !== event.requestId)
      return permissions.length === machine.permissions.length ? machine : { ...machine, permissions }
    }
    case 'pause':
      return machine.paused ? machine : { ...machine, paused: true }
    case 'resume':
      return machine.paused ? { ...machine, paused: false } : machine
    case 'end':
      return { phase: event.state, paused: false, toolCalls: [], permissions: [] }
  }
}

/** An agent that calls or asks has started, whatever was heard of it before. In `idle`, background work does so. */
function atWork(phase: Phase): Phase {
  return phase === 'starting' ? 'running' : phase
}

export function isTerminal(state: SessionState | Phase): state is TerminalState {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** Holds the state of a session and reports when it changes. */
export class StateTracker {
  readonly #changed: (from: SessionState, to: SessionState) => void
  #machine: MachineState = initialState

  constructor(changed: (from: SessionState, to: SessionState) => void) {
    this.#changed = changed
  }

  get machine(): MachineState {
    return this.#machine
  }

  get state(): SessionState {
    return stateOf(this.#machine)
  }

  get ended(): boolean {
    return isTerminal(this.#machine.phase)
  }

  apply(event: MachineEvent): void {
    const from = this.state
    this.#machine = next(this.#machine, event)
    if (this.state !== from) this.#changed(from, this.state)
  }
}

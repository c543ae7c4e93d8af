import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  initialState,
  isTerminal,
  type MachineEvent,
  type MachineState,
  next,
  type PendingPermission,
  type PendingToolCall,
  type SessionState,
  stateOf,
  transitions,
} from './state-machine.ts'

const call = (toolUseId: string): PendingToolCall => ({
  toolUseId,
  toolName: 'add',
  serverName: 'calc',
  arguments: {},
  startedAt: '2026-01-01T00:00:00.000Z',
})
const permission = (requestId: string): PendingPermission => ({
  requestId,
  toolName: 'Bash',
  toolInput: {},
  toolUseId: undefined,
  startedAt: '2026-01-01T00:00:00.000Z',
})

const run = (events: MachineEvent[]): MachineState => events.reduce(next, initialState)
const running: MachineEvent[] = [{ type: 'start' }, { type: 'connected', busy: true }]

describe('the states of a session', () => {
  it('follows the way from start to end', () => {
    const seen: SessionState[] = []
    let machine = initialState
    const events: MachineEvent[] = [
      { type: 'start' },
      { type: 'connected', busy: true },
      { type: 'tool_call_start', call: call('a') },
      { type: 'tool_call_end', toolUseId: 'a' },
      { type: 'permission_request', permission: permission('p') },
      { type: 'permission_resolve', requestId: 'p' },
      { type: 'turn_end' },
      { type: 'end', state: 'completed' },
    ]
    for (const event of events) {
      machine = next(machine, event)
      seen.push(stateOf(machine))
    }
    expect(seen).toEqual([
      'starting',
      'running',
      'waiting_tool_call',
      'running',
      'waiting_permission',
      'running',
      'idle',
      'completed',
    ])
  })

  it('waits until the last of several tool calls has ended, oldest first', () => {
    let machine = run([
      ...running,
      { type: 'tool_call_start', call: call('a') },
      { type: 'tool_call_start', call: call('b') },
    ])
    expect(machine.toolCalls.map((one) => one.toolUseId)).toEqual(['a', 'b'])
    machine = next(machine, { type: 'tool_call_end', toolUseId: 'a' })
    expect(stateOf(machine)).toBe('waiting_tool_call')
    expect(machine.toolCalls[0]?.toolUseId).toBe('b')
    machine = next(machine, { type: 'tool_call_end', toolUseId: 'b' })
    expect(stateOf(machine)).toBe('running')
  })

  it('shows a question before a tool call, and a pause before both', () => {
    let machine = run([
      ...running,
      { type: 'tool_call_start', call: call('a') },
      { type: 'permission_request', permission: permission('p') },
    ])
    expect(stateOf(machine)).toBe('waiting_permission')
    machine = next(machine, { type: 'pause' })
    expect(stateOf(machine)).toBe('paused')
    machine = next(machine, { type: 'permission_resolve', requestId: 'p' })
    machine = next(machine, { type: 'resume' })
    expect(stateOf(machine)).toBe('waiting_tool_call')
  })

  it('forgets what was open when the turn ends', () => {
    const machine = run([...running, { type: 'tool_call_start', call: call('a') }, { type: 'turn_end' }])
    expect(stateOf(machine)).toBe('idle')
    expect(machine.toolCalls).toEqual([])
  })

  it('keeps the state through a late or repeated event', () => {
    const machine = run([...running, { type: 'tool_call_start', call: call('a') }])
    expect(next(machine, { type: 'tool_call_start', call: call('a') })).toBe(machine)
    expect(next(machine, { type: 'tool_call_end', toolUseId: 'other' })).toBe(machine)
    expect(next(machine, { type: 'permission_resolve', requestId: 'other' })).toBe(machine)
  })
})

const ids = fc.constantFrom('a', 'b', 'c')
const anyEvent: fc.Arbitrary<MachineEvent> = fc.oneof(
  fc.constantFrom<MachineEvent>(
    { type: 'start' },
    { type: 'connected', busy: true },
    { type: 'connected', busy: false },
    { type: 'turn_start' },
    { type: 'turn_end' },
    { type: 'pause' },
    { type: 'resume' },
  ),
  ids.map((id): MachineEvent => ({ type: 'tool_call_start', call: call(id) })),
  ids.map((toolUseId): MachineEvent => ({ type: 'tool_call_end', toolUseId })),
  ids.map((id): MachineEvent => ({ type: 'permission_request', permission: permission(id) })),
  ids.map((requestId): MachineEvent => ({ type: 'permission_resolve', requestId })),
  {
    arbitrary: fc.constantFrom<MachineEvent>(
      { type: 'end', state: 'completed' },
      { type: 'end', state: 'failed' },
      { type: 'end', state: 'cancelled' },
    ),
    weight: 1,
  },
)

describe('any sequence of events', () => {
  it('only moves as the transition table allows', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let machine = initialState
        for (const event of events) {
          const from = stateOf(machine)
          machine = next(machine, event)
          const to = stateOf(machine)
          if (from !== to) expect(transitions[from]).toContain(to)
        }
      }),
    )
  })

  it('never leaves a terminal state, and has nothing open there', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), fc.array(anyEvent), (before, after) => {
        const ended = next(before.reduce(next, initialState), { type: 'end', state: 'cancelled' })
        const later = after.reduce(next, ended)
        expect(later).toBe(ended)
        expect(isTerminal(stateOf(later))).toBe(true)
        expect([...later.toolCalls, ...later.permissions]).toEqual([])
      }),
    )
  })

  it('has each open call once, and waits exactly while something is open', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        const machine = events.reduce(next, initialState)
        const open = machine.toolCalls.map((one) => one.toolUseId)
        expect(new Set(open).size).toBe(open.length)
        if (stateOf(machine) === 'waiting_tool_call') expect(open.length).toBeGreaterThan(0)
        if (stateOf(machine) === 'waiting_permission') expect(machine.permissions.length).toBeGreaterThan(0)
        if (stateOf(machine) === 'running') expect(open.length + machine.permissions.length).toBe(0)
      }),
    )
  })
})

import { type Decider, type Saying, say } from '@dorkos/shared'
import type { CallFacts } from './tool-audit.ts'
import { changesFiles, kindOf } from './tool-names.ts'

/** A call that was seen before it was decided, until it is over. */
export interface KnownCall {
  permissionMode: string
  /** Of the input that was seen, or that a person put in its place. */
  hash: string
  /** Its beginning. */
  subject: string
  /** What hooks are given about it. */
  hookInput: Readonly<Record<string, unknown>>
  skillInUse: boolean
  /** The rule by which the CLI would let it run, if it does. */
  commandRule?: Decider | undefined
  /** The hook of the machine's policy that allowed it, before it was seen. */
  allowedBy?: Decider | undefined
  /** `held`: the CLI was instructed to ask, and has not yet. `asked`: the gateway allowed it, or a person is asked. `denied`: it does not run; the CLI reports its end all the same. */
  state: 'seen' | 'held' | 'asked' | 'denied'
}

/**
 * The calls of one session that are under way, and the ids of those that no longer are, which are not taken for calls that
 * nobody ever saw. Both are bounded: the CLI does not report every call that it drops.
 */
export class KnownCalls {
  readonly #calls = new Map<string, KnownCall>()
  readonly #past = new Set<string>()
  readonly #most: number

  constructor(most = 10_000) {
    this.#most = most
  }

  add(toolCallId: string, call: KnownCall): void {
    this.#calls.set(toolCallId, call)
    const oldest = this.#calls.size > this.#most ? this.#calls.keys().next().value : undefined
    if (oldest !== undefined) this.delete(oldest)
  }

  /** Whether it is under way, or was. */
  wasSeen(toolCallId: string): boolean {
    return this.#calls.has(toolCallId) || this.#past.has(toolCallId)
  }

  get(toolCallId: string | undefined): KnownCall | undefined {
    return toolCallId === undefined ? undefined : this.#calls.get(toolCallId)
  }

  mark(toolCallId: string, state: KnownCall['state']): void {
    const call = this.#calls.get(toolCallId)
    if (call) call.state = state
  }

  delete(toolCallId: string): void {
    if (!this.#calls.delete(toolCallId)) return
    this.#past.add(toolCallId)
    const oldest = this.#past.size > this.#most ? this.#past.values().next().value : undefined
    if (oldest !== undefined) this.#past.delete(oldest)
  }
}

/**
 * A call that the hook never saw and that failed was refused by the CLI before it could run (a deny rule of ours, a tool that is not
 * there).
 */
export function isDenied(call: KnownCall | undefined, isError: boolean): boolean {
  // One that it was to ask about, and did not, it denied by itself: it has nobody to ask in a fork of a skill (2.1.325).
  return call ? call.state === 'denied' || (call.state === 'held' && isError) : isError
}

/**
 * Why a process must not go on, of which a tool ran with an input of this hash. Undefined where that is what was decided.
 * The CLI reports every call to the hook before it runs, of subagents, forks and workflows too, and afterwards none that it
 * refused (2.1.325): what was never seen had no way here.
 */
export function whyOtherwise(
  { call, wasSeen }: { call: KnownCall | undefined; wasSeen: boolean },
  tool: string,
  hash: string,
): Saying | undefined {
  if (kindOf(tool) !== 'tool') return undefined
  if (!call) return wasSeen ? undefined : say('turn_ran_unseen', { tool })
  if (call.state === 'denied') return say('turn_ran_denied', { tool })
  if (call.state === 'held') return say('turn_ran_unasked', { tool })
  return call.hash === hash ? undefined : say('turn_ran_other', { tool })
}

/**
 * Who let a call run that nobody was asked about; undefined for one that was decided here. The mode that asks less, a rule that the CLI
 * matches, or its own judgement (a read-only command). In `acceptEdits` the CLI also runs commands that change files of the workspace,
 * such as `rm -rf build` (2.1.325). Commands are not parsed here: all that ran unasked in that mode did so by the mode.
 */
export function ranUnaskedBy(
  call: KnownCall | undefined,
  { permissionMode, tool }: CallFacts,
): Decider | undefined {
  if (call && call.state !== 'seen' && call.state !== 'held') return undefined
  if (permissionMode === 'bypassPermissions') return { kind: 'mode' }
  if (call?.allowedBy) return call.allowedBy
  if (call?.commandRule) return call.commandRule
  const byMode = permissionMode === 'acceptEdits' && (changesFiles(tool) || tool === 'Bash')
  return { kind: byMode ? 'mode' : 'cli' }
}

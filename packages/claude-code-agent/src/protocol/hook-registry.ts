/** The program's hooks under the ids that the CLI calls them by. */

import { InvalidOptionsError } from '../errors.ts'
import type {
  HookCallback,
  HookConfigurations,
  HookEvent,
  HookInput,
  HookMatcher,
  HookOutput,
} from '../hooks.ts'
import { hookEvents, matchesHook } from '../hooks.ts'
import type { InboundRequest } from './control-channel.ts'

/** What `initialize` declares to the CLI about our hooks. */
export type HookManifest = Record<
  string,
  { matcher?: string; hookCallbackIds: string[]; timeout?: number; onFailure?: 'continue' | 'block' }[]
>

/** `SessionStart` and `SessionEnd` are raised by us at start and exit; the CLI calls them around `/clear` only. */
export type SyntheticEvent = 'SessionStart' | 'SessionEnd'

const defaultTimeoutSeconds = 60

export class HookRegistry {
  readonly #callbacks = new Map<string, HookCallback>()
  readonly #manifest: HookManifest = {}
  readonly #configured: HookConfigurations

  constructor(configured: HookConfigurations, internal: HookConfigurations = {}) {
    this.#configured = configured
    for (const source of [internal, configured]) {
      for (const [event, matchers] of Object.entries(source)) this.#add(event, matchers ?? [])
    }
  }

  get manifest(): HookManifest | undefined {
    return Object.keys(this.#manifest).length > 0 ? this.#manifest : undefined
  }

  /** Whether the program has hooks for the event. */
  has(event: HookEvent): boolean {
    return (this.#configured[event]?.length ?? 0) > 0
  }

  /** Some hook must block when it fails, which not every CLI knows. */
  get needsSupport(): boolean {
    return Object.values(this.#manifest).some((matchers) => matchers.some((one) => one.onFailure === 'block'))
  }

  /** A CLI that does not know `onFailure` would let a tool run whose hook failed: refused, not risked. */
  checkSupport(initialization: Record<string, unknown>): void {
    if (this.needsSupport && initialization.hook_on_failure_supported !== true)
      throw new InvalidOptionsError(
        "hooks: this CLI does not support onFailure 'block'. Update it with `claude update`.",
      )
  }

  /** Answers one `hook_callback`. A hook that throws rejects: the CLI then follows the matcher's `onFailure`. */
  async answer(request: InboundRequest): Promise<HookOutput> {
    const id = String(request.payload.callback_id ?? '')
    const callback = this.#callbacks.get(id)
    if (!callback) throw new InvalidOptionsError(`no hook is registered under the id ${id}`)
    const toolUseId = request.payload.tool_use_id
    const output = await callback(
      request.payload.input as HookInput,
      typeof toolUseId === 'string' ? toolUseId : undefined,
      { signal: request.signal },
    )
    return output ?? {}
  }

  /**
   * Runs the hooks of an event that the CLI does not raise itself. As with the CLI, a matcher is compared with how the
   * session started or why it ended, and a hook's signal is aborted after its timeout. Nothing is made of what they
   * return. One that fails is reported, not thrown.
   */
  async raise(event: SyntheticEvent, input: HookInput, onError: (error: unknown) => void): Promise<void> {
    const subject = String((event === 'SessionStart' ? input.source : input.reason) ?? '')
    const matching = (this.#configured[event] ?? []).filter(({ matcher }) => matchesHook(matcher, subject))
    const calls = matching.flatMap(({ hooks, timeout = defaultTimeoutSeconds }) => {
      const signal = AbortSignal.timeout(timeout * 1000)
      return hooks.map(async (hook) => hook({ ...input, synthetic: true }, undefined, { signal }))
    })
    for (const outcome of await Promise.allSettled(calls))
      if (outcome.status === 'rejected') onError(outcome.reason)
  }

  #add(event: string, matchers: HookMatcher[]): void {
    if (!(hookEvents as readonly string[]).includes(event))
      throw new InvalidOptionsError(`'${event}' is not a hook event. Known: ${hookEvents.join(', ')}`)
    if (!Array.isArray(matchers) || !matchers.every(isMatcher))
      throw new InvalidOptionsError(`hooks.${event} must be a list of {matcher?, hooks: [function]}`)
    const list = this.#manifest[event as HookEvent] ?? []
    this.#manifest[event] = list
    for (const matcher of matchers) {
      const hookCallbackIds = matcher.hooks.map((callback) => {
        const id = `hook_${this.#callbacks.size}`
        this.#callbacks.set(id, callback)
        return id
      })
      list.push({
        ...(matcher.matcher !== undefined && { matcher: matcher.matcher }),
        hookCallbackIds,
        ...(matcher.timeout !== undefined && { timeout: matcher.timeout }),
        ...(matcher.onFailure !== undefined && { onFailure: matcher.onFailure }),
      })
    }
  }
}

function isMatcher(value: HookMatcher | undefined): boolean {
  return Array.isArray(value?.hooks) && value.hooks.every((hook) => typeof hook === 'function')
}

/**
 * The hooks of one CLI process. The CLI itself runs none: its own switch for that is all or nothing, and what a hook answers there counts
 * before anybody is asked. So those that were allowed are run here, on the same input, and what they say is weighed before it counts.
 */
import type { Decider, HookGrant, NewEvent } from '@dorkos/shared'
import { type Fields, record, text } from '../event-map/untrusted.ts'
import type { AgentHook, ClosedPaths, ContainerSpec } from '../ports/agent.ts'
import type { HookEnd, HookLaunch, HookRunner } from '../ports/hook-runner.ts'
import { hookDecider } from './hook-decider.ts'
import { isInBackground } from './hook-entry.ts'
import { mayMeet } from './hook-match.ts'
import { contextOf, eventsOf, opinionOf, outputFor, type ToolOpinion } from './hook-output.ts'
import type { HookStates, HookWithState } from './hook-states.ts'
import { PolicyOpinions } from './policy-opinions.ts'

export interface SessionHooksParts {
  states: HookStates
  runner: HookRunner
  cwd: string
  env: Readonly<Record<string, string>>
  /** The hook as it counts now; undefined when its content, a script that it names or a consent is another since, or gone. */
  current(digest: string): Promise<HookWithState | undefined>
}

/** What a hook says about a call, and who it is. */
export interface HookOpinion extends ToolOpinion {
  by: Decider
}

const standardSeconds = 600
const longestSeconds = 24 * 60 * 60

export class SessionHooks {
  readonly states: HookStates
  /** Of hooks that the CLI runs itself. */
  readonly policy: PolicyOpinions
  readonly #parts: SessionHooksParts
  readonly #hooks: readonly HookWithState[]
  readonly #done = new Set<HookWithState>()
  /** What hooks at the start of the session had to say, until the first message takes it along. */
  readonly #opening: Promise<string | undefined>[] = []
  emit: (event: NewEvent) => void = () => {}
  /** That the CLI runs in; its hooks run in one of the same kind. */
  container: ContainerSpec | undefined

  constructor(parts: SessionHooksParts) {
    this.#parts = parts
    this.states = parts.states
    this.policy = new PolicyOpinions(parts.states.hooks, parts.runner.matches)
    this.#hooks = parts.states.hooks.filter(({ hook, state }) => state === 'runs' && hook.source !== 'policy')
  }

  /** Some run while nobody has said anything: when a process starts or ends, or a file changes. */
  get runsUnprompted(): boolean {
    return this.states.hooks.some(({ hook, state }) => state === 'runs' && !eventsOfTurns.has(hook.event))
  }

  get unloadedPlugins(): readonly string[] {
    return this.states.unloaded
  }

  /** Commands may run outside of the sandbox, or write further than it lets them, by what settings say. */
  get loosensSandbox(): boolean {
    return this.states.loosening.length > 0
  }

  /** What no agent may write while it counts: it would decide what runs outside of its sandbox. */
  get closed(): ClosedPaths {
    const { hooks, plugins } = this.states
    return {
      files: hooks.filter(({ state }) => state === 'runs').flatMap(({ scripts }) => scripts),
      folders: plugins.filter(({ state }) => state === 'runs').map(({ root }) => root),
    }
  }

  /** What the CLI is to call us for. What is asked about tool calls passes the permission gateway, which calls `about`. */
  get subscriptions(): AgentHook[] {
    const wanted = this.#hooks.flatMap(({ hook, matcher }, id) =>
      hook.decides ? [] : [{ id: String(id), event: hook.event, matcher }],
    )
    const opens = wanted.some(({ event }) => event === 'SessionStart')
    if (!opens) return wanted
    const first = ['UserPromptSubmit', 'UserPromptExpansion']
    return [...wanted, ...first.map((event) => ({ id: openingId, event, matcher: '' }))]
  }

  /** The CLI calls. Never rejects. */
  async run(id: string, input: Fields, signal: AbortSignal): Promise<Record<string, unknown>> {
    if (id === openingId) return this.#takeOpening(text(input.hook_event_name) ?? '')
    const found = this.#hooks[Number(id)]
    if (!found) return {}
    const output = this.#runOne(found, input, signal).then((run) =>
      run?.end ? outputFor(found.hook.event, run.end) : {},
    )
    if (found.hook.event !== 'SessionStart' || input.synthetic !== true) return await output
    this.#opening.push(output.then(contextOf))
    return {}
  }

  /** What the hooks of this event say about a tool call, each for itself. Never rejects. */
  async about(
    event: 'PreToolUse' | 'PermissionRequest',
    input: Fields,
    signal: AbortSignal,
  ): Promise<HookOpinion[]> {
    const tool = text(input.tool_name) ?? ''
    const asked = this.#hooks.filter(
      ({ hook, matcher, config }) =>
        hook.event === event &&
        this.#parts.runner.matches(matcher, tool) &&
        mayMeet(config.if, tool, record(input.tool_input)),
    )
    return Promise.all(
      asked.map(async (found) => {
        const run = await this.#runOne(found, input, signal)
        const opinion: ToolOpinion = run?.end ? opinionOf(event, run.end) : { says: 'nothing' }
        const mayAllow = run?.grant === 'allow' && found.hook.can_allow === true
        const says = opinion.says === 'allow' && !mayAllow ? 'nothing' : opinion.says
        return { ...opinion, says, by: hookDecider(found) }
      }),
    )
  }

  /**
   * Undefined for one that does not count any more, or that ran before and runs once; without an end where nobody waits for it. It is checked
   * again each time: between its start and now somebody may have written what it names.
   */
  async #runOne(
    found: HookWithState,
    input: Fields,
    signal: AbortSignal,
  ): Promise<{ end?: HookEnd; grant: HookGrant | undefined } | undefined> {
    const { hook, config } = found
    if (hook.once && this.#done.has(found)) return undefined
    const current = await this.#parts.current(found.digest).catch(() => undefined)
    if (!current) return undefined
    this.#done.add(found)
    const grant = current.consent?.grant
    const ended = this.#parts.runner.run(this.#launchOf(found), input, signal).then((end) => {
      const about = text(input.tool_name)
      const name = about === undefined ? hook.event : `${hook.event}:${about}`
      for (const event of eventsOf(name, end)) this.emit(event)
      return end
    })
    return isInBackground(config) ? { grant } : { end: await ended, grant }
  }

  #launchOf({ config, plugin }: HookWithState): HookLaunch {
    const { cwd, env } = this.#parts
    const own = {
      CLAUDE_PROJECT_DIR: cwd,
      ...(plugin && { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.data }),
    }
    const filled = (value: unknown) => fillIn(String(value ?? ''), own)
    const seconds = typeof config.timeout === 'number' ? config.timeout : standardSeconds
    const launch = {
      ...{ cwd, env: { ...env, ...own }, container: this.container },
      timeoutMs: Math.min(seconds, longestSeconds) * 1000,
    }
    if (config.type === 'http')
      return { ...launch, run: { kind: 'http', url: filled(config.url), headers: headersOf(config, env) } }
    const args = Array.isArray(config.args) ? { args: config.args.map(filled) } : {}
    return { ...launch, run: { kind: 'command', command: filled(config.command), ...args } }
  }

  async #takeOpening(event: string): Promise<Record<string, unknown>> {
    const words = (await Promise.all(this.#opening.splice(0))).filter((said) => said !== undefined)
    if (words.length === 0) return {}
    return { hookSpecificOutput: { hookEventName: event, additionalContext: words.join('\n') } }
  }
}

const openingId = 'opening'

/** What happens only after somebody said something. */
const eventsOfTurns: ReadonlySet<string> = new Set([
  ...['UserPromptSubmit', 'UserPromptExpansion', 'PreToolUse', 'PermissionRequest', 'PermissionDenied'],
  ...[
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'Stop',
    'StopFailure',
    'SubagentStart',
    'SubagentStop',
  ],
  ...['PreCompact', 'PostCompact', 'TaskCreated', 'TaskCompleted'],
])

/** Only the variables that Claude Code puts into hooks itself; the rest is the shell's. */
function fillIn(value: string, variables: Readonly<Record<string, string>>): string {
  return value.replace(/\$\{(CLAUDE_\w+)\}/g, (whole, name: string) => variables[name] ?? whole)
}

/** `$NAME` in a header stands for a variable that the hook itself lists. */
function headersOf({ headers, allowedEnvVars }: Fields, env: Readonly<Record<string, string>>) {
  const allowed = Array.isArray(allowedEnvVars) ? allowedEnvVars : []
  return Object.fromEntries(
    Object.entries(record(headers)).map(([name, value]) => [
      name,
      String(value).replace(/\$\{?(\w+)\}?/g, (_, variable: string) =>
        allowed.includes(variable) ? (env[variable] ?? '') : '',
      ),
    ]),
  )
}

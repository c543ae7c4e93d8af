/** `dorkos hooks list | allow | revoke`. */
import type { Hook, HookState, Plugin, WorkspaceHooks } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { CodeFlag } from '../read-code.ts'
import { exactLine } from '../terminal/escape.ts'
import { type Column, renderTable } from '../terminal/table.ts'
import { type McpCommand, runMcpCommand } from './mcp/mcp-command.ts'

export interface HookFlags {
  workspace?: string
  json?: boolean
  calls?: boolean
  code?: CodeFlag
}

const states: Record<HookState, string> = {
  runs: 'runs',
  waits: 'needs you',
  off: 'off',
  unsupported: 'doesn’t run',
}

/** Enough of a digest to distinguish them; `allow` takes the same. */
const shownDigits = 12

export function listHooks(context: CliContext, flags: HookFlags): Promise<ExitCode> {
  return runMcpCommand(context, {}, async (command) => {
    const { id } = await command.workspace(flags.workspace)
    const found = await command.client.listWorkspaceHooks({ params: { id }, signal: command.signal })
    if (flags.json) command.printJson(found)
    else command.print(`${render(found, command).join('\n')}\n`)
    return exitCodes.completed
  })
}

export function allowHook(context: CliContext, digest: string, flags: HookFlags): Promise<ExitCode> {
  return change(context, digest, flags, async ({ client, signal, asAdmin, print }, id, one) => {
    const body = { digest: one.digest ?? '', grant: flags.calls ? ('allow' as const) : ('run' as const) }
    await asAdmin(() => client.allowWorkspaceHook({ params: { id }, body, signal }))
    print(`Allowed: ${nameOf(one)}\nApplies from the next message\n`)
  })
}

export function revokeHook(context: CliContext, digest: string, flags: HookFlags): Promise<ExitCode> {
  return change(context, digest, flags, async ({ client, signal, asAdmin, print }, id, one) => {
    await asAdmin(() => client.revokeWorkspaceHook({ params: { id, digest: one.digest ?? '' }, signal }))
    print(`Revoked: ${nameOf(one)}\n`)
  })
}

function change(
  context: CliContext,
  start: string,
  flags: HookFlags,
  work: (command: McpCommand, workspaceId: string, one: Hook | Plugin) => Promise<void>,
): Promise<ExitCode> {
  return runMcpCommand(context, flags, async (command) => {
    const { id } = await command.workspace(flags.workspace)
    const { hooks, plugins } = await command.client.listWorkspaceHooks({
      params: { id },
      signal: command.signal,
    })
    const fitting = [...hooks, ...plugins].filter(({ digest }) => digest?.startsWith(start))
    const [one] = fitting
    if (!one || fitting.length > 1)
      throw new CliError(
        one
          ? `${fitting.length} digests start with ${exactLine(start)}. Give more of the digest.`
          : `No digest here starts with ${exactLine(start)}. Check again: dorkos hooks list`,
        exitCodes.failed,
      )
    await work(command, id, one)
    return exitCodes.completed
  })
}

const hookColumns: Column<Hook>[] = [
  { title: 'DIGEST', value: ({ digest }) => digest?.slice(0, shownDigits) ?? '' },
  { title: 'EVENT', value: ({ event, matcher }) => exactLine(matcher ? `${event} (${matcher})` : event) },
  { title: 'STATE', value: (hook) => `${states[hook.state]}${rightsOf(hook)}` },
  { title: 'FROM', value: ({ source, plugin }) => exactLine(plugin ?? source) },
  {
    title: 'RUNS',
    value: ({ runs, source, cut }) =>
      exactLine(runs ?? (source === 'dorkos' ? 'DorkOS’s own check' : '')) + (cut ? ' … (shortened)' : ''),
  },
]

/** What `allow` would agree to beside the command: the files that it names, as they are now. */
function scriptLines(hooks: readonly Hook[]): string[] {
  const naming = hooks.filter(({ scripts = [] }) => scripts.length > 0)
  const lines = naming.flatMap(({ digest = '', scripts = [] }) =>
    scripts.map((script) => `${digest.slice(0, shownDigits)}  ${exactLine(script)}`),
  )
  return lines.length === 0 ? [] : ['', 'Files they run, which your consent includes:', ...lines]
}

/** Why something of it does not count, where there is more to say than its state does. */
function whyLines({ hooks, plugins }: WorkspaceHooks): string[] {
  const reasons = [...hooks, ...plugins].flatMap((one) =>
    one.why === undefined ? [] : [`${exactLine(whereOf(one))}: ${exactLine(one.why)}`],
  )
  return reasons.length === 0 ? [] : ['', ...new Set(reasons)]
}

const whereOf = (one: Hook | Plugin) =>
  'event' in one ? `${one.event} (${one.kind}, ${one.file ?? one.plugin ?? one.source})` : `plugin ${one.id}`

const pluginColumns: Column<Plugin>[] = [
  { title: 'DIGEST', value: ({ digest }) => digest?.slice(0, shownDigits) ?? '' },
  { title: 'PLUGIN', value: ({ id }) => exactLine(id) },
  { title: 'STATE', value: ({ state }) => states[state] },
  { title: 'BRINGS', value: ({ brings }) => brings.map(({ part, count }) => `${count} ${part}`).join(', ') },
]

function render(found: WorkspaceHooks, { style }: McpCommand): string[] {
  const { hooks, plugins, faults, off } = found
  const width = Number.POSITIVE_INFINITY
  return [
    ...renderTable(hooks, hookColumns, width, style),
    ...scriptLines(hooks),
    ...(plugins.length > 0 ? ['', ...renderTable(plugins, pluginColumns, width, style)] : []),
    ...whyLines(found),
    ...(off ? ['', `Hooks are off (${off})`] : []),
    ...faults.map(({ file, reason }) => `${exactLine(file)}: ${exactLine(reason)}`),
  ]
}

function rightsOf({ decides, background, can_allow, consent }: Hook): string {
  if (!decides || background || !consent) return ''
  return consent.grant === 'allow' && can_allow ? ', can allow calls' : ', can deny calls'
}

function nameOf(one: Hook | Plugin): string {
  return 'event' in one ? exactLine(`${one.event}: ${one.runs ?? one.kind}`) : exactLine(`plugin ${one.id}`)
}

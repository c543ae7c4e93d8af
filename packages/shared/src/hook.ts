/** Hooks: what the CLI runs by itself when something happens in a session. */
import { z } from 'zod'

/**
 * Where a hook comes from. `session`: what is in use in a session brings it, such as a skill. `dorkos`: the server itself; it passes every
 * tool call through one. `other`: a place that this version does not know.
 */
export const hookSources = [
  'user',
  'project',
  'local',
  'plugin',
  'policy',
  'session',
  'dorkos',
  'other',
] as const
const hookSourceSchema = z.enum(hookSources)
export type HookSource = z.infer<typeof hookSourceSchema>

const hookSchema = z.object({
  /** Such as `PreToolUse`. */
  event: z.string(),
  /** For which tools or occasions only. */
  matcher: z.string().optional(),
  /** `command`, `prompt`, `agent`, `http`, `mcp_tool`; `callback` is code of a program that drives the CLI. */
  kind: z.string(),
  /** The command, prompt, address or tool; secrets are masked. Absent for a callback. */
  runs: z.string().optional(),
  /** `runs` goes on. */
  cut: z.boolean().optional(),
  source: hookSourceSchema,
  /** Of a plugin: `<plugin>@<marketplace>`. */
  plugin: z.string().optional(),
  /** Where it is known. */
  file: z.string().optional(),
  /** A further condition on the call, in the form of a permission rule. */
  condition: z.string().optional(),
  timeout_seconds: z.number().optional(),
  /** The turn does not wait for it. */
  background: z.boolean().optional(),
  once: z.boolean().optional(),
  /** It is there, but does not run: `off` says why. */
  disabled: z.boolean().optional(),
})
export type Hook = z.infer<typeof hookSchema>

/** Settings that cannot be used, with the hooks in them. */
const hookFaultSchema = z.object({ file: z.string(), reason: z.string() })
export type HookFault = z.infer<typeof hookFaultSchema>

/**
 * `policy`: the machine's policy turns all hooks off. `managed_only`: it lets only its own run. `plugin_only`: only its own and those of
 * plugins. `settings`: `disableAllHooks` in settings that count; those of the policy still run. DorkOS's own runs in any case.
 */
const hooksOffSchema = z.enum(['policy', 'managed_only', 'plugin_only', 'settings'])
export type HooksOff = z.infer<typeof hooksOffSchema>

export const workspaceHooksSchema = z.object({
  /** Who says so: the process of a session that runs there now, or, where none does, the files that it would read. */
  from: z.enum(['process', 'files']),
  /** In the order of the events of a turn. */
  hooks: z.array(hookSchema),
  /** There are more. */
  cut: z.boolean().optional(),
  off: hooksOffSchema.optional(),
  /** Hooks of the machine's policy that it keeps to itself. */
  unlisted: z.number().int().optional(),
  faults: z.array(hookFaultSchema),
})
export type WorkspaceHooks = z.infer<typeof workspaceHooksSchema>

/**
 * Hooks and plugins: what settings files have run by itself, or load into a session. None of it counts before a person has seen it: hooks of
 * a trusted workspace are covered by that trust; everything else needs a consent, which is bound to the content by a digest.
 */
import { z } from 'zod'
import { timeSchema } from './ids.ts'
import { saidSchema } from './words/said.ts'

/** Where a hook comes from. `dorkos`: the server itself; every tool call passes it. */
const hookSources = ['user', 'project', 'local', 'plugin', 'policy', 'dorkos'] as const
const hookSourceSchema = z.enum(hookSources)
export type HookSource = z.infer<typeof hookSourceSchema>

/**
 * What a person allows. `run`: it runs, and one that is asked about tool calls can refuse them and add context. `allow`: it may also let a
 * tool call run in the person's place. For a plugin, `run` means that it is loaded.
 */
const hookGrantSchema = z.enum(['run', 'allow'])
export type HookGrant = z.infer<typeof hookGrantSchema>

const hookConsentSchema = z.object({ grant: hookGrantSchema, principal: z.string(), at: timeSchema })
export type HookConsent = z.infer<typeof hookConsentSchema>

/**
 * `runs`: it counts. `waits`: nobody has allowed it, as it is now. `off`: settings or a policy turn it off. `unsupported`: it never
 * runs, being of a kind or in a place that only Claude Code itself could run, unseen; `why` says more.
 */
const hookStateSchema = z.enum(['runs', 'waits', 'off', 'unsupported'])
export type HookState = z.infer<typeof hookStateSchema>

/** What a person's consent is about, and whether it was given. */
const consentFields = {
  /** Names the content: another content has another digest. Absent for DorkOS's own. */
  digest: z.string().optional(),
  state: hookStateSchema,
  why: z.string().optional(),
  said: saidSchema.optional(),
  consent: hookConsentSchema.optional(),
}

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
  /** It is asked about tool calls (`PreToolUse`, `PermissionRequest`), so it needs a consent of its own, also in a trusted workspace. */
  decides: z.boolean().optional(),
  /**
   * Of those that decide: it can be let allow calls, too. Not one with a `condition`, since only Claude Code can tell exactly which calls are
   * meant; nor one in the background, since nobody waits for what it says.
   */
  can_allow: z.boolean().optional(),
  /** Files that its command names. Their content is part of the digest. */
  scripts: z.array(z.string()).optional(),
  ...consentFields,
})
export type Hook = z.infer<typeof hookSchema>

/** Settings that cannot be used, with the hooks in them. */
const hookFaultSchema = z.object({ file: z.string(), reason: z.string() })
export type HookFault = z.infer<typeof hookFaultSchema>

/**
 * `modules`: code that would run inside Claude Code itself; it is never loaded. `main_agent`: it sets the prompt and the tools of the whole
 * session. `forced_style`: it puts words of its own into every prompt. `programs`: on the path of commands.
 */
const pluginPartSchema = z.enum([
  'skills',
  'commands',
  'agents',
  'workflows',
  'programs',
  'mcp_servers',
  'lsp_servers',
  'output_style',
  'modules',
  'main_agent',
  'forced_style',
])
export type PluginPart = z.infer<typeof pluginPartSchema>

const pluginSchema = z.object({
  /** `<plugin>@<marketplace>`. */
  id: z.string(),
  root: z.string(),
  version: z.string().optional(),
  brings: z.array(z.object({ part: pluginPartSchema, count: z.number().int() })),
  ...consentFields,
})
export type Plugin = z.infer<typeof pluginSchema>

/**
 * `policy`: the machine's policy turns all hooks off. `managed_only`: it lets only its own run. `plugin_only`: only its own and those of
 * plugins. `settings`: `disableAllHooks` in settings that count; those of the policy still run. DorkOS's own runs in any case.
 */
const hooksOffSchema = z.enum(['policy', 'managed_only', 'plugin_only', 'settings'])
export type HooksOff = z.infer<typeof hooksOffSchema>

export const workspaceHooksSchema = z.object({
  /** In the order of the events of a turn. */
  hooks: z.array(hookSchema),
  plugins: z.array(pluginSchema),
  /** There are more. */
  cut: z.boolean().optional(),
  off: hooksOffSchema.optional(),
  faults: z.array(hookFaultSchema),
})
export type WorkspaceHooks = z.infer<typeof workspaceHooksSchema>

export const giveHookConsentSchema = z.object({
  /** As it was shown. */
  digest: z.string().min(1).max(200),
  grant: hookGrantSchema,
})

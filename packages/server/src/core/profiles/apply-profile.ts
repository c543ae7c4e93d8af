/** A profile and what was asked for besides → what the session is. What is asked for counts more, as far as the one who asks may. Pure. */
import { type ParsedBody, type PermissionMode, type Rule, say } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { SessionRecord } from '../ports/records.ts'
import { isMcpName } from './built-in-tools.ts'
import type { UsableProfile } from './profile-service.ts'

type Wanted = Pick<
  ParsedBody<'createSession'>,
  'model' | 'effort' | 'permission_mode' | 'max_turns' | 'budget_usd' | 'output_schema'
>

const askingModes: readonly PermissionMode[] = ['default', 'plan']

export function applyProfile(
  actor: Actor,
  usable: UsableProfile,
  wanted: Wanted,
): Partial<SessionRecord> & { profile: UsableProfile } {
  const { profile } = usable
  const mode = wanted.permission_mode ?? profile.permissions.mode
  const budget = profile.limits.budget_usd
  // The one who wrote the profile set these; who starts it must be somebody who could do so by hand.
  if (mode !== undefined && !askingModes.includes(mode))
    needApproval(actor, say('scope_needed_for_mode', { scope: 'approve', mode }))
  if (budget !== undefined && isMore(wanted.budget_usd, budget))
    needApproval(actor, say('scope_needed_for_budget', { scope: 'approve' }))
  return {
    profile: usable,
    model: wanted.model ?? profile.model,
    effort: wanted.effort ?? profile.effort,
    ...(mode !== undefined && { permissionMode: mode }),
    maxTurns: wanted.max_turns ?? profile.limits.max_turns,
    budgetUsd: wanted.budget_usd ?? budget,
    outputSchema: wanted.output_schema ?? profile.output_schema,
  }
}

/** 0 means no limit. */
function isMore(wanted: number | undefined, most: number): boolean {
  return wanted !== undefined && (wanted === 0 || wanted > most)
}

function needApproval({ scopes }: Actor, saying: ConstructorParameters<typeof AppError>[1]): void {
  if (scopes.includes('approve')) return
  throw new AppError('forbidden', saying, { details: { needs: 'approve', has: scopes } })
}

/** The profile's rules, in force in its session alone. */
export function profileRules({ id, principal, createdAt, profile }: SessionRecord): Rule[] {
  return (profile?.profile.permissions.rules ?? []).map(({ effect, tool, match }, index) => ({
    id: `${profile?.name}#${index + 1}`,
    effect,
    tool,
    ...(match !== undefined && { match }),
    pattern: true,
    scope: { kind: 'session', session_id: id },
    origin: 'profile',
    principal,
    created_at: createdAt,
  }))
}

/** Whether the profile keeps a tool of an MCP server from its session. The tools of DorkOS itself every session has. */
export function isToolLeftOut({ profile }: Pick<SessionRecord, 'profile'>, fullName: string): boolean {
  const { tools, disallowed_tools: disallowed = [] } = profile?.profile ?? {}
  if (!isMcpName(fullName) || fullName.startsWith('mcp__dorkos__')) return false
  const names = (list: readonly string[]) =>
    list.some((name) => name === fullName || fullName.startsWith(name.endsWith('__') ? name : `${name}__`))
  return names(disallowed) || (tools !== undefined && !names(tools))
}

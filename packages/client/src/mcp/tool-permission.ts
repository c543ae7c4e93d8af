/** What rules say about every call of a tool in a workspace, and what to do so that they say something else. Pure. */
import type { EndpointBody, Rule, Workspace } from '@dorkos/shared'

type Effect = Rule['effect']
/** `usual`: no rule; the permission mode decides. */
export type ToolPermission = 'usual' | Effect
export const toolPermissions: readonly ToolPermission[] = ['usual', 'allow', 'ask', 'deny']

type WorkspaceName = Pick<Workspace, 'id' | 'name'>

export interface ToolRules {
  /** Those for this tool in this workspace, and nothing else: what the choice writes and takes away. Strongest first. */
  own: readonly Rule[]
  /** The strongest that speaks of every call here, wherever it was written. */
  inForce: Rule | undefined
  /** Those for some calls only: one input, or one session. */
  partial: readonly Rule[]
}

const strength: Record<Effect, number> = { deny: 0, ask: 1, allow: 2 }

export function toolRules(rules: readonly Rule[], tool: string, workspace: WorkspaceName): ToolRules {
  const all = rules
    .filter((rule) => rule.revoked_at === undefined && isFor(rule, tool) && mayHold(rule, workspace))
    .toSorted((a, b) => strength[a.effect] - strength[b.effect])
  const whole = all.filter(isWhole)
  const own = whole.filter(({ origin, scope }) => origin !== 'configuration' && scope.kind === 'workspace')
  const [strongest] = whole
  return {
    own,
    // Of equals, the one that can be changed here.
    inForce: own.find(({ effect }) => effect === strongest?.effect) ?? strongest,
    partial: all.filter((rule) => !isWhole(rule)),
  }
}

export function chosenPermission({ own: [first] }: ToolRules): ToolPermission {
  return first?.effect ?? 'usual'
}

export interface PermissionChange {
  create?: EndpointBody<'createRule'>
  change?: { id: string; effect: Effect }
  /** Afterwards: until then the stricter of them hold. */
  revoke: readonly string[]
}

export function permissionChange(
  { own }: ToolRules,
  wanted: ToolPermission,
  tool: string,
  workspaceId: string,
): PermissionChange {
  const ids = own.map(({ id }) => id)
  if (wanted === 'usual') return { revoke: ids }
  const [kept] = own
  if (kept)
    return {
      ...(kept.effect !== wanted && { change: { id: kept.id, effect: wanted } }),
      revoke: ids.slice(1),
    }
  return {
    create: { effect: wanted, tool, scope: { kind: 'workspace', workspace_id: workspaceId } },
    revoke: [],
  }
}

/** To take an "allow" back makes things stricter, so who answers approvals may; all else needs `admin`. */
export function maySet(
  { own }: ToolRules,
  wanted: ToolPermission,
  may: { admin: boolean; approve: boolean },
): boolean {
  if (may.admin) return true
  return may.approve && wanted === 'usual' && own.every(({ effect }) => effect === 'allow')
}

const isWhole = ({ match, scope }: Rule): boolean => match === undefined && scope.kind !== 'session'

/** A rule of the configuration names its workspace by name, one of the store by id. */
function mayHold({ scope, origin }: Rule, { id, name }: WorkspaceName): boolean {
  return scope.kind !== 'workspace' || scope.workspace_id === (origin === 'configuration' ? name : id)
}

function isFor(rule: Rule, tool: string): boolean {
  return rule.pattern === true ? fitsPattern(rule.tool, tool) : rule.tool === tool
}

/** Each `*` stands for anything. */
function fitsPattern(pattern: string, tool: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return tool === start
  if (!tool.startsWith(start) || !tool.endsWith(end)) return false
  let at = start.length
  for (const part of rest) {
    const found = tool.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= tool.length - end.length
}

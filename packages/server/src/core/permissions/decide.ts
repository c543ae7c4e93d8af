/** What becomes of a tool call: pure decisions. Deny beats ask beats allow. */
import type { Decider, Rule } from '@dorkos/shared'
import type { ToolCallVerdict } from '../ports/agent.ts'
import { isInside } from '../real-path.ts'
import { isObeyedFile } from './obeyed-files.ts'
import { type CallScope, commandRules, ruleApplies } from './rule-match.ts'
import type { SeenCall } from './seen-call.ts'
import {
  alwaysAskTools,
  changesFiles,
  harmlessTools,
  kindOf,
  proposingTools,
  readsFiles,
  runsCommands,
  seedTools,
} from './tool-names.ts'

export type Decision =
  | { kind: 'allow'; by: Decider }
  | { kind: 'deny'; by: Decider; message: string }
  /** `forPerson`: nothing else may answer it, neither a rule nor a hook. */
  | { kind: 'ask'; forPerson: boolean }

export interface Circumstances {
  scope: CallScope
  /** Of whoever makes the call. */
  permissionMode: string
  /** Of the session, which a subagent's own must not loosen. */
  sessionMode: string
  /** A skill or command is in use in this turn. What its `allowed-tools` names the CLI would let run unasked. */
  skillInUse: boolean
  /** Settings open the sandbox for commands. */
  sandboxLoosened: boolean
  /** Nobody watches: what would be asked is denied. */
  unattended: boolean
  /** A person knows that an agent works in this folder. */
  folderConfirmed: boolean
  /** All that hold, of the store and of the configuration. */
  rules: readonly Rule[]
  /** Folders that no tool may touch, links followed. */
  protectedFolders: readonly string[]
  /** Where the session works, without links: the only places where file tools write unasked. */
  directories: readonly string[]
}

/** For a call that the CLI asks about. */
export function decidePermission(call: SeenCall, now: Circumstances): Decision {
  const denial = findDenial(call, now)
  if (denial) return denial
  const forPerson = !mayRunUnasked(call, now)
  if (!forPerson) {
    const rule = findRule('allow', call, now)
    if (rule) return { kind: 'allow', by: ruleDecider(rule) }
    if (seedTools.has(call.tool) && modesThatAskLess.has(now.permissionMode))
      return { kind: 'allow', by: { kind: 'mode' } }
    if (proposingTools.has(call.tool)) return { kind: 'allow', by: { kind: 'server' } }
  }
  if (!now.unattended) return { kind: 'ask', forPerson }
  return { kind: 'deny', by: { kind: 'unattended' }, message: unattendedMessage(call.tool) }
}

/** For a call before anything else is decided about it, in every mode. `by` says who denied it. */
export function verdictForToolCall(
  call: SeenCall,
  now: Circumstances,
): { verdict: ToolCallVerdict; by: Decider | undefined } {
  const denial = findDenial(call, now)
  if (denial) return { verdict: { verdict: 'deny', message: denial.message }, by: denial.by }
  if (alwaysAskTools.has(call.tool))
    return { verdict: { verdict: 'ask', reason: 'This tool always asks.' }, by: undefined }
  if (!now.folderConfirmed) return { verdict: { verdict: 'ask', reason: unconfirmedReason }, by: undefined }
  const rule = findRule('ask', call, now)
  if (rule) return { verdict: { verdict: 'ask', reason: `A rule asks (${rule.id}).` }, by: undefined }
  const reason = whyNotUnasked(call, now)
  if (reason !== undefined) return { verdict: { verdict: 'ask', reason }, by: undefined }
  const verdict = verdictForUnaskedFetch(call, now) ?? verdictForUnaskedEdit(call, now)
  return verdict ?? { verdict: { verdict: 'pass', commandRules: cliRules(now) }, by: undefined }
}

/** What the CLI is to let run by itself, in the form of its own rules. */
function cliRules({ rules, scope }: Circumstances): string[] {
  return commandRules(rules, scope).flatMap(({ match }) => match ?? [])
}

/**
 * Who let a command run that the CLI matched with a rule of ours, for the audit: the one that it begins with. It
 * decides nothing, so it may miss one that the CLI found behind a word such as `timeout`.
 */
export function commandRuleOf(
  { tool, subject }: SeenCall,
  { rules, scope }: Circumstances,
): Decider | undefined {
  if (tool !== 'Bash') return undefined
  const rule = commandRules(rules, scope).find(({ match = '' }) =>
    `${subject.trim()} `.startsWith(match.slice(0, -1)),
  )
  return rule && ruleDecider(rule)
}

/** Why the CLI's own judgement does not count for a call, which then is decided here; undefined where it does. */
function whyNotUnasked(call: SeenCall, now: Circumstances): string | undefined {
  if (looseness(now.permissionMode) > looseness(now.sessionMode))
    return 'The subagent that calls it has a looser mode than the session.'
  if (now.skillInUse && now.permissionMode !== 'bypassPermissions' && !isUnaskedAnyway(call, now))
    return 'A skill is in use, and may have allowed itself this tool.'
  if (now.sandboxLoosened && runsCommands(call.tool))
    return 'Settings of Claude Code open the sandbox for commands, so each one asks.'
  // To the CLI its rules for Bash are for both of these, too (2.1.325).
  const isMore = runsCommands(call.tool) && (call.tool !== 'Bash' || call.input.dangerouslyDisableSandbox)
  if (isMore && now.permissionMode !== 'bypassPermissions' && cliRules(now).length > 0)
    return 'A rule for commands holds here, and none is for commands that run in this way.'
  return undefined
}

/** How little a mode asks; what is not known counts as the loosest. */
function looseness(mode: string): number {
  const known = [['default', 'plan', 'dontAsk'], ['acceptEdits'], ['bypassPermissions']]
  const at = known.findIndex((modes) => modes.includes(mode))
  return at < 0 ? known.length : at
}

/** What no mode asks about, skill or not: reading files where it works, and what concerns only the agent itself. */
function isUnaskedAnyway({ tool, paths }: SeenCall, { permissionMode, directories }: Circumstances): boolean {
  const isHere = paths.every(({ real }) => directories.some((folder) => isInside(folder, real)))
  if (readsFiles(tool)) return isHere
  if (changesFiles(tool)) return isHere && permissionMode === 'acceptEdits'
  return harmlessTools.has(tool) || kindOf(tool) !== 'tool'
}

/**
 * The CLI (2.1.325) fetches from hosts of a list of its own unasked, in every mode, and an address can carry out
 * whatever the agent knows. Bypass asks about no host.
 */
function verdictForUnaskedFetch(
  { tool }: SeenCall,
  { permissionMode }: Circumstances,
): { verdict: ToolCallVerdict; by: Decider | undefined } | undefined {
  if (tool !== 'WebFetch' || permissionMode === 'bypassPermissions') return undefined
  if (permissionMode === 'dontAsk')
    return { verdict: { verdict: 'deny', message: unfetchedMessage }, by: { kind: 'mode' } }
  const reason = 'It sends a request out of this machine, and its address may give something away.'
  return { verdict: { verdict: 'ask', reason }, by: undefined }
}

const unfetchedMessage =
  'Nobody is asked in dontAsk, so nothing is fetched from the web. Go on without it, or end and say what you would have needed.'

/**
 * In bypass mode the CLI asks about no file. The sandbox does not bind its file tools, so they would be the way out of
 * it: into what runs outside, or to any file of the owner's. In the other modes the CLI asks by itself.
 */
function verdictForUnaskedEdit(
  { tool, paths }: SeenCall,
  { permissionMode, directories }: Circumstances,
): { verdict: ToolCallVerdict; by: Decider | undefined } | undefined {
  if (permissionMode !== 'bypassPermissions' || !changesFiles(tool)) return undefined
  if (paths.some(({ meant, real }) => isObeyedFile(meant) || isObeyedFile(real)))
    return { verdict: { verdict: 'deny', message: obeyedMessage }, by: { kind: 'server' } }
  const isOutside = paths.some(({ real }) => !directories.some((folder) => isInside(folder, real)))
  if (!isOutside) return undefined
  return { verdict: { verdict: 'ask', reason: 'The file is outside of the workspace.' }, by: undefined }
}

const obeyedMessage =
  'Programs obey this file outside of the sandbox, so agents do not write it in bypassPermissions. Say which change you need; a person can make it, or allow it in another mode.'

export function findDenial(
  call: SeenCall,
  now: Circumstances,
): Extract<Decision, { kind: 'deny' }> | undefined {
  const touches = now.protectedFolders.some((folder) =>
    call.paths.some(({ meant, real }) => isInside(folder, meant) || isInside(folder, real)),
  )
  if (touches) {
    const message = 'This path is in the folder where DorkOS keeps its state; agents have no access to it.'
    return { kind: 'deny', by: { kind: 'server' }, message }
  }
  const rule = findRule('deny', call, now)
  if (!rule) return undefined
  const message = `A rule of the owner denies this call (${rule.id}). Do not try to reach the same in another way; say what you need instead.`
  return { kind: 'deny', by: ruleDecider(rule), message }
}

const modesThatAskLess: ReadonlySet<string> = new Set(['acceptEdits', 'bypassPermissions'])

const unconfirmedReason =
  'This session works outside of any workspace, and nobody has confirmed its folder yet: so every call asks.'

function mayRunUnasked(call: SeenCall, now: Circumstances): boolean {
  return (
    now.folderConfirmed &&
    kindOf(call.tool) === 'tool' &&
    !alwaysAskTools.has(call.tool) &&
    !findRule('ask', call, now)
  )
}

function findRule(effect: Rule['effect'], call: SeenCall, { rules, scope }: Circumstances): Rule | undefined {
  return rules.find((rule) => rule.effect === effect && ruleApplies(rule, call, scope))
}

function ruleDecider(rule: Rule): Decider {
  return { kind: 'rule', rule_id: rule.id, rule_name: ruleName(rule), principal: rule.principal }
}

const longestName = 200

/** As people write rules of Claude Code: `Bash(npm test)`. */
function ruleName({ tool, match, fields }: Rule): string {
  const name = match === undefined ? tool : `${tool}(${match}${fields ? ', …' : ''})`
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name
}

function unattendedMessage(tool: string): string {
  return `Nobody watches this session, and no rule allows ${tool}, so it was denied. Go on without it, or end and say what you would have needed.`
}

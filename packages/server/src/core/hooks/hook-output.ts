/** What a hook's end means: for the agent, for a tool call, and for those who follow. As the CLI takes it (2.1.325). Pure. */
import { isRecord, type NewEvent } from '@dorkos/shared'
import { hookResult } from '../event-map/map-hooks.ts'
import { defined, type Fields, record, text } from '../event-map/untrusted.ts'
import type { HookEnd } from '../ports/hook-runner.ts'

/** Whoever ends with this objects. */
const objects = 2
/** Their plain words go to the model. */
const heardByModel: ReadonlySet<string> = new Set(['UserPromptSubmit', 'UserPromptExpansion', 'SessionStart'])
/** Where nothing can be stopped any more, an objection is only reported. */
const unstoppable: ReadonlySet<string> = new Set(['Notification', 'SessionStart', 'SessionEnd', 'Setup'])

/**
 * The answer to the CLI, for an event that decides nothing about tools: words for the model, and whether to go on. All else that a hook could
 * say (a message in a person's name, an answer to a form, another result of a tool) does not count.
 */
export function outputFor(event: string, end: HookEnd): Record<string, unknown> {
  const answer = answerOf(end)
  if (answer === undefined) return objectionOrWords(event, end)
  const context = text(record(answer.hookSpecificOutput).additionalContext)
  return defined({
    continue: answer.continue === false ? false : undefined,
    stopReason: text(answer.stopReason),
    decision: answer.decision === 'block' ? 'block' : undefined,
    reason: text(answer.reason),
    suppressOutput: answer.suppressOutput === true ? true : undefined,
    hookSpecificOutput: context === undefined ? undefined : contextFor(event, context),
  })
}

function objectionOrWords(event: string, end: HookEnd): Record<string, unknown> {
  if (end.exitCode === objects && !unstoppable.has(event))
    return { decision: 'block', reason: end.stderr.trim() || 'A hook objected.' }
  const words = end.exitCode === 0 ? end.stdout.trim() : ''
  return words !== '' && heardByModel.has(event) ? { hookSpecificOutput: contextFor(event, words) } : {}
}

const contextFor = (event: string, additionalContext: string) => ({ hookEventName: event, additionalContext })

export function contextOf(output: Fields): string | undefined {
  return text(record(output.hookSpecificOutput).additionalContext)
}

/** What a hook says about a tool call. */
export interface ToolOpinion {
  says: 'nothing' | 'allow' | 'ask' | 'deny'
  reason?: string
  /** It wants another input to run. */
  rewrites?: boolean
  context?: string
}

export function opinionOf(event: 'PreToolUse' | 'PermissionRequest', end: HookEnd): ToolOpinion {
  const answer = answerOf(end)
  if (answer === undefined) {
    if (end.exitCode !== objects) return { says: 'nothing' }
    return { says: 'deny', reason: end.stderr.trim() || 'A hook refused this call.' }
  }
  const own = record(answer.hookSpecificOutput)
  const decision = event === 'PreToolUse' ? own : record(own.decision)
  const said = text(event === 'PreToolUse' ? own.permissionDecision : decision.behavior)
  return defined({
    says:
      answer.continue === false ? 'deny' : (opinions.get(said ?? text(answer.decision) ?? '') ?? 'nothing'),
    reason:
      text(own.permissionDecisionReason) ??
      text(decision.message) ??
      text(answer.reason) ??
      text(answer.stopReason),
    rewrites: isRecord(decision.updatedInput) || decision.updatedPermissions !== undefined || undefined,
    context: text(own.additionalContext),
  })
}

const opinions: ReadonlyMap<string, ToolOpinion['says']> = new Map([
  ['allow', 'allow'],
  ['approve', 'allow'],
  ['deny', 'deny'],
  ['block', 'deny'],
  ['ask', 'ask'],
])

/** What is published of it, in the words in which the CLI reports hooks that it runs itself. */
export function eventsOf(name: string, end: HookEnd): NewEvent[] {
  const outcome = end.outcome === 'cancelled' ? 'cancelled' : end.exitCode === 0 ? 'success' : 'error'
  const { stdout, stderr, exitCode } = end
  return hookResult({ hook_name: name, outcome, stdout, stderr, exit_code: exitCode }) ?? []
}

/** The JSON that it answered; undefined for plain words, and for one that did not end well. */
function answerOf({ exitCode, stdout }: HookEnd): Fields | undefined {
  if (exitCode !== 0 || !stdout.trimStart().startsWith('{')) return undefined
  try {
    const answer: unknown = JSON.parse(stdout)
    return isRecord(answer) ? answer : undefined
  } catch {
    return undefined
  }
}

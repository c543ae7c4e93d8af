/**
 * Hooks of the settings: what they said, and whether they failed or held the agent up. Live the CLI reports the end of each
 * (`hook_response`, with `--include-hook-events`; not of the host's own); a transcript has attachments. All as seen with CLI 2.1.325.
 */
import { isRecord, type NewEvent } from '@dorkos/shared'
import type { CliMessage } from '../ports/agent.ts'
import { short } from './bounded-value.ts'
import { type Fields, list, record, text } from './untrusted.ts'

type HookResult = Extract<NewEvent, { type: 'hook_result' }>

/** Nothing for one that had nothing to say. Undefined for what is no end of a hook. */
export function hookResult(message: Fields): HookResult[] | undefined {
  const name = text(message.hook_name) ?? text(message.hook_event)
  if (name === undefined) return undefined
  const result = whatItDid(message)
  if (result === undefined || isPublishedElsewhere(name, result.outcome)) return []
  return [
    { type: 'hook_result', hook: short(name), outcome: result.outcome, output: short(result.output.trim()) },
  ]
}

/** The call's own result says that it was denied; a notice says that a message was refused. */
function isPublishedElsewhere(name: string, outcome: HookResult['outcome']): boolean {
  return outcome === 'blocked' && /^(?:PreToolUse|UserPromptSubmit)(?::|$)/.test(name)
}

function whatItDid(message: Fields): Pick<HookResult, 'outcome' | 'output'> | undefined {
  const printed = text(message.stdout) ?? ''
  const faults = text(message.stderr) ?? ''
  if (message.outcome === 'cancelled') return { outcome: 'cancelled', output: faults || printed }
  if (message.outcome === 'error')
    return { outcome: message.exit_code === 2 ? 'blocked' : 'failed', output: faults || printed }
  const answer = jsonAnswer(printed)
  if (answer === undefined) return said(printed)
  return whatItAnswered(answer)
}

function whatItAnswered(answer: Fields): Pick<HookResult, 'outcome' | 'output'> | undefined {
  const own = record(answer.hookSpecificOutput)
  const words = text(answer.systemMessage)
  const isBlocked = answer.decision === 'block' || answer.continue === false
  if (isBlocked || own.permissionDecision === 'deny') {
    const reason = text(answer.continue === false ? answer.stopReason : answer.reason)
    return { outcome: 'blocked', output: reason ?? text(own.permissionDecisionReason) ?? words ?? '' }
  }
  if (words !== undefined) return said(words)
  return answer.suppressOutput === true ? undefined : said(text(own.additionalContext) ?? '')
}

function said(output: string): Pick<HookResult, 'outcome' | 'output'> | undefined {
  return output.trim() === '' ? undefined : { outcome: 'said', output }
}

/** What a hook answers to the CLI; undefined for plain words. */
function jsonAnswer(printed: string): Fields | undefined {
  if (!printed.trimStart().startsWith('{')) return undefined
  try {
    const answer: unknown = JSON.parse(printed)
    return isRecord(answer) ? answer : undefined
  } catch {
    return undefined
  }
}

/** `PostToolUse:Bash says: …`: what `hook_result` has said. */
export function isHookWord({ content, level }: Fields): boolean {
  return level === 'notice' && typeof content === 'string' && /^[A-Z][A-Za-z]+(?::\S+)? says: /.test(content)
}

const feedback = /^[A-Z][A-Za-z]+ hook feedback:\n/

/** The CLI's own message to the model, of a hook that does not let it stop. */
export function isHookFeedback(content: unknown): boolean {
  const words = typeof content === 'string' ? content : text(record(list(content)[0]).text)
  return words !== undefined && feedback.test(words)
}

/** An attachment of a transcript → the message that the CLI sent live. */
export function hookAttachment(content: Fields): CliMessage | undefined {
  const { hookName, hookEvent, stdout, exitCode } = content
  const ended = {
    type: 'system',
    subtype: 'hook_response',
    hook_name: hookName,
    hook_event: hookEvent,
  } as const
  switch (content.type) {
    case 'hook_success':
      return { ...ended, outcome: 'success', stdout }
    case 'hook_non_blocking_error':
      return {
        ...ended,
        outcome: 'error',
        stdout,
        stderr: withoutStatus(content.stderr),
        exit_code: exitCode,
      }
    case 'hook_blocking_error':
      return {
        ...ended,
        outcome: 'error',
        stderr: blockingWords(record(content.blockingError)),
        exit_code: 2,
      }
    case 'hook_cancelled':
      return { ...ended, outcome: 'cancelled' }
    default:
      return undefined
  }
}

/** Of a hook that ends with status 2 when the agent would stop, a transcript has this message alone. */
export function hookFeedback(content: string): CliMessage | undefined {
  const found = /^([A-Z][A-Za-z]+) hook feedback:\n\[[^\n]*?\]: ([\s\S]*)$/.exec(content)
  if (found === null) return undefined
  const [, hook, stderr] = found
  return { type: 'system', subtype: 'hook_response', hook_name: hook, outcome: 'error', stderr, exit_code: 2 }
}

function withoutStatus(stderr: unknown): string {
  return (text(stderr) ?? '').replace(/^Failed with non-blocking status code: /, '')
}

function blockingWords({ blockingError, command }: Fields): string {
  const words = text(blockingError) ?? ''
  const prefix = `[${text(command) ?? ''}]: `
  return words.startsWith(prefix) ? words.slice(prefix.length) : words
}

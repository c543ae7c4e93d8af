/** Events that are shown in one line, or not at all. */
import type { Decider, StreamEvent } from '@dorkos/shared'
import { formatUsd } from './amounts.ts'
import { oneLine } from './escape.ts'
import type { Style } from './style.ts'

/** Undefined for events that a terminal does not show. */
export function renderNotice(event: StreamEvent, style: Style): string | undefined {
  switch (event.type) {
    case 'approval_resolved':
    case 'question_resolved':
      return renderResolved(event, style)
    case 'todo_update':
      return event.todos
        .map(({ content, status }) => style.dim(`  ${todoMark(status)} ${oneLine(content)}`))
        .join('\n')
    case 'subagent_start':
      return style.dim(`  agent: ${oneLine(event.description ?? event.agent ?? 'started')}`)
    case 'compact_boundary':
      return style.dim('(the conversation was compacted)')
    case 'api_retry':
      return style.yellow(`! the model didn’t answer${because(event.message)}; retrying (${event.attempt})`)
    case 'rate_limit':
      return event.status === 'allowed'
        ? undefined
        : style.yellow(`! rate limit: ${oneLine(event.status)}${until(event.resets_at)}`)
    case 'cost_update':
      return event.budget ? renderBudget(event.budget, style) : undefined
    case 'error':
      return style.red(`! ${oneLine(event.message)}`)
    case 'notice':
      return event.level === 'warning'
        ? style.yellow(`! ${oneLine(event.message)}`)
        : style.dim(oneLine(event.message))
    case 'hook_result':
      return renderHook(event, style)
    case 'mcp_status': {
      const failed = event.servers.filter(({ status }) => status === 'failed')
      if (failed.length === 0) return undefined
      return style.yellow(`! MCP server failed: ${oneLine(failed.map(({ name }) => name).join(', '))}`)
    }
    default:
      return undefined
  }
}

function renderHook(event: Extract<StreamEvent, { type: 'hook_result' }>, style: Style): string {
  const words = oneLine(`hook ${event.hook}${hookWords[event.outcome]}${event.output && `: ${event.output}`}`)
  return event.outcome === 'said' ? style.dim(words) : style.yellow(`! ${words}`)
}

const hookWords = {
  said: '',
  failed: ' failed',
  cancelled: ' was interrupted',
  blocked: ' objected',
} as const

function renderResolved(
  event: Extract<StreamEvent, { type: 'approval_resolved' | 'question_resolved' }>,
  style: Style,
): string {
  const who = deciderName(event.decided_by)
  switch (event.state) {
    case 'allowed': {
      const word =
        event.type === 'question_resolved'
          ? 'answered'
          : 'edited' in event && event.edited
            ? 'allowed, edited,'
            : 'allowed'
      return style.dim(`  ${word}${who}`)
    }
    case 'denied':
      return style.red(`  denied${who}${because(event.message)}`)
    case 'expired':
      return style.red('  expired: no one answered in time')
    default:
      return style.yellow(`  no longer asked${because(event.message)}`)
  }
}

const otherNames: { readonly [K in Decider['kind']]?: string } = {
  mode: 'the permission mode',
  agent: 'an agent',
  schedule: 'a schedule',
}

/** ` by …`, or nothing. */
function deciderName(decider: Decider | undefined): string {
  if (!decider) return ''
  if (decider.kind !== 'person') return ` by ${otherNames[decider.kind] ?? `the ${decider.kind}`}`
  const name = decider.token_name ?? decider.principal
  return name === undefined ? '' : ` by ${oneLine(name, 60)}`
}

function renderBudget(
  budget: { kind: string; limit_usd: number; used: number; reached: boolean },
  style: Style,
): string {
  const of = `of the ${budget.kind} budget of ${formatUsd(budget.limit_usd)}`
  return budget.reached
    ? style.red(`! used up: all ${of}`)
    : style.yellow(`! ${Math.round(budget.used * 100)} % ${of} used`)
}

function todoMark(status: string): string {
  return status === 'completed' ? '☑' : status === 'in_progress' ? '▸' : '☐'
}

function because(message: string | undefined): string {
  return message ? ` (${oneLine(message, 200)})` : ''
}

function until(time: string | undefined): string {
  return time === undefined ? '' : `, until ${time}`
}

/** Whether a server works, for whoever has just tried it. */
import type { McpServerDetails } from '@dorkos/shared'
import { formatDuration } from '../amounts.ts'
import { exactLine } from '../escape.ts'
import type { Style } from '../style.ts'
import { markOf, stateMarks } from './mcp-mark.ts'
import { count } from './render-mcp-list.ts'
import { renderStderr } from './render-mcp-server.ts'
import { signInHint } from './sign-in-hint.ts'

const shownStderr = 10

/** A server that failed and waits for its next try has failed. */
export function renderOutcome({ server, stderr, faults }: McpServerDetails, style: Style): string[] {
  const { health, held_tools } = server
  const hasFailed = health?.state === 'pending' && health.error !== undefined
  const { text, color } = hasFailed ? stateMarks.failed : markOf(server)
  const head = `${style[color](text)} ${exactLine(server.name)}`
  if (health?.state !== 'connected') {
    const why = health?.error ?? server.message ?? 'no response yet'
    const hint = signInHint(server)
    return [
      `${head}: ${exactLine(why)}`,
      ...(hint === undefined ? [] : [`    ${hint}`]),
      ...renderStderr(stderr.slice(-shownStderr), style),
    ]
  }
  const facts = [
    count(health.tools, 'tool'),
    ...(health.connect_ms === undefined ? [] : [formatDuration(health.connect_ms)]),
    ...(held_tools > 0 ? [`${held_tools} to review (dorkos mcp accept)`] : []),
  ]
  return [`${head}: ${facts.join(', ')}`, ...faults.map((fault) => `    ${exactLine(fault)}`)]
}

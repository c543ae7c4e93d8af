import { isRecord } from '@dorkos/processes'
/** The model's own id of a tool call, which the CLI sends along with the MCP request. */

export function toolUseIdOf(params: Record<string, unknown>): string | undefined {
  const meta = params._meta
  const id = isRecord(meta) ? meta['claudecode/toolUseId'] : undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** For callers that send none. */
export function newToolUseId(): string {
  return `toolu_local_${crypto.randomUUID()}`
}

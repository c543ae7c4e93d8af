/** Fields of events as they are, not as the contract says: the stream is not checked against all of it. */
import { isRecord, type McpServerHealth, readMcpStatus, type Said } from '@dorkos/shared'
import type { ContentBlock } from './page-session.ts'

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** What the server says, apart from its sentence. */
export const saidOf = (value: unknown): Said | undefined =>
  isRecord(value) && typeof value.reason === 'string'
    ? { reason: value.reason, ...(isRecord(value.params) && { params: value.params }) }
    : undefined

/** The entries of a list that are objects. */
export function recordsOf<T extends object>(value: readonly T[] | undefined): readonly T[] {
  if (!Array.isArray(value)) return []
  const list: readonly T[] = value
  return list.every((one) => isRecord(one)) ? list : list.filter((one) => isRecord(one))
}

/** In old logs, a status can have its old spelling. */
export function mcpServersOf(value: readonly McpServerHealth[] | undefined): readonly McpServerHealth[] {
  return recordsOf(value).map((one) => ({
    ...one,
    status: readMcpStatus(one.status) as McpServerHealth['status'],
  }))
}

export function blocksOf(value: unknown): readonly ContentBlock[] {
  if (!Array.isArray(value)) return []
  const isBlock = (block: unknown): block is ContentBlock => isRecord(block) && typeof block.type === 'string'
  return value.every(isBlock) ? value : value.filter(isBlock)
}

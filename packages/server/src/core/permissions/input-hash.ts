import { createHash } from 'node:crypto'
import { canonicalJson } from '@dorkos/mcp-gateway'

/** SHA-256 over the canonical JSON, in hex: what an answer is bound to. */
export function inputHash(input: Record<string, unknown>): string {
  return hashText(canonicalJson(input))
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

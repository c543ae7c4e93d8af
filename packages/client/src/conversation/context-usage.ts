/** How full the context is, read from the CLI's answer (seen with CLI 2.1.325). Undefined where it cannot be read. */
export interface ContextUsage {
  percent: number
  used: number
  most: number
  /** At which share the CLI summarises by itself. */
  compactsAt: number | undefined
  parts: readonly ContextPart[]
}

interface ContextPart {
  name: string
  tokens: number
  kind: 'used' | 'buffer' | 'free'
}

export function readContextUsage(answer: Readonly<Record<string, unknown>>): ContextUsage | undefined {
  const most = count(answer.maxTokens)
  const used = count(answer.totalTokens)
  if (most === undefined || used === undefined || most === 0) return undefined
  const threshold = count(answer.autoCompactThreshold)
  return {
    percent: clamp(Math.round((used / most) * 100)),
    used,
    most,
    compactsAt: threshold === undefined ? undefined : clamp(Math.round((threshold / most) * 100)),
    parts: Array.isArray(answer.categories) ? answer.categories.slice(0, 30).flatMap(partOf) : [],
  }
}

function partOf(value: unknown): ContextPart[] {
  if (typeof value !== 'object' || value === null) return []
  const { name, tokens, kind } = value as Record<string, unknown>
  const size = count(tokens)
  if (typeof name !== 'string' || size === undefined) return []
  return [{ name, tokens: size, kind: kind === 'free' || kind === 'buffer' ? kind : 'used' }]
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, percent))
}

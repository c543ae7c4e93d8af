/** Which live processes to end: those idle too long, and the least recently used when there are too many or they are too large. */

export interface ProcessUse {
  sessionId: string
  /** On the monotonic clock. */
  lastUsed: number
  /** It works, waits for a person, has a message to do, or background work: never ended. */
  busy: boolean
  memoryMb: number
  /** Of a spare process, which goes before any other: until when somebody may need it, on the monotonic clock. */
  spareUntil?: number | undefined
}

export interface ProcessLimits {
  now: number
  idleMs: number
  maxLive: number
  maxMemoryMb: number
  /** How many more are about to start. */
  wanted: number
}

export function processesToEnd(processes: readonly ProcessUse[], limits: ProcessLimits): string[] {
  const ended = new Set<string>()
  const idle = processes.filter(({ busy }) => !busy).toSorted(byUse)
  for (const { sessionId, lastUsed, spareUntil } of idle)
    if (limits.now >= (spareUntil ?? lastUsed + limits.idleMs)) ended.add(sessionId)
  let count = processes.length - ended.size
  let memory = sum(processes.filter(({ sessionId }) => !ended.has(sessionId)))
  for (const { sessionId, memoryMb } of idle) {
    if (count + limits.wanted <= limits.maxLive && memory <= limits.maxMemoryMb) break
    if (ended.has(sessionId)) continue
    ended.add(sessionId)
    count--
    memory -= memoryMb
  }
  return [...ended]
}

/** Those first that are missed least. */
function byUse(a: ProcessUse, b: ProcessUse): number {
  const isSpare = ({ spareUntil }: ProcessUse) => Number(spareUntil !== undefined)
  return isSpare(b) - isSpare(a) || a.lastUsed - b.lastUsed
}

function sum(processes: readonly ProcessUse[]): number {
  return processes.reduce((total, { memoryMb }) => total + memoryMb, 0)
}

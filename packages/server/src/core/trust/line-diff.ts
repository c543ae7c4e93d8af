/** A small unified diff of two texts. Bounded in time and size. */

const CONTEXT = 2
/** Lines that are compared one by one, beyond what is alike at the beginning and the end. */
const MAX_COMPARED = 600
const MAX_LINES = 200
const MAX_LINE = 400

export interface LineDiff {
  diff: string
  /** Not all of it is shown. */
  cut: boolean
}

export function lineDiff(before: string, after: string): LineDiff {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++
  const from = Math.max(0, start - CONTEXT)
  const changed = middle(old.slice(start, old.length - end), now.slice(start, now.length - end))
  const tail = old.slice(old.length - end, old.length - end + CONTEXT)
  const lines = [
    `@@ line ${from + 1} @@`,
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...changed,
    ...tail.map((line) => ` ${line}`),
  ]
  const short = withoutFarContext(lines)
  const shown = short.slice(0, MAX_LINES)
  return {
    diff: shown.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line)).join('\n'),
    cut: short.length > shown.length || shown.some((line) => line.length > MAX_LINE),
  }
}

/** The longest common lines stay; where there is too much to compare, all of one is replaced by all of the other. */
function middle(old: string[], now: string[]): string[] {
  if (old.length * now.length > MAX_COMPARED * MAX_COMPARED)
    return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)]
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? 1 + (common[(i + 1) * width + j + 1] ?? 0)
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0)
  const lines: string[] = []
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(` ${old[i]}`)
      i++
      j++
    } else if (
      i < old.length &&
      (j >= now.length || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    )
      lines.push(`-${old[i++]}`)
    else lines.push(`+${now[j++]}`)
  }
  return lines
}

function withoutFarContext(lines: string[]): string[] {
  const near = lines.map(
    (line, at) =>
      !line.startsWith(' ') ||
      lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((other) => /^[-+]/.test(other)),
  )
  return lines.flatMap((line, at) => (near[at] ? [line] : near[at - 1] ? ['…'] : []))
}

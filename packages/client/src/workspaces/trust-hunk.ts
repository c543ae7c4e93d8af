/** The diff of something that trust covers → a hunk with line numbers. Pure. */

export interface TrustHunk {
  oldStart: number
  newStart: number
  lines: readonly string[]
}

/**
 * It begins with `@@ line 4 @@`, which holds for both sides: all before it is alike. Undefined where lines in between are left out (`…`):
 * then the numbers after them are not known, and none are better than wrong ones.
 */
export function trustHunk(diff: string): TrustHunk | undefined {
  const [head = '', ...lines] = diff.split('\n')
  const start = /^@@ line (\d+) @@$/.exec(head)?.[1]
  if (start === undefined || lines.some((line) => !/^[-+ ]/.test(line))) return undefined
  return { oldStart: Number(start), newStart: Number(start), lines }
}

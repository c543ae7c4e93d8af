/** What the CLI's tools return, read with care: `detail` is the tool's own answer, of any shape (seen with CLI 2.1.325). */
import { isRecord } from '@dorkos/shared'
import type { ContentBlock, ToolResult } from '../../live/page-session.ts'
import { numberOf, textOf } from '../../live/untrusted-field.ts'

type Fields = Readonly<Record<string, unknown>>

export function fields(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

/** All text of a result, without the tags that the CLI puts around an error. */
export function resultText(result: ToolResult | undefined): string {
  return blocksText(result?.content ?? [])
}

function blocksText(blocks: readonly ContentBlock[]): string {
  return blocks
    .flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
    .map(withoutErrorTag)
    .join('\n')
}

export interface CommandResult {
  output: string
  /** Absent while it is not known: it still runs, was cut off, or went to the background. */
  exitCode: number | undefined
  background: boolean
  interrupted: boolean
}

/** A Bash call: `detail` has its streams; a command that failed has only words, which begin with its exit code. */
export function commandResult(result: ToolResult | undefined): CommandResult {
  if (result === undefined) return { output: '', exitCode: undefined, background: false, interrupted: false }
  const detail = fields(result.detail)
  const words = resultText(result)
  if (typeof detail.stdout === 'string') {
    const streams = [detail.stdout, textOf(detail.stderr) ?? ''].filter((stream) => stream !== '').join('\n')
    const background = typeof detail.backgroundTaskId === 'string'
    const interrupted = detail.interrupted === true
    const output = background && streams === '' ? '' : streams || (detail.stdout === '' ? '' : words)
    const exitCode = background || interrupted ? undefined : result.isError ? 1 : 0
    return { output, exitCode, background, interrupted }
  }
  const failed = /^(?:Error: )?Exit code (\d{1,3})(?:\n|$)/.exec(words)
  if (failed) {
    return {
      output: words.slice(failed[0].length),
      exitCode: Number(failed[1]),
      background: false,
      interrupted: false,
    }
  }
  return { output: words, exitCode: result.isError ? undefined : 0, background: false, interrupted: false }
}

export interface ResultHunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: string[]
}

/** The change that an edit made, as the CLI reports it; absent where it does not, or it was too large to be sent. */
export function patchOf(result: ToolResult | undefined): ResultHunk[] | undefined {
  const patch = fields(result?.detail).structuredPatch
  if (!Array.isArray(patch) || patch.length === 0) return undefined
  const hunks = patch.map(hunkOf)
  return hunks.every((hunk) => hunk !== undefined) ? (hunks as ResultHunk[]) : undefined
}

function hunkOf(value: unknown): ResultHunk | undefined {
  const { oldStart, oldLines, newStart, newLines, lines } = fields(value)
  const counts = [oldStart, oldLines, newStart, newLines].map(numberOf)
  const [a, b, c, d] = counts
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  if (!Array.isArray(lines) || !lines.every((one) => typeof one === 'string')) return undefined
  // A hunk that was cut for its size would show a change that was not made.
  const removed = lines.filter((one) => !one.startsWith('+') && !one.startsWith('\\')).length
  const added = lines.filter((one) => !one.startsWith('-') && !one.startsWith('\\')).length
  if (removed > b || added > d) return undefined
  return { oldStart: a, oldLines: b, newStart: c, newLines: d, lines }
}

export interface Change {
  before: string
  after: string
}

/** What an edit changes, from its input: also before it ran. One for each place. */
export function changesOf(name: string, input: Fields): Change[] {
  const change = (one: Fields): Change => ({
    before: textOf(one.old_string) ?? '',
    after: textOf(one.new_string) ?? '',
  })
  switch (name) {
    case 'Write':
      return [{ before: '', after: textOf(input.content) ?? '' }]
    case 'NotebookEdit':
      return [{ before: '', after: textOf(input.new_source) ?? '' }]
    case 'MultiEdit':
      return Array.isArray(input.edits) ? input.edits.slice(0, 100).map((one) => change(fields(one))) : []
    default:
      return [change(input)]
  }
}

/** The blocks without the tags that the CLI puts around an error. */
export function cleanBlocks(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  return blocks.map((block) =>
    block.type === 'text' && typeof block.text === 'string'
      ? { ...block, text: withoutErrorTag(block.text) }
      : block,
  )
}

function withoutErrorTag(words: string): string {
  return words.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, '$1')
}

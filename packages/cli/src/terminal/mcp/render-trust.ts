/** What trust in a workspace covers, as a person must see it before they give it: everything that would run, and what has changed. */
import type { TrustChange, TrustItem, WorkspaceTrust } from '@dorkos/shared'
import { exactLine, exactText } from '../escape.ts'
import { hiddenWarning } from '../render-approval.ts'
import type { Style } from '../style.ts'
import { count } from './render-mcp-list.ts'

export interface RenderTrustOptions {
  /** All texts; otherwise those of settings, and the heads of agents, skills and commands. */
  withText: boolean
  style: Style
}

export function renderTrust(trust: WorkspaceTrust, { withText, style }: RenderTrustOptions): string[] {
  const { items, changes = [], faults, given } = trust
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style.bold(heading), ...lines]
  const nothing = ['  Nothing here needs trust.']
  return [
    ...(given ? [style.dim(`Last trusted by ${exactLine(given.principal)}, ${given.at}`)] : []),
    ...section(
      'Trust covers',
      items.length === 0 ? nothing : items.flatMap((item) => renderItem(item, withText, style)),
    ),
    ...section(
      'Changed since it was trusted',
      changes.flatMap((change) => renderChange(change, style)),
    ),
    ...section(
      'Can’t be trusted yet',
      faults.map(({ path, reason }) => `  ${exactLine(path)}: ${exactLine(reason)}`),
    ),
    ...hiddenWarning([items, changes], style),
  ]
}

function renderItem(item: TrustItem, withText: boolean, style: Style): string[] {
  const { runs, text, cut } = item
  const lines = text === undefined ? [] : exactText(text).split('\n')
  const size = text === undefined ? 'not text' : `${count(lines.length, 'line')}${cut ? ' and more' : ''}`
  const shown = withText || item.kind === 'settings' ? lines : headOf(item, lines)
  return [
    `  ${titleOf(item, style)}  ${style.dim(size)}`,
    ...runs.flatMap((command) => marked(command, style.yellow('$'), style.dim('|'))),
    ...shown.map((line) => `      ${style.dim('|')} ${line}`),
    ...(cut && shown.length === lines.length && shown.length > 0 ? [style.dim('      … shortened')] : []),
  ]
}

/** What is between the first two lines of dashes; all of it where it does not end. */
function headOf({ kind, path }: TrustItem, lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.trim() !== '')
  if (kind !== 'file' || !/\.md$/i.test(path) || !/^\s*---/.test(lines[start] ?? '')) return []
  const end = lines.findIndex((line, index) => index > start && /^---\s*(?:\\u\{d\})?$/.test(line))
  return lines.slice(start, end === -1 ? lines.length : end + 1)
}

function renderChange(change: TrustChange, style: Style): string[] {
  const paint = { added: style.green, removed: style.red, changed: style.yellow }[change.change]
  const lines = change.diff === undefined ? [] : exactText(change.diff).split('\n')
  return [
    `  ${paint(change.change)} ${titleOf(change, style)}`,
    ...lines.map((line) => `      ${diffLine(line, style)}`),
    ...change.notes.map((note) => `      ${style.yellow('!')} ${exactLine(note)}`),
  ]
}

function diffLine(line: string, style: Style): string {
  if (line.startsWith('+')) return style.green(line)
  return line.startsWith('-') ? style.red(line) : line
}

function titleOf({ kind, path, name }: Pick<TrustItem, 'kind' | 'path' | 'name'>, style: Style): string {
  const words = name === undefined ? '' : ` ${exactLine(name)}`
  return `${style.cyan(`${kind}${words}`)}  ${exactLine(path)}`
}

/** Lines of one command stay together, and none can pose as another command. */
function marked(text: string, first: string, rest: string): string[] {
  return exactText(text)
    .split('\n')
    .map((line, index) => `      ${index === 0 ? first : rest} ${line}`)
}

/**
 * Hooks in the head of a skill, command or agent. They run nowhere in DorkOS, so they are only shown: as they stand there, by event. Pure;
 * anybody may have written it.
 */
import type { HookText } from '../ports/hook-files.ts'
import { splitHead } from '../trust/markdown-commands.ts'
import { type HookOrigin, toHook } from './hook-entry.ts'

export function headHooks(text: string, origin: HookOrigin, events: ReadonlySet<string>): HookText[] {
  const written = hooksOf(splitHead(text).head)
  if (written === undefined) return []
  const keys = [...written.matchAll(/(?<=^|[\s{,"'])([A-Za-z]+)(?=["']?[ \t]*:)/gm)]
  const starts = keys.filter(({ 1: key = '' }) => events.has(key))
  // In a form that is not known here, it is still there.
  if (starts.length === 0) return [shown('?', written, origin)]
  return starts.map(({ 1: event = '', index }, at) =>
    shown(event, written.slice(index, starts[at + 1]?.index), origin),
  )
}

/** All that stands under the key. */
function hooksOf(head: string): string | undefined {
  const lines = head.split(/\r\n|[\r\n]/)
  const at = lines.findIndex((line) => /^["']?hooks["']?[ \t]*:/.test(line))
  if (at === -1) return undefined
  const end = lines.findIndex((line, index) => index > at && /^[^\s#-]/.test(line))
  return lines
    .slice(at, end === -1 ? undefined : end)
    .join('\n')
    .replace(/^["']?hooks["']?[ \t]*:/, '')
}

function shown(event: string, written: string, origin: HookOrigin): HookText {
  const matcher = fieldIn('matcher', written) ?? ''
  const entry = { type: 'command', command: written.trim() }
  const {
    decides: _,
    can_allow: __,
    ...hook
  } = toHook(entry, { event, matcher, ...origin }) ?? {
    ...{ event, kind: 'command', ...origin },
  }
  return { ...hook, kind: fieldIn('type', written)?.slice(0, 40) ?? 'command' }
}

/** Of the first such key. */
function fieldIn(key: string, written: string): string | undefined {
  return new RegExp(`(?:^|[\\s{,"'-])${key}["']?[ \\t]*:[ \\t]*["']?([^"'\\n,}]+)`).exec(written)?.[1]?.trim()
}

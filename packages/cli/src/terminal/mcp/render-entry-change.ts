/** How two entries differ. The values of variables and headers are not repeated: a terminal may be watched, or recorded. */
import type { McpEntryInput } from '@dorkos/shared'
import { exactLine, safeJson } from '../escape.ts'
import { shownArgv } from '../shown-argv.ts'
import type { Style } from '../style.ts'

type Key = keyof McpEntryInput

const order: readonly Key[] = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'timeout',
  'passthrough',
  'sharing',
  'modes',
  'disabled',
]

/** No line: they are the same. */
export function renderEntryChange(before: McpEntryInput, after: McpEntryInput, style: Style): string[] {
  return order.flatMap((key) => {
    if (key === 'env' || key === 'headers') return pairLines(key, before[key], after[key], style)
    const [old, now] = [shown(before[key]), shown(after[key])]
    if (old === now) return []
    return [
      ...(old === undefined ? [] : [style.red(`- ${key}: ${old}`)]),
      ...(now === undefined ? [] : [style.green(`+ ${key}: ${now}`)]),
    ]
  })
}

function shown(value: McpEntryInput[Exclude<Key, 'env' | 'headers'>]): string | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value)) return shownArgv(value)
  return typeof value === 'string' ? exactLine(value) : safeJson(value)
}

type Pairs = Readonly<Record<string, string>>

function pairLines(key: Key, before: Pairs = {}, after: Pairs = {}, style: Style): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [own(before, name), own(after, name)]
    if (old === now) return []
    const what = `${key}.${exactLine(name)}`
    if (now === undefined) return [style.red(`- ${what}`)]
    return [style.green(`+ ${what}: ${isReference(now) ? exactLine(now) : '(new value)'}`)]
  })
}

function own(pairs: Pairs, name: string): string | undefined {
  return Object.hasOwn(pairs, name) ? pairs[name] : undefined
}

const isReference = (text: string) => /^(?:\$\{[A-Za-z_]\w*\})+$/.test(text)

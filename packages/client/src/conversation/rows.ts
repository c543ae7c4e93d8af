/**
 * The rows of a conversation, made from its items. A row whose items did not change is the same object as before, so that only
 * what is new is drawn again. No DOM, no clock.
 */
import type { Item, TextItem, ToolItem } from '../live/page-session.ts'
import { userParts } from './user-parts.ts'

/** Above a row that begins another day: its time. A row of its own would not stay in place when older pages come in above it. */
interface Dated {
  readonly key: string
  readonly newDay: string | undefined
}

type ItemRow = Dated & {
  readonly type: 'item'
  readonly item: Item
  /** For the end of a turn, and for itself: what the agent said last in it, which is what one copies. */
  readonly answer: TextItem | undefined
}
/** Calls of one family, one after the other. */
type GroupRow = Dated & { readonly type: 'group'; readonly items: readonly ToolItem[] }
type WorkingRow = { readonly type: 'working'; readonly key: 'working' }
export type Row = ItemRow | GroupRow | WorkingRow

/** What was made before, so that it is made once. Forgets what is no longer in use by itself. */
export interface RowCache {
  readonly items: WeakMap<Item, ItemRow>
  readonly groups: WeakMap<ToolItem, GroupRow>
  readonly days: WeakMap<Item, string>
}

export function createRowCache(): RowCache {
  return { items: new WeakMap(), groups: new WeakMap(), days: new WeakMap() }
}

const workingRow: WorkingRow = { type: 'working', key: 'working' }

/** Calls of one family that follow each other are one row: those that only look, and those that keep the to-do list. */
const families: ReadonlyMap<string, 'look' | 'todo'> = new Map([
  ...(['Read', 'NotebookRead', 'Grep', 'Glob', 'LS'] as const).map((name) => [name, 'look'] as const),
  ...(['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'] as const).map(
    (name) => [name, 'todo'] as const,
  ),
])
/** A call that waits for a person, or was refused, stands alone: it must not be overlooked. */
const quiet = new Set(['writing', 'running', 'done', 'failed', 'interrupted', 'unknown'])

export interface RowOptions {
  /** A turn runs: the last row says what it does. */
  working: boolean
  /** The first item is the beginning of the conversation. If not, its day is not shown: what comes above it may be of the same. */
  begins?: boolean
  /** The day of a time where the reader is. */
  dayOf?: (time: string) => string
}

export function makeRows(items: readonly Item[], cache: RowCache, options: RowOptions): readonly Row[] {
  const { working, begins = true, dayOf = localDay } = options
  const rows: Row[] = []
  let day = ''
  let answer: TextItem | undefined
  let answerAt = -1
  for (let index = 0; index < items.length; ) {
    const item = items[index]
    if (item === undefined) break
    const group = groupAt(items, index)
    index += Math.max(group.length, 1)
    if (isSilent(item) || (rows.length === 0 && isTakeOver(item))) continue
    if (item.kind === 'text') [answer, answerAt] = [item, rows.length]
    if (item.kind === 'user') answer = undefined
    const today = cache.days.get(item) ?? dayOf(item.time)
    cache.days.set(item, today)
    const newDay = today === day || (day === '' && !begins) ? undefined : item.time
    day = today
    rows.push(
      group.length > 1
        ? groupRow(group, newDay, cache)
        : itemRow(item, newDay, answerOf(item, answer), cache),
    )
    const said = rows[answerAt]
    if (item.kind === 'turn' && answer && said?.type === 'item')
      rows[answerAt] = itemRow(answer, said.newDay, answer, cache)
  }
  if (working) rows.push(workingRow)
  return rows
}

function answerOf(item: Item, answer: TextItem | undefined): TextItem | undefined {
  return item.kind === 'turn' ? answer : undefined
}

function itemRow(
  item: Item,
  newDay: string | undefined,
  answer: TextItem | undefined,
  cache: RowCache,
): ItemRow {
  const known = cache.items.get(item)
  if (known !== undefined && known.newDay === newDay && known.answer === answer) return known
  const row: ItemRow = { type: 'item', key: item.key, newDay, item, answer }
  cache.items.set(item, row)
  return row
}

function groupRow(group: readonly ToolItem[], newDay: string | undefined, cache: RowCache): Row {
  const [first] = group
  if (first === undefined) return workingRow
  const known = cache.groups.get(first)
  const isKnown = known?.newDay === newDay && known?.items.length === group.length
  if (known && isKnown && known.items.every((item, index) => item === group[index])) return known
  const row: GroupRow = { type: 'group', key: `group:${first.key}`, newDay, items: group }
  cache.groups.set(first, row)
  return row
}

const none: readonly ToolItem[] = []

/** The calls of one family from `start` on; empty when the item there is of none. */
function groupAt(items: readonly Item[], start: number): readonly ToolItem[] {
  const first = items[start]
  const family = first && familyOf(first)
  if (family === undefined) return none
  const group: ToolItem[] = []
  for (let index = start; index < items.length; index += 1) {
    const item = items[index]
    if (item?.kind !== 'tool' || familyOf(item) !== family) break
    group.push(item)
  }
  return group
}

function familyOf(item: Item): 'look' | 'todo' | undefined {
  return item.kind === 'tool' && quiet.has(item.status) ? families.get(item.name) : undefined
}

/** Items that have nothing to show. */
function isSilent(item: Item): boolean {
  if (item.kind === 'text') return item.text.trim() === ''
  if (item.kind === 'thinking') return item.text.trim() === '' && !item.streaming
  // The end of the turn says it better.
  if (item.kind === 'user') return item.synthetic && isInterruptNote(userParts(item.content).text)
  return item.kind === 'turn' && item.outcome === 'joined'
}

function isInterruptNote(words: string): boolean {
  return /^\[Request interrupted by user[^\]]*\]$/.test(words.trim())
}

/** The first process of a session takes nothing over. */
function isTakeOver(item: Item): boolean {
  return item.kind === 'marker' && item.marker.type === 'taken_over'
}

function localDay(time: string): string {
  const date = new Date(time)
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}

/**
 * The row that shows what a link names: a row's own key, an item in a group, the first of a message, or with `at:` what stood
 * there at a time. -1: not here.
 */
export function findRow(rows: readonly Row[], target: string): number {
  if (target.startsWith('at:')) return findTime(rows, Date.parse(target.slice(3)))
  const exact = rows.findIndex(
    (row) => row.key === target || (row.type === 'group' && row.items.some(({ key }) => key === target)),
  )
  if (exact >= 0) return exact
  return rows.findIndex((row) => {
    if (row.type === 'group') return row.items.some((item) => names(item, target))
    return row.type === 'item' && names(row.item, target)
  })
}

/** The first row that is not older; none when the page before may have it. */
function findTime(rows: readonly Row[], ms: number): number {
  const times = rows.map((row) => (row.type === 'working' ? Number.NaN : timeOf(row)))
  return times[0] === undefined || !(times[0] <= ms) ? -1 : times.findIndex((time) => time >= ms)
}

function timeOf(row: ItemRow | GroupRow): number {
  return Date.parse(row.type === 'item' ? row.item.time : (row.items.at(-1)?.time ?? ''))
}

function names(item: Item, target: string): boolean {
  switch (item.kind) {
    case 'user':
    case 'text':
    case 'thinking':
      return item.messageId === target
    case 'tool':
      return item.messageId === target || item.callId === target || item.approvalId === target
    case 'approval':
      return item.approvalId === target
    case 'turn':
      return item.turnId === target
    case 'marker':
      return false
  }
}

/** How many rows after `key` are news to a reader: what was said or done, not the working row. */
export function countAfter(rows: readonly Row[], key: string): number {
  const at = rows.findIndex((row) => row.key === key)
  if (at < 0) return 0
  return rows.slice(at + 1).filter((row) => row.type !== 'working').length
}

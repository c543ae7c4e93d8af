import { describe, expect, it } from 'vitest'
import type { Item, TextItem, ToolStatus } from '../live/page-session.ts'
import { countAfter, createRowCache, findRow, makeRows, type Row } from './rows.ts'
import { sampleCall } from './test-support/sample-call.ts'

const time = '2026-05-01T10:00:00.000Z'
const dayOf = (at: string) => at.slice(0, 10)

function textItem(key: string, change: Partial<TextItem> = {}): TextItem {
  return {
    kind: 'text',
    key,
    time,
    messageId: `message-${key}`,
    text: key,
    streaming: false,
    ...change,
  } as TextItem
}

const tool = (key: string, name: string, status: ToolStatus = 'done') =>
  sampleCall(`call-${key}`, { key, name, status })

const keys = (rows: readonly Row[]) => rows.map(({ key }) => key)
const rowsOf = (items: readonly Item[], working = false) =>
  makeRows(items, createRowCache(), { working, dayOf })

describe('makeRows', () => {
  it('groups calls that only look, and leaves others alone', () => {
    const rows = rowsOf([
      tool('a', 'Read'),
      tool('b', 'Grep'),
      tool('c', 'Glob', 'failed'),
      tool('d', 'Bash'),
      tool('e', 'Read'),
      textItem('f'),
      tool('g', 'LS'),
      tool('h', 'Read', 'running'),
    ])
    expect(keys(rows)).toEqual(['group:a', 'd', 'e', 'f', 'group:g'])
    expect(rows[0]).toMatchObject({ type: 'group', items: [{ key: 'a' }, { key: 'b' }, { key: 'c' }] })
  })

  it('groups what keeps the to-do list, apart from what looks', () => {
    const items = [tool('a', 'TaskCreate'), tool('b', 'TaskUpdate'), tool('c', 'Read'), tool('d', 'Read')]
    expect(keys(rowsOf(items))).toEqual(['group:a', 'group:c'])
  })

  it.each(['waiting', 'denied', 'expired', 'void'] as const)(
    'shows a call that is %s by itself',
    (status) => {
      expect(keys(rowsOf([tool('a', 'Read'), tool('b', 'Read', status), tool('c', 'Read')]))).toEqual([
        'a',
        'b',
        'c',
      ])
    },
  )

  it('marks the first row of each day, but keeps its key', () => {
    const rows = rowsOf([
      textItem('a', { time: '2026-05-01T10:00:00.000Z' }),
      textItem('b', { time: '2026-05-01T11:00:00.000Z' }),
      textItem('c', { time: '2026-05-02T10:00:00.000Z' }),
    ])
    expect(rows.map((row) => row.type !== 'working' && row.newDay)).toEqual([
      '2026-05-01T10:00:00.000Z',
      undefined,
      '2026-05-02T10:00:00.000Z',
    ])
  })

  it('does not show the day of the first row while older ones may come in above it', () => {
    const items = [
      textItem('a', { time: '2026-05-01T10:00:00.000Z' }),
      textItem('b', { time: '2026-05-02T10:00:00.000Z' }),
    ]
    const rows = makeRows(items, createRowCache(), { working: false, begins: false })
    expect(rows.map((row) => row.type !== 'working' && row.newDay)).toEqual([
      undefined,
      '2026-05-02T10:00:00.000Z',
    ])
  })

  it('leaves out what has nothing to show', () => {
    const joined: Item = {
      kind: 'turn',
      key: 'turn:1',
      time,
      turnId: '1',
      outcome: 'joined',
      reason: undefined,
      durationMs: undefined,
      tokens: undefined,
      usd: undefined,
    }
    const first: Item = {
      kind: 'marker',
      key: '1-1',
      time,
      marker: { type: 'taken_over', reason: 'server started' },
    }
    const later: Item = { ...first, key: '2-1' }
    const content = [{ type: 'text', text: '[Request interrupted by user for tool use]' }]
    const note: Item = { kind: 'user', key: 'user:1', time, messageId: '1', content, synthetic: true } as Item
    expect(keys(rowsOf([first, textItem('a', { text: ' \n' }), joined, note, textItem('b'), later]))).toEqual(
      ['b', '2-1'],
    )
  })

  it('says at the end that a turn runs', () => {
    expect(keys(rowsOf([textItem('a')], true))).toEqual(['a', 'working'])
  })

  it('gives the same objects for what did not change', () => {
    const cache = createRowCache()
    const items = [textItem('a'), tool('b', 'Read'), tool('c', 'Read'), textItem('d')]
    const before = makeRows(items, cache, { working: true, dayOf })
    const after = makeRows([...items.slice(0, 3), textItem('d', { text: 'more' })], cache, {
      working: true,
      dayOf,
    })
    expect(after.map((row, index) => row === before[index])).toEqual([true, true, false, true])
  })

  it('makes a group anew when one of its calls changes or joins', () => {
    const cache = createRowCache()
    const [a, b] = [tool('a', 'Read'), tool('b', 'Read', 'running')]
    const [before] = makeRows([a, b], cache, { working: false, dayOf })
    const [after] = makeRows([a, tool('b', 'Read')], cache, { working: false, dayOf })
    const [longer] = makeRows([a, tool('b', 'Read'), tool('c', 'Read')], cache, { working: false, dayOf })
    expect(after).not.toBe(before)
    expect(after?.key).toBe(before?.key)
    expect(longer).toMatchObject({ key: 'group:a', items: { length: 3 } })
  })

  it('keeps the rows of a page when an older one of the same day comes before it', () => {
    const cache = createRowCache()
    const page = [textItem('b'), textItem('c')]
    makeRows(page, cache, { working: false, dayOf })
    expect(keys(makeRows([textItem('a'), ...page], cache, { working: false, dayOf }))).toEqual([
      'a',
      'b',
      'c',
    ])
  })
})

describe('findRow', () => {
  const rows = rowsOf([
    textItem('text:m1:0'),
    tool('tool:1', 'Read'),
    tool('tool:2', 'Read'),
    textItem('text:m2:0'),
  ])
  it.each([
    ['text:m2:0', 2],
    ['tool:2', 1],
    ['group:tool:1', 1],
    ['call-tool:2', 1],
    ['message-text:m2:0', 2],
    ['nothing', -1],
  ])('finds %s at %i', (target, index) => expect(findRow(rows, target)).toBe(index))
})

it('finds what stood there at a time, but not before its page is loaded', () => {
  const at = (minute: number) => `2026-05-01T10:0${minute}:00.000Z`
  const rows = rowsOf(
    [1, 3, 5].map((minute) => textItem(`${minute}`, { time: at(minute) })),
    true,
  )
  expect(findRow(rows, `at:${at(3)}`)).toBe(1)
  expect(findRow(rows, `at:${at(4)}`)).toBe(2)
  expect(findRow(rows, `at:${at(0)}`)).toBe(-1)
  expect(findRow(rows, `at:${at(9)}`)).toBe(-1)
  expect(findRow(rows, 'at:nonsense')).toBe(-1)
})

it('counts what came after a row, without the working row', () => {
  const rows = rowsOf([textItem('a'), textItem('b'), textItem('c')], true)
  expect(countAfter(rows, 'a')).toBe(2)
  expect(countAfter(rows, 'c')).toBe(0)
  expect(countAfter(rows, 'gone')).toBe(0)
})

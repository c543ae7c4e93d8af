import { describe, expect, it } from 'vitest'
import { OpenList } from './open-list.ts'

describe('a list of open requests', () => {
  it('finds by id, and the newest where an id is used again', () => {
    const list = new OpenList<{ id: string | number; name: string }>()
    list.add({ id: 1, name: 'first' })
    list.add({ id: '1', name: 'text' })
    list.add({ id: 1, name: 'second' })
    expect(list.find(1)?.name).toBe('second')
    expect(list.find('1')?.name).toBe('text')
    expect(list.find(2)).toBeUndefined()
  })

  it('removes the very item, once', () => {
    const list = new OpenList<{ id: number }>()
    const [older, newer] = [{ id: 7 }, { id: 7 }]
    list.add(older)
    list.add(newer)
    expect(list.remove(older)).toBe(true)
    expect(list.remove(older)).toBe(false)
    expect(list.find(7)).toBe(newer)
    expect(list.remove(newer)).toBe(true)
    expect(list.find(7)).toBeUndefined()
  })

  it('empties itself, oldest first', () => {
    const list = new OpenList<{ id: number }>()
    const items = [{ id: 1 }, { id: 2 }, { id: 3 }]
    for (const item of items) list.add(item)
    expect(list.removeAll()).toEqual(items)
    expect(list.removeAll()).toEqual([])
    expect(list.remove(items[0] as { id: number })).toBe(false)
  })
})

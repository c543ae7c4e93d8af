import { describe, expect, it } from 'vitest'
import { UsedIds } from './used-ids.ts'

describe('UsedIds', () => {
  it('remembers ids, and the oldest no more when there are many', () => {
    const used = new UsedIds()
    for (let number = 0; number <= 10_000; number++) used.add(`id ${number}`)
    expect(used.size).toBe(10_000)
    expect(used.has('id 0')).toBe(false)
    expect(used.has('id 1')).toBe(true)
    expect(used.has('id 10000')).toBe(true)
  })

  it('knows which message went out under another id, the oldest no more when there are many', () => {
    const used = new UsedIds()
    const first = used.another('first')
    expect(used.original(first)).toBe('first')
    const second = used.another('second')
    for (let number = 2; number <= 10_000; number++) used.another(`id ${number}`)
    expect(used.original(first)).toBe(first)
    expect(used.original(second)).toBe('second')
  })
})

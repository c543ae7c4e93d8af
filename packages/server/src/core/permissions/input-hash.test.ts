import { expect, it } from 'vitest'
import { inputHash } from './input-hash.ts'

it('is the same SHA-256 for the same input, whatever the order of its keys', () => {
  expect(inputHash({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
  expect(inputHash({ b: 1, a: [2, { d: null, c: 'x' }] })).toBe(
    inputHash({ a: [2, { c: 'x', d: null }], b: 1 }),
  )
})

it('is refused for what is nested too deep', () => {
  let deep: unknown = 1
  for (let level = 0; level < 300; level++) deep = [deep]
  expect(() => inputHash({ deep })).toThrow(TypeError)
})

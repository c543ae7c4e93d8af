import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPartialInput } from './partial-input.ts'

describe('readPartialInput', () => {
  it.each([
    ['', {}],
    ['{', {}],
    ['{"file_', {}],
    ['{"file_path"', {}],
    ['{"file_path":', {}],
    ['{"file_path":"', { file_path: '' }],
    ['{"file_path":"/a/b', { file_path: '/a/b' }],
    ['{"file_path":"/a/b.ts","content":"x', { file_path: '/a/b.ts', content: 'x' }],
    ['{"command":"echo \\"a', { command: 'echo "a' }],
    ['{"command":"a\\', { command: 'a' }],
    ['{"command":"a\\\\', { command: 'a\\' }],
    ['{"command":"a\\u00e', { command: 'a' }],
    ['{"n":12', {}],
    ['{"n":12,', { n: 12 }],
    ['{"n":12,"b":tr', { n: 12 }],
    ['{"edits":[{"old_string":"a","new_string":"b', { edits: [{ old_string: 'a', new_string: 'b' }] }],
    ['{"todos":["a",', { todos: ['a'] }],
    ['{"a":{"b":1},"c":"{[', { a: { b: 1 }, c: '{[' }],
    ['[1,2', {}],
    ['nonsense', {}],
  ])('reads %j', (json, fields) => expect(readPartialInput(json)).toEqual(fields))

  it('reads every beginning of any object without failing, and the whole of it as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
        const json = JSON.stringify(value)
        const part = readPartialInput(json.slice(0, cut % (json.length + 1)), Number.POSITIVE_INFINITY)
        expect(Object.keys(part).every((key) => Object.hasOwn(value, key))).toBe(true)
        expect(readPartialInput(json, Number.POSITIVE_INFINITY)).toEqual(JSON.parse(json))
      }),
    )
  })

  it('looks at a bounded beginning only', () => {
    const json = `{"file_path":"a.ts","content":"${'x'.repeat(100_000)}","late":1}`
    expect(readPartialInput(json)).toMatchObject({ file_path: 'a.ts' })
    expect(readPartialInput(json)).not.toHaveProperty('late')
  })
})

import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { expect, it } from 'vitest'
import { configTemplate } from './config-template.ts'
import { editConfigText } from './edit-config-text.ts'

const comments = (text: string) => (text.match(/\/\/[^\n]*|\/\*.*?\*\//gs) ?? []).toSorted()

function check(text: string): unknown {
  const errors: unknown[] = []
  const value = parse(text, errors as never, { allowTrailingComma: true })
  expect(errors).toEqual([])
  return value
}

it('keeps the comments around a key that goes', () => {
  const text = `{
  // about a
  "a": 1, // beside a
  // about b
  "b": 2 /* before the comma */,
  // about c
  "c": 3 // at the end
  // last
}
`
  for (const key of ['a', 'b', 'c']) {
    const edited = editConfigText(text, [{ steps: [key], value: undefined }])
    expect(comments(edited)).toEqual(comments(text))
    expect(Object.keys(check(edited) as object)).toEqual(['a', 'b', 'c'].filter((name) => name !== key))
  }
})

it('makes groups that are missing, and works on an empty file', () => {
  const edited = editConfigText('', [{ steps: ['log', 'level'], value: 'debug' }])
  expect(check(edited)).toEqual({ log: { level: 'debug' } })
})

it('keeps every comment of the commented file through any edits', () => {
  const steps = fc.constantFrom(
    ['port'],
    ['host'],
    ['sessions', 'maxLive'],
    ['sessions', 'model'],
    ['log', 'level'],
    ['rules'],
  )
  const value = fc.oneof(
    fc.constant(undefined),
    fc.integer(),
    fc.constant('text // no comment'),
    fc.constant([{ effect: 'deny' }]),
  )
  const start = configTemplate()
  fc.assert(
    fc.property(fc.array(fc.record({ steps, value }), { maxLength: 12 }), (edits) => {
      const edited = editConfigText(start, edits)
      expect(comments(edited.replaceAll('text // no comment', ''))).toEqual(comments(start))
      const expected = new Map(edits.map((edit) => [edit.steps.join('.'), edit.value]))
      const read = check(edited) as Record<string, Record<string, unknown>>
      for (const [path, wanted] of expected) {
        const [first = '', second] = path.split('.')
        expect(second === undefined ? read[first] : read[first]?.[second]).toEqual(wanted)
      }
    }),
    { numRuns: 200 },
  )
})

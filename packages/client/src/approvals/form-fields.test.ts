import { describe, expect, it } from 'vitest'
import { draftOfFields, type FieldValue, formFields, isFormDraft, readForm } from './form-fields.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2, maxLength: 5 },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    ratio: { type: 'number' },
    sure: { type: 'boolean', default: true },
    plain: { type: 'string', enum: ['a', 'b'], default: 'b' },
    named: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] },
    titled: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] },
    many: {
      type: 'array',
      items: { type: 'string', enum: ['p', 'q', 'r'] },
      minItems: 1,
      maxItems: 2,
      default: ['q', '?'],
    },
    more: { type: 'array', items: { anyOf: [{ const: 'k', title: 'Kay' }] } },
    odd: { type: 'object' },
  },
  required: ['name'],
}
const fields = formFields(schema)
const fill = (change: Record<string, FieldValue>) =>
  readForm(fields, { ...draftOfFields(fields), name: 'Ann', ...change })

describe('a form', () => {
  it('has a field for each property', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['name', 'text'],
      ['mail', 'text'],
      ['site', 'text'],
      ['day', 'text'],
      ['at', 'text'],
      ['count', 'number'],
      ['ratio', 'number'],
      ['sure', 'boolean'],
      ['plain', 'choice'],
      ['named', 'choice'],
      ['titled', 'choice'],
      ['many', 'choices'],
      ['more', 'choices'],
      ['odd', 'json'],
    ])
    expect(fields[9]).toMatchObject({
      options: [
        { value: 'x', label: 'Ex' },
        { value: 'y', label: 'Why' },
      ],
    })
    expect(fields[10]).toMatchObject({
      options: [
        { value: 'r', label: 'Red' },
        { value: 'g', label: 'g' },
      ],
    })
    expect(fields[0]).toMatchObject({ label: 'Name', required: true })
  })

  it('starts with the defaults and leaves out what is empty', () => {
    expect(fill({})).toEqual({
      content: { name: 'Ann', count: 3, sure: true, plain: 'b', many: ['q'] },
      faults: {},
    })
  })

  it('gives each value in its type', () => {
    const { content, faults } = fill({
      mail: ' a@b.c ',
      site: 'https://a.example/x',
      day: '2026-02-28',
      at: '2026-02-28T10:00:00Z',
      count: '7',
      ratio: '0,5',
      sure: false,
      titled: 'r',
      many: ['r', 'p'],
      more: ['k'],
      odd: '{"a":1}',
    })
    expect(faults).toEqual({})
    expect(content).toMatchObject({
      mail: 'a@b.c',
      site: 'https://a.example/x',
      day: '2026-02-28',
      at: '2026-02-28T10:00:00.000Z',
      count: 7,
      ratio: 0.5,
      sure: false,
      titled: 'r',
      many: ['p', 'r'],
      more: ['k'],
      odd: { a: 1 },
    })
  })

  it.each<[string, FieldValue]>([
    ['name', ''],
    ['name', 'A'],
    ['name', 'Too long'],
    ['mail', 'nobody'],
    ['site', 'example.org'],
    ['day', '2026-13-01'],
    ['day', 'today'],
    ['at', 'soon'],
    ['count', '0'],
    ['count', '10'],
    ['count', '2.5'],
    ['ratio', 'half'],
    ['plain', 'c'],
    ['many', []],
    ['many', ['p', 'q', 'r']],
    ['odd', '{'],
  ])('says what is wrong with %s: %j', (name, value) => {
    const { faults } = fill({ [name]: value })
    expect(Object.keys(faults)).toEqual([name])
    expect(faults[name]).not.toBe('')
  })

  it('without a schema asks for nothing', () => {
    for (const odd of [undefined, null, 'x', {}, { properties: [] }]) expect(formFields(odd)).toEqual([])
    expect(formFields({ properties: { a: null } })).toMatchObject([{ kind: 'json', label: 'a' }])
    expect(isFormDraft({ a: 'x', b: true, c: ['d'] })).toBe(true)
    for (const odd of [null, [], { a: 1 }, { a: [1] }]) expect(isFormDraft(odd)).toBe(false)
  })
})

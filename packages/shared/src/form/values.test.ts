import { describe, expect, it } from 'vitest'
import { formFields } from './fields.ts'
import { draftFrom, initialDraft, isFormDraft, readForm } from './values.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 5 },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    ratio: { type: 'number' },
    sure: { type: 'boolean', default: false },
    plain: { type: 'string', enum: ['a', 'b'], default: 'b' },
    level: { enum: [1, 2, null] },
    many: {
      type: 'array',
      items: { type: 'string', enum: ['p', 'q', 'r'] },
      minItems: 1,
      maxItems: 2,
      default: ['q'],
    },
    tags: { type: 'array', items: { type: 'string', maxLength: 3 } },
    person: { $ref: '#/$defs/Person' },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    ['__proto__']: { type: 'string' },
  },
  required: ['name'],
  $defs: { Person: { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } } },
}
const fields = formFields(schema)
const fill = (change: Record<string, string>) =>
  readForm(fields, { ...initialDraft(fields), name: 'Ann', ...change })

describe('what stands in a form', () => {
  it('begins with the defaults; what is empty is left out', () => {
    expect(fill({})).toEqual({
      values: { name: 'Ann', count: 3, sure: false, plain: 'b', many: ['q'] },
      faults: {},
    })
    expect(fill({ sure: '', count: '', plain: '', many: '' }).values).toEqual({ name: 'Ann' })
  })

  it('is read as values of each type', () => {
    const { values, faults } = fill({
      mail: ' a@b.c ',
      site: 'https://a.example/x',
      day: '2026-02-28',
      at: '2026-02-28T10:00:00Z',
      count: '7',
      ratio: '0,5',
      sure: 'true',
      plain: '0',
      level: '2',
      many: '2,0',
      tags: ' a \n\nb\n',
      person: '{"age":1}',
      either: '"x"',
      ['__proto__']: 'own',
    })
    expect(faults).toEqual({})
    expect(Object.entries(values)).toEqual(
      Object.entries({
        name: 'Ann',
        mail: 'a@b.c',
        site: 'https://a.example/x',
        day: '2026-02-28',
        at: '2026-02-28T10:00:00.000Z',
        count: 7,
        ratio: 0.5,
        sure: true,
        plain: 'a',
        level: null,
        many: ['p', 'r'],
        tags: ['a', 'b'],
        person: { age: 1 },
        either: 'x',
        ['__proto__']: 'own',
      }),
    )
  })

  it.each([
    ['name', '', 'required'],
    ['name', 'A', 'minLength'],
    ['name', 'Too long', 'maxLength'],
    ['mail', 'nobody', 'email'],
    ['site', 'example.org', 'uri'],
    ['day', '2026-13-01', 'date'],
    ['day', 'today', 'date'],
    ['at', 'soon', 'date-time'],
    ['count', '0', 'min'],
    ['count', '10', 'max'],
    ['count', '2.5', 'integer'],
    ['count', 'many', 'integer'],
    ['ratio', 'half', 'number'],
    ['ratio', 'Infinity', 'number'],
    ['sure', 'perhaps', 'choice'],
    ['plain', '9', 'choice'],
    ['plain', 'length', 'choice'],
    ['many', '0,9', 'choice'],
    ['many', '0,1,2', 'maxItems'],
    ['tags', 'a\nlong', 'maxLength'],
    ['person', '{', 'json'],
    ['person', '[]', 'object'],
    ['person', '{}', 'required'],
  ])('%s: %j has the fault %s', (name, written, code) => {
    const { values, faults } = fill({ [name]: written })
    expect(Object.keys(faults)).toEqual([name])
    expect(faults[name]).toMatchObject({ code })
    expect(values).not.toHaveProperty(name)
  })

  it('keeps spaces in text as they are', () => expect(fill({ name: '  ' }).values.name).toBe('  '))

  it('is a text for each field', () => {
    expect(isFormDraft({ a: 'x', b: '' })).toBe(true)
    for (const odd of [null, [], 'x', { a: 1 }, { a: ['x'] }]) expect(isFormDraft(odd)).toBe(false)
  })
})

describe('values in a form', () => {
  it('are read back as they were', () => {
    const values = {
      name: 'Ann',
      level: null,
      count: 1,
      sure: true,
      plain: 'a',
      many: ['p', 'q'],
      tags: ['x'],
      person: { age: 1 },
      either: 7,
    }
    expect(readForm(fields, draftFrom(fields, values) ?? {})).toEqual({ values, faults: {} })
  })

  it.each([
    { other: 1 },
    { count: 'high' },
    { plain: 'c' },
    { name: '' },
    { name: null },
    { many: ['z'] },
    { many: [] },
    { tags: [] },
    { tags: [' a'] },
    { tags: ['a\nb'] },
    { tags: ['a', 1] },
  ])('have no place in it: %j', (values) => expect(draftFrom(fields, values)).toBeUndefined())
})

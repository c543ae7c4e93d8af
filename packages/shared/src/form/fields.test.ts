import { describe, expect, it } from 'vitest'
import { formFields, isWholeForm } from './fields.ts'

const schema = {
  type: 'object',
  required: ['title', '__proto__'],
  properties: {
    title: { type: 'string', title: 'Title', description: 'One line' },
    long: { type: 'string', maxLength: 2000 },
    mail: { type: 'string', format: 'email' },
    host: { type: 'string', format: 'hostname' },
    priority: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    ratio: { type: ['number', 'null'] },
    sure: { type: 'boolean' },
    plain: { type: 'string', enum: ['a', 'b', 'a'] },
    named: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] },
    titled: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] },
    level: { enum: [1, 2, null] },
    only: { const: 5 },
    many: { type: 'array', items: { type: 'string', enum: ['p', 'q'] } },
    more: { type: 'array', items: { anyOf: [{ const: 'k', title: 'Kay' }] } },
    colours: { type: 'array', items: { $ref: '#/$defs/Colour' } },
    tags: { type: 'array', items: { type: 'string' } },
    scores: { type: 'array', items: { type: 'number' } },
    person: { $ref: '#/$defs/Person' },
    nick: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    mixed: { anyOf: [{ const: 'a' }, { type: 'number' }] },
    odd: null,
    ['__proto__']: { type: 'string' },
  },
  $defs: { Person: { type: 'object', description: 'Who' }, Colour: { enum: ['red'] } },
}
const fields = formFields(schema)
const field = (name: string) => fields.find((one) => one.name === name)

describe('the fields of a form', () => {
  it('have the kind of each property, also behind references and nulls', () => {
    expect(fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'title text',
      'long text',
      'mail text',
      'host text',
      'priority number',
      'ratio number',
      'sure boolean',
      'plain choice',
      'named choice',
      'titled choice',
      'level choice',
      'only choice',
      'many choices',
      'more choices',
      'colours choices',
      'tags list',
      'scores json',
      'person json',
      'nick text',
      'either json',
      'mixed json',
      'odd json',
      '__proto__ text',
    ])
  })

  it('know what is written beside them', () => {
    expect(field('title')).toMatchObject({ label: 'Title', description: 'One line', required: true })
    expect(field('person')).toMatchObject({ expects: 'object', description: 'Who', required: false })
    expect(field('scores')).toMatchObject({ expects: 'array' })
    expect(field('long')).toMatchObject({ multiline: true })
    expect(field('mail')).toMatchObject({ format: 'email', multiline: false })
    expect(field('host')).toMatchObject({ format: undefined })
    expect(field('priority')).toMatchObject({ integer: true, min: 1, max: undefined })
  })

  it.each([
    ['plain', ['a', 'b'], ['a', 'b']],
    ['named', ['x', 'y'], ['Ex', 'Why']],
    ['titled', ['r', 'g'], ['Red', 'g']],
    ['level', [1, 2, null], ['1', '2', 'null']],
    ['only', [5], ['5']],
    ['more', ['k'], ['Kay']],
  ])('%s: offer the options, each once and by its name', (name, values, labels) => {
    expect(field(name)).toMatchObject({ options: values.map((value, n) => ({ value, label: labels[n] })) })
  })

  it('are none without a schema', () => {
    for (const odd of [undefined, null, 'x', [], {}, { properties: [] }]) expect(formFields(odd)).toEqual([])
  })

  it('do not follow a reference for ever', () => {
    const round = { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { $ref: '#/$defs/A' } } }
    expect(formFields(round)).toMatchObject([{ kind: 'json' }])
  })
})

describe('a form', () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`p${n}`, { type: 'string' }]))

  it.each([
    undefined,
    null,
    5,
    [],
    { type: 'object' },
    { properties: [] },
    { properties: 5, required: 'x' },
    { properties: {}, additionalProperties: true },
    { additionalProperties: { type: 'string' } },
    { properties: { a: { type: 'string' } }, patternProperties: { '^x-': {} } },
    { anyOf: [{ type: 'object' }, { type: 'string' }] },
    { type: 'object', properties: { a: {} }, allOf: [{}] },
    { properties: many },
  ])('cannot say all that %j takes', (open) => expect(isWholeForm(open)).toBe(false))

  it.each([schema, { properties: {} }, { type: 'object', additionalProperties: false }])(
    'can say all that %j takes',
    (closed) => expect(isWholeForm(closed)).toBe(true),
  )
})

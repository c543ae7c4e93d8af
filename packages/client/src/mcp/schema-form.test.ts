import { describe, expect, it } from 'vitest'
import { draftFrom, draftOf, readDraft, readJson, schemaFields } from './schema-form.ts'

const schema = {
  type: 'object',
  required: ['title', 'project', 'tags', '__proto__'],
  properties: {
    title: { type: 'string', title: 'Title', description: 'One line' },
    project: { type: 'string', enum: ['web', 'api'] },
    level: { enum: [1, 2, null] },
    priority: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    ratio: { type: ['number', 'null'] },
    draft: { type: 'boolean', default: false },
    tags: { type: 'array', items: { type: 'string' } },
    person: { $ref: '#/$defs/Person' },
    nick: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    ['__proto__']: { type: 'string' },
  },
  $defs: { Person: { type: 'object', description: 'Who' } },
}

const fields = schemaFields(schema) ?? []
const kindOf = (name: string) => fields.find((field) => field.name === name)

describe('schemaFields', () => {
  it('gives each property its kind, also behind references and nulls', () => {
    expect(fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'title text',
      'project choice',
      'level choice',
      'priority number',
      'ratio number',
      'draft boolean',
      'tags json',
      'person json',
      'nick text',
      'either json',
      '__proto__ text',
    ])
    expect(kindOf('tags')).toMatchObject({ expects: 'array', required: true })
    expect(kindOf('person')).toMatchObject({ expects: 'object', description: 'Who', required: false })
    expect(kindOf('title')).toMatchObject({ label: 'Title', description: 'One line' })
  })

  it('begins with the defaults', () => {
    const draft = draftOf(fields)
    expect(draft.priority).toBe('3')
    expect(draft.draft).toBe('false')
    expect(draft.title).toBe('')
  })

  it('leaves shapes that no form can hold to JSON', () => {
    expect(schemaFields({ anyOf: [{ type: 'object' }, { type: 'string' }] })).toBeUndefined()
    expect(schemaFields({ type: 'object', allOf: [{}] })).toBeUndefined()
    const many = Object.fromEntries(Array.from({ length: 61 }, (_, n) => [`p${n}`, { type: 'string' }]))
    expect(schemaFields({ properties: many })).toBeUndefined()
  })

  it.each([
    undefined,
    null,
    5,
    'x',
    [],
    { type: 'object' },
    { properties: [] },
    { properties: 5, required: 'x' },
    { properties: {}, additionalProperties: true },
    { additionalProperties: { type: 'string' } },
    { properties: { a: { type: 'string' } }, patternProperties: { '^x-': {} } },
  ])('leaves %j, which says not all that it takes, to JSON', (open) =>
    expect(schemaFields(open)).toBeUndefined(),
  )

  it.each([{ properties: {} }, { type: 'object', additionalProperties: false }])(
    'has no field where %j takes nothing',
    (closed) => expect(schemaFields(closed)).toEqual([]),
  )

  it('does not follow a reference for ever', () => {
    const round = { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { $ref: '#/$defs/A' } } }
    expect(schemaFields(round)?.[0]).toMatchObject({ kind: 'json' })
  })
})

describe('readDraft', () => {
  const filled = { ...draftOf(fields), title: 'x', project: '1', tags: '["a"]', ['__proto__']: 'p' }

  it('reads every kind as its own type, and leaves out what is empty', () => {
    const { input, faults } = readDraft(fields, {
      ...filled,
      level: '2',
      ratio: '0.5',
      either: '7',
      draft: '',
    })
    expect(faults).toEqual({})
    expect(JSON.parse(JSON.stringify(input))).toEqual(
      JSON.parse(
        '{"title":"x","project":"api","level":null,"priority":3,"ratio":0.5,"tags":["a"],"either":7,"__proto__":"p"}',
      ),
    )
  })

  it('does not make false of a truth value that nobody gave', () => {
    expect(readDraft(fields, { ...filled, draft: '' }).input).not.toHaveProperty('draft')
    expect(readDraft(fields, { ...filled, draft: 'false' }).input.draft).toBe(false)
  })

  it.each([
    ['title', ''],
    ['project', ''],
    ['project', '9'],
    ['project', 'length'],
    ['priority', 'many'],
    ['priority', '2.5'],
    ['priority', '0'],
    ['priority', '6'],
    ['ratio', 'Infinity'],
    ['tags', 'a, b'],
    ['tags', '{}'],
    ['person', '[]'],
  ])('%s: %j is a fault', (name, value) => {
    const { faults, input } = readDraft(fields, { ...filled, [name]: value })
    expect(Object.keys(faults)).toEqual([name])
    expect(input).not.toHaveProperty(name)
  })

  it('keeps spaces in text as they are', () => {
    expect(readDraft(fields, { ...filled, title: ' ' }).input.title).toBe(' ')
  })
})

describe('form and JSON', () => {
  it('come to the same input', () => {
    const input = {
      title: 'a',
      project: 'web',
      level: null,
      priority: 1,
      draft: true,
      tags: [],
      person: { a: 1 },
    }
    const draft = draftFrom(fields, input)
    expect(draft).toBeDefined()
    expect(
      readDraft(
        fields.filter(({ name }) => name !== '__proto__'),
        draft ?? {},
      ).input,
    ).toEqual(input)
  })

  it.each([{ other: 1 }, { priority: 'high' }, { project: 'docs' }, { title: '' }, { title: null }])(
    '%j has no place in the form',
    (input) => expect(draftFrom(fields, input)).toBeUndefined(),
  )

  it('reads an object, or nothing', () => {
    expect(readJson(' ')).toEqual({ input: {} })
    expect(readJson('{"a":[1]}')).toEqual({ input: { a: [1] } })
    expect(readJson('{\n  "a": 1,\n  b\n}')).toEqual({ fault: expect.stringContaining('3') })
    for (const wrong of ['[]', '"x"', 'null', '{', 'a'])
      expect(readJson(wrong)).toEqual({ fault: expect.any(String) })
  })
})

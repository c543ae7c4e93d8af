import { expect, it } from 'vitest'
import { schemaRows } from './schema-rows.ts'

it('makes a row of each field, with what it takes', () => {
  const { rows, cut } = schemaRows({
    required: ['who'],
    properties: {
      who: { $ref: '#/$defs/Person' },
      count: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How many' },
      kind: { enum: ['a', 1, null] },
      either: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      steps: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
      any: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      what: {},
    },
    $defs: {
      Person: { type: 'object', properties: { mail: { type: 'string', format: 'email', maxLength: 99 } } },
    },
  })
  expect(cut).toBe(false)
  expect(rows.map(({ path, type, required }) => `${path}${required ? '*' : ''}: ${type}`)).toEqual([
    'who*: object',
    'who.mail: text, email, up to 99 characters',
    'count: whole number, at least 1, at most 9',
    'kind: one of "a", 1, null',
    'either: text or true or false',
    'steps: list of object',
    'steps[].name: text',
    'any: whole number',
    'what: anything',
  ])
  expect(rows[2]).toMatchObject({ description: 'How many', initial: '3', depth: 0 })
  expect(rows[1]?.depth).toBe(1)
})

it('ends, however deep or large a schema is', () => {
  const tree: Record<string, unknown> = { type: 'object', properties: {} }
  tree.properties = { a: { $ref: '#' }, b: { $ref: '#' }, list: { type: 'array', items: { $ref: '#' } } }
  const deep = schemaRows(tree)
  expect(Math.max(...deep.rows.map(({ depth }) => depth))).toBe(3)
  const wide = { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`p${n}`, {}])) }
  expect(schemaRows(wide)).toMatchObject({ cut: true })
  expect(schemaRows(wide).rows).toHaveLength(200)
})

it.each([undefined, null, 'x', 7, { properties: null }, { type: 'object' }])('has no rows for %j', (schema) =>
  expect(schemaRows(schema)).toEqual({ rows: [], cut: false }),
)

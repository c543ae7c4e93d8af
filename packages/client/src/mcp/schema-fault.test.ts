import { describe, expect, it } from 'vitest'
import { schemaFault } from './schema-fault.ts'

const schema = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 2, maxLength: 5 },
    level: { type: 'integer', minimum: 1, maximum: 3 },
    kind: { enum: ['bug', 'task'] },
    tags: { type: 'array', maxItems: 2, items: { type: 'string' } },
    person: { $ref: '#/$defs/Person' },
    nick: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
  $defs: { Person: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
}

describe('an input that does not fit', () => {
  it.each([
    [{}, 'title'],
    [{ title: 5 }, '.title'],
    [{ title: 'x' }, '.title'],
    [{ title: 'far too long' }, '.title'],
    [{ title: 'ok', level: 1.5 }, '.level'],
    [{ title: 'ok', level: 9 }, '.level'],
    [{ title: 'ok', kind: 'wish' }, '"bug", "task"'],
    [{ title: 'ok', tags: ['a', 7] }, '.tags[1]'],
    [{ title: 'ok', tags: ['a', 'b', 'c'] }, '.tags'],
    [{ title: 'ok', person: {} }, 'name'],
    [{ title: 'ok', person: { name: [] } }, '.person.name'],
    [{ title: 'ok', more: true }, 'more'],
  ])('%j: tells where', (input, place) => expect(schemaFault(schema, input)).toContain(place))
})

describe('an input that may fit', () => {
  it.each([
    { title: 'ok' },
    { title: 'ok', level: 3, kind: 'bug', tags: [], person: { name: 'Ada', age: 3 } },
    { title: 'ok', nick: null, level: null, either: true },
  ])('%j passes', (input) => expect(schemaFault(schema, input)).toBeUndefined())

  it.each([undefined, null, 5, [], { type: 'object' }, { required: 'x', properties: 5, enum: 'x' }])(
    'passes a schema of %j',
    (hostile) => expect(schemaFault(hostile, { a: 1 })).toBeUndefined(),
  )

  it('comes to an end with a schema that goes round', () => {
    const round = { properties: { a: { $ref: '#' } } }
    let input: Record<string, unknown> = {}
    for (let depth = 0; depth < 1000; depth++) input = { a: input }
    expect(schemaFault(round, input)).toBeUndefined()
  })
})

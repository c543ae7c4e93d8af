import { describe, expect, it } from 'vitest'
import { faultText, formFault, valueFault } from './faults.ts'

const schema = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 2, maxLength: 5 },
    level: { type: 'integer', minimum: 1, maximum: 3 },
    kind: { enum: ['bug', 'task'] },
    colour: { oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }, { type: 'null' }] },
    tags: { type: 'array', maxItems: 2, items: { type: 'string' } },
    days: { type: 'array', minItems: 1, items: { enum: ['Mon', 'Tue'] } },
    at: { type: 'string', format: 'date-time' },
    person: { $ref: '#/$defs/Person' },
    nick: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    both: { type: ['string', 'number'] },
  },
  $defs: { Person: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
}

describe('a value that does not fit', () => {
  it.each([
    [{}, 'title', 'is required'],
    [{ title: 5 }, 'title', 'must be of type string'],
    [{ title: null }, 'title', 'must be of type string'],
    [{ title: 'x' }, 'title', 'must have at least 2 characters'],
    [{ title: 'far too long' }, 'title', 'must have at most 5 characters'],
    [{ title: 'ok', level: 1.5 }, 'level', 'must be a whole number'],
    [{ title: 'ok', level: null }, 'level', 'must be a whole number'],
    [{ title: 'ok', level: 9 }, 'level', 'must be at most 3'],
    [{ title: 'ok', kind: 'wish' }, 'kind', 'must be one of bug, task'],
    [{ title: 'ok', colour: 'Red' }, 'colour', 'must be one of r, g'],
    [{ title: 'ok', tags: 'a' }, 'tags', 'must be a list'],
    [{ title: 'ok', tags: ['a', 7] }, 'tags[1]', 'must be of type string'],
    [{ title: 'ok', tags: ['a', 'b', 'c'] }, 'tags', 'must have at most 2 entries'],
    [{ title: 'ok', days: 'Mon, Tue' }, 'days', 'must be a list'],
    [{ title: 'ok', days: ['Mon', 'Sun'] }, 'days[1]', 'must be one of Mon, Tue'],
    [{ title: 'ok', days: [] }, 'days', 'must have at least 1 entries'],
    [{ title: 'ok', at: '10' }, 'at', 'must be a date and a time'],
    [{ title: 'ok', person: [] }, 'person', 'must be an object'],
    [{ title: 'ok', person: {} }, 'person.name', 'is required'],
    [{ title: 'ok', person: { name: [] } }, 'person.name', 'must be of type string'],
    [{ title: 'ok', both: true }, 'both', 'must be of type string or number'],
    [{ title: 'ok', more: true }, 'more', 'is not asked for'],
  ])('%j: %s %s', (value, path, words) => {
    const fault = valueFault(schema, value) ?? expect.fail('no fault')
    expect(fault.path).toBe(path)
    expect(faultText(fault)).toBe(words)
  })

  it('is also one that cannot be looked at to its end', () => {
    const round = { properties: { a: { $ref: '#' } } }
    let value: Record<string, unknown> = {}
    for (let depth = 0; depth < 1000; depth++) value = { a: value }
    expect(valueFault(round, value)).toMatchObject({ code: 'tooLarge' })
    const texts = { type: 'array', items: { type: 'string' } }
    expect(valueFault(texts, new Array(100_000).fill(''))).toMatchObject({ code: 'tooLarge' })
  })
})

describe('a value that fits', () => {
  it.each([
    { title: 'ok' },
    { title: 'ok', level: 3, kind: 'bug', tags: [], days: ['Tue', 'Mon'], person: { name: 'Ada', age: 3 } },
    { title: 'ok', nick: null, colour: null, either: true },
  ])('%j', (value) => expect(valueFault(schema, value)).toBeUndefined())

  it.each([undefined, null, 5, [], { type: 'object' }, { required: 'x', properties: 5, enum: 'x' }])(
    'as far as a schema of %j says',
    (hostile) => expect(valueFault(hostile, { a: 1 })).toBeUndefined(),
  )
})

describe('a form', () => {
  it('takes only what it has a field for, whatever its schema says of more', () => {
    const open = { properties: { a: { type: 'string' } }, additionalProperties: true }
    expect(formFault(open, { a: 'x' })).toBeUndefined()
    for (const name of ['b', 'toString', '__proto__'])
      expect(formFault(open, Object.fromEntries([[name, 'x']]))).toMatchObject({
        code: 'unknown',
        path: name,
      })
    expect(formFault(undefined, {})).toBeUndefined()
    expect(formFault(undefined, { a: 1 })).toMatchObject({ code: 'unknown' })
  })
})

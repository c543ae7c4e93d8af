import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import { ToolDefinitionError } from '../errors.ts'
import { compileSchema } from './input-schema.ts'

const compile = (declared: unknown) => compileSchema(declared, 'input', "Tool 't': inputSchema")
const check = async (declared: unknown, value: unknown) => compile(declared).check(value)
/** The paths of the issues, or the accepted value. */
const outcome = async (declared: unknown, value: unknown) => {
  const result = await check(declared, value)
  return result.ok ? result.value : result.issues.map((issue) => issue.path)
}

describe('simple maps', () => {
  const map = { a: 'number', i: 'integer?', note: 'string?', o: 'object?', l: 'array?', b: 'boolean?' }

  it('are given to the model as JSON Schema', () => {
    expect(compile({ a: 'number', note: 'string?' }).jsonSchema()).toEqual({
      type: 'object',
      properties: { a: { type: 'number' }, note: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    })
    expect(compile({}).jsonSchema()).toEqual({ type: 'object', properties: {}, additionalProperties: false })
  })

  it.each([
    [{ a: 1 }, { a: 1 }],
    [
      { a: 1, i: 2, note: 'x', o: {}, l: [], b: false },
      { a: 1, i: 2, note: 'x', o: {}, l: [], b: false },
    ],
    [{ a: 1, note: null }, { a: 1 }],
    [{}, ['a']],
    [{ a: null }, ['a']],
    [{ a: '1' }, ['a']],
    [{ a: 1, i: 1.5 }, ['i']],
    [{ a: 1, o: [] }, ['o']],
    [{ a: 1, l: {} }, ['l']],
    [{ a: true, b: 1, note: 2 }, ['a', 'note', 'b']],
    [{ a: 1, nots: 'x' }, ['nots']],
    [{ a: 1, constructor: 1 }, ['constructor']],
    [[], ['']],
    ['text', ['']],
    [null, ['']],
  ])('judge %j', async (value, expected) => {
    expect(await outcome(map, value)).toEqual(expected)
  })

  it('say what was expected', async () => {
    expect(await check({ a: 'number', b: 'array' }, { a: 'x', c: 1 })).toEqual({
      ok: false,
      issues: [
        { path: 'a', message: 'expected number, got a string' },
        { path: 'b', message: 'expected array, it is missing' },
        { path: 'c', message: 'unknown field; known are: a, b' },
      ],
    })
  })

  it('are not misled by names of Object.prototype', async () => {
    expect(await outcome({ constructor: 'string', toString: 'string?' }, {})).toEqual(['constructor'])
    const sent = JSON.parse('{"a":1,"__proto__":{"polluted":true}}')
    expect(await outcome({ a: 'number' }, sent)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('JSON Schema', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      q: { type: 'string', minLength: 2 },
      list: {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      },
      tree: { $ref: '#/$defs/tree' },
    },
    required: ['q'],
    additionalProperties: false,
    $defs: {
      tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
    },
  }

  it('is passed on, and the original is neither changed nor followed later', async () => {
    const original = structuredClone(schema)
    Object.freeze(original)
    const compiled = compile(original)
    await compiled.check({ q: 'xx' })
    expect(original).toEqual(schema)
    original.properties.q.minLength = 100
    const { $schema: _, ...rest } = schema
    expect(compiled.jsonSchema()).toEqual(rest)
  })

  it.each([
    [{ q: 'ok' }, { q: 'ok' }],
    [{}, ['q']],
    [{ q: 'x' }, ['q']],
    [{ q: 1, extra: 2 }, ['q', 'extra']],
    [{ q: 'ok', list: [{ n: 1 }, { n: 'x' }, {}] }, ['list[1].n', 'list[2].n']],
    [{ q: 'ok', tree: { kids: [{ kids: [3] }] } }, ['tree.kids[0].kids[0]']],
  ])('judges %j', async (value, expected) => {
    expect(await outcome(schema, value)).toEqual(expected)
  })

  it('says what was expected', async () => {
    const result = await check(schema, { q: 5, z: 1, list: [{}] })
    expect(result).toEqual({
      ok: false,
      issues: [
        { path: 'q', message: 'expected string, got number' },
        { path: 'list[0].n', message: 'expected a value, it is missing' },
        { path: 'z', message: 'unknown field' },
      ],
    })
  })

  it('loads and builds its validator once; later checks are synchronous', async () => {
    const compiled = compile(schema)
    expect(compiled.check({ q: 'ok' })).toBeInstanceOf(Promise)
    await compiled.check({ q: 'ok' })
    expect(compiled.check({ q: 'ok' })).toEqual({ ok: true, value: { q: 'ok' } })
  })

  it('refuses __proto__ at any depth', async () => {
    const open = { type: 'object' }
    expect(await outcome(open, JSON.parse('{"a":[{"__proto__":{"x":1}}]}'))).toEqual(['a.0.__proto__'])
  })

  it('survives arguments nested too deeply for a recursive check', async () => {
    let deep: unknown = {}
    for (let depth = 0; depth < 50_000; depth++) deep = { kids: [deep] }
    await expect(check(schema, { q: 'ok', tree: deep })).rejects.toThrow(RangeError)
  })

  it.each([
    ['draft 7', 'http://json-schema.org/draft-07/schema#'],
    ['draft 4', 'http://json-schema.org/draft-04/schema#'],
    ['draft 2019-09', 'https://json-schema.org/draft/2019-09/schema'],
  ])('of %s is judged by its own rules', async (_, uri) => {
    const tuple = {
      $schema: uri,
      type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
    }
    expect(await outcome(tuple, { pair: ['a', 'b'] })).toEqual(['pair[1]'])
    expect(compile(tuple).jsonSchema()).toMatchObject({ $schema: uri })
  })

  it('needs no type where other keywords show what it is', () => {
    expect(compile({ properties: { a: {} } }).jsonSchema()).toEqual({ type: 'object', properties: { a: {} } })
  })
})

describe('Zod', () => {
  const tree = z.object({
    v: z.number(),
    get kids() {
      return z.array(tree).optional()
    },
  })
  const shape = {
    a: z.number().describe('first'),
    limit: z.number().default(10),
    when: z.string().transform((text) => text.length),
    note: z.string().optional(),
    tree: tree.optional(),
    trees: z.array(tree).optional(),
  }

  it('a shape and an object give the same schema and the same values', async () => {
    const fromObject = compile(z.object(shape)).jsonSchema() as Record<string, unknown>
    const fromShape = compile(shape).jsonSchema() as Record<string, unknown>
    expect(fromShape.required).toEqual(['a', 'when'])
    expect(fromShape.required).toEqual(fromObject.required)
    const sent = { a: 1, when: 'abc', unknown: true, tree: { v: 1, kids: [{ v: 2 }] } }
    const expected = { a: 1, limit: 10, when: 3, tree: { v: 1, kids: [{ v: 2 }] } }
    expect(await outcome(shape, sent)).toStrictEqual(expected)
    expect(await outcome(z.object(shape), sent)).toStrictEqual(expected)
  })

  it('keeps the references of recursive fields true when it joins a shape', async () => {
    const json = compile({ ...shape, 'root.x': tree }).jsonSchema()
    expect(json).toMatchObject({
      properties: {
        a: { type: 'number', description: 'first' },
        'root.x': { properties: { kids: { items: { $ref: '#/properties/root.x' } } } },
        trees: { items: { $ref: '#/properties/trees/$defs/__schema0' } },
      },
    })
    const valid = { a: 1, when: '', 'root.x': { v: 0 } }
    expect(await outcome(json, { ...valid, trees: [{ v: 1, kids: [{ v: 2, kids: [{}] }] }] })).toEqual([
      'trees[0].kids[0].kids[0].v',
    ])
    expect(await outcome(json, { ...valid, tree: { v: 1, kids: [{ v: 'x' }] } })).toEqual(['tree.kids[0].v'])
    expect(await outcome(json, { ...valid, 'root.x': { v: 1, kids: [{ v: 'x' }] } })).toEqual([
      'root.x.kids[0].v',
    ])
  })

  it('names each wrong field', async () => {
    const sent = { a: 'x', when: 'y', tree: { v: 1, kids: [{}] } }
    expect(await outcome(shape, sent)).toEqual(['a', 'tree.kids[0].v'])
    expect(await outcome(z.object(shape), sent)).toEqual(['a', 'tree.kids[0].v'])
    expect(await check({ n: z.number() }, {})).toEqual({
      ok: false,
      issues: [{ path: 'n', message: expect.stringContaining('expected number') }],
    })
  })

  it('leaves absent optional fields absent', async () => {
    expect(await outcome({ a: z.string().optional() }, {})).toStrictEqual({})
    expect(await outcome({ a: z.string().exactOptional() }, {})).toStrictEqual({})
  })

  it('checks asynchronously where a schema asks for it', async () => {
    const taken = z.string().refine(async (name) => name !== 'taken', 'is taken')
    expect(await outcome({ name: taken }, { name: 'free' })).toEqual({ name: 'free' })
    expect(await check({ name: taken }, { name: 'taken' })).toEqual({
      ok: false,
      issues: [{ path: 'name', message: 'is taken' }],
    })
  })

  it('Mini has no JSON Schema of its own, so Zod is loaded for it', async () => {
    const compiled = compile({ a: mini.number(), b: mini.optional(mini.string()) })
    expect(await compiled.jsonSchema()).toMatchObject({
      properties: { a: { type: 'number' } },
      required: ['a'],
    })
    expect(await compile(mini.object({ a: mini.number() })).jsonSchema()).toMatchObject({ required: ['a'] })
    expect(compiled.check({ a: 1 })).toEqual({ ok: true, value: { a: 1 } })
  })

  it.each([
    ['an object', z3.object({ a: z3.number() })],
    ['a shape', { a: z3.number() }],
  ])('3 is refused: %s', (_, schema) => {
    expect(() => compile(schema)).toThrow(/made with Zod 3/)
  })

  it('refuses what has no JSON Schema, naming the field', () => {
    expect(() => compile({ ok: z.string(), when: z.date() })).toThrow(
      /field 'when' has no JSON Schema: .*Date/,
    )
  })

  it('is not misled by __proto__', async () => {
    const sent = JSON.parse('{"a":"x","__proto__":{"polluted":true}}')
    const value = await outcome({ a: z.string() }, sent)
    expect(value).toStrictEqual({ a: 'x' })
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('other standard schemas', () => {
  const vendor = (jsonSchema?: object) => ({
    '~standard': {
      version: 1,
      vendor: 'acme',
      validate: (value: unknown) =>
        value === 'no' ? { issues: [{ message: 'is no', path: [{ key: 'deep' }, 0] }] } : { value },
      ...(jsonSchema ? { jsonSchema: { input: () => jsonSchema, output: () => jsonSchema } } : {}),
    },
  })

  it('work where they describe themselves', async () => {
    const field = vendor({ type: 'string' })
    expect(compile({ field }).jsonSchema()).toEqual({
      type: 'object',
      properties: { field: { type: 'string' } },
    })
    expect(await outcome({ field }, { field: 'no' })).toEqual(['field.deep[0]'])
  })

  it('are refused where they do not', () => {
    expect(() => compile(vendor())).toThrow(/schemas of acme offer no JSON Schema/)
  })
})

describe('what is refused', () => {
  it.each([
    ['nothing', undefined, /must be a schema, got undefined/],
    ['a string', 'string', /must be a schema, got a string/],
    [
      'an unknown type word',
      { a: 'number', b: 'text' },
      /field 'b' is 'text'; expected one of string, number/,
    ],
    ['bare properties', { a: { type: 'number' } }, /belong inside \{ type: 'object'/],
    ['a mixture', { type: 'object', a: 'number' }, /'a' is written as in a simple map/],
    [
      'a shape with type words',
      { a: z.string(), b: 'number' },
      /field 'b' is a string where the other fields/,
    ],
    ['a schema of no object', z.string(), /must describe an object, not "string"/],
    ['JSON Schema of no object', { type: 'array', items: {}, properties: {} }, /must describe an object/],
    [
      'a union',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      /'anyOf' at the top level/,
    ],
    ['a name that the API refuses', { 'has space': 'string' }, /field 'has space' must have a name/],
    ['properties that are none', { type: 'object', properties: 5 }, /'properties' must be an object/],
    ['required that is no list', { type: 'object', required: true }, /'required' must be a list/],
  ])('%s', (_, declared, message) => {
    expect(() => compile(declared)).toThrow(ToolDefinitionError)
    expect(() => compile(declared)).toThrow(message)
    expect(() => compile(declared)).toThrow(/^Tool 't': inputSchema/)
  })

  it('a circular schema', () => {
    const circular: Record<string, unknown> = { type: 'object' }
    circular.properties = { self: circular }
    expect(() => compile(circular)).toThrow(/is not JSON: .*circular/)
  })

  it('but a field called type or title is fine in a simple map', async () => {
    expect(
      await outcome(
        { type: 'string', title: 'string', properties: 'array' },
        { type: 'a', title: 'b', properties: [] },
      ),
    ).toEqual({ type: 'a', title: 'b', properties: [] })
  })
})

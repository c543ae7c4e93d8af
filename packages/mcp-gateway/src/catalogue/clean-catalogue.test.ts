import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanCatalogue, type RawCatalogue } from './clean-catalogue.ts'
import { hasHiddenCharacters } from './clean-text.ts'

const raw = (parts: Partial<RawCatalogue>): RawCatalogue => ({
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  instructions: undefined,
  capabilities: {},
  ...parts,
})
const tool = (name: string, extra: Record<string, unknown> = {}) => ({
  name,
  inputSchema: { type: 'object' },
  ...extra,
})
const clean = (...tools: unknown[]) => cleanCatalogue(raw({ tools }))
const withSchema = (schema: unknown) => clean({ name: 'x', inputSchema: schema })
const nested = (depth: number): unknown =>
  depth === 0 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) }

describe('tools', () => {
  it('keep every field that is sound, and come sorted by name', () => {
    const full = tool('b.c-d_1', {
      title: 'B',
      description: 'Does\n\tthings',
      annotations: { readOnlyHint: true },
      icons: [{ src: 'https://example.com/a.png' }],
      execution: { taskSupport: 'optional' },
      outputSchema: { type: 'object', properties: { a: { type: 'number' } } },
      _meta: { 'x/y': [1, null] },
      future: { a: 1 },
    })
    const { tools, faults } = clean(full, tool('Z'), tool('a'))
    expect(faults).toEqual([])
    expect(tools.map((one) => one.name)).toEqual(['Z', 'a', 'b.c-d_1'])
    expect(tools[2]).toEqual(full)
  })

  it.each([
    ['', /name is not 1 to 128/],
    ['a b', /name is not 1 to 128/],
    ['a\u200bb', /^tool 'ab' is left out: its name/],
    ['x'.repeat(129), /name is not 1 to 128/],
    [7, /^tool without a name is left out/],
  ])('named %j are refused, not repaired', (name, fault) => {
    const { tools, faults } = clean({ name, inputSchema: { type: 'object' } }, tool('ok'))
    expect(tools.map((one) => one.name)).toEqual(['ok'])
    expect(faults).toEqual([expect.stringMatching(fault)])
  })

  it('that share a name, or differ in case only, are one: the first', () => {
    const { tools, faults } = clean(
      tool('read', { description: 'first' }),
      tool('read', { description: 'second' }),
      tool('Read'),
    )
    expect(tools).toMatchObject([{ name: 'read', description: 'first' }])
    expect(faults).toEqual([
      "tool 'read' is left out: there is another with this name",
      "tool 'Read' is left out: it is too easily taken for 'read'",
    ])
  })

  it.each([
    ['none', undefined, /not a schema of type object/],
    ['of another type', { type: 'string' }, /not a schema of type object/],
    [
      'with a reference elsewhere',
      refTo('https://evil.example/schema'),
      /a\.\$ref must be a reference within/,
    ],
    ['with a file reference', refTo('other.json#/a'), /\$ref must be a reference within/],
    ['nested too deeply', { type: 'object', properties: { a: nested(33) } }, /nested more than 32 deep/],
    ['too long', { type: 'object', description: 'x'.repeat(70_000) }, /longer than 65536/],
    [
      'with a tuple of older drafts',
      props({ a: { items: [{ type: 'string' }] } }),
      /a\.items must be a schema/,
    ],
    ['with a boolean limit', props({ a: { exclusiveMinimum: true } }), /exclusiveMinimum must be a number/],
    ['with a type that is none', props({ a: { type: 'string[]' } }), /type must be one of/],
    ['with broken required', { type: 'object', required: 'a' }, /required must be an array/],
    ['with required twice', { type: 'object', required: ['a', 'a'] }, /required must be an array/],
    ['with an argument named oddly', props({ 'filter[id]': {} }), /no argument named 'filter\[id\]'/],
    [
      'with an argument named __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{}}}'),
      /__proto__/,
    ],
    ['with a hidden argument', props({ 'a\u200b': {} }), /key with hidden characters/],
    ['that is one union', { type: 'object', anyOf: [props({ a: {} })] }, /says all in anyOf/],
  ])('with a schema %s are left out, and the rest stays', (_, schema, fault) => {
    const { tools, faults } = clean({ name: 'bad', inputSchema: schema }, tool('ok'))
    expect(tools.map((one) => one.name)).toEqual(['ok'])
    expect(faults).toEqual([expect.stringMatching(fault)])
  })

  it('may refer within their schema, even to themselves', () => {
    const inner = props({ $ref: { type: 'string' }, b: { $ref: '#/properties/a' } })
    const schema = props({ a: { $ref: '#' }, inner })
    expect(withSchema(schema)).toMatchObject({ tools: [{ inputSchema: schema }], faults: [] })
  })

  it('lose a union at the top, which the API refuses, and the dialect', () => {
    const schema = {
      ...props({ a: {} }),
      $schema: 'http://json-schema.org/draft-07/schema#',
      oneOf: [{ required: ['a'] }],
    }
    const { tools, faults } = withSchema(schema)
    expect(tools[0]?.inputSchema).toEqual(props({ a: {} }))
    expect(faults).toEqual([expect.stringContaining('not told the oneOf')])
  })

  it('lose single fields that are wrong, with a word on each', () => {
    const { tools, faults } = clean(
      tool('x', {
        title: 5,
        annotations: { readOnlyHint: 'yes' },
        icons: 'none',
        outputSchema: { properties: {} },
        _meta: JSON.parse('{"__proto__":{"a":1}}'),
        description: 'x'.repeat(9_000),
      }),
    )
    expect(Object.keys(tools[0] ?? {}).sort()).toEqual(['description', 'inputSchema', 'name'])
    expect(tools[0]?.description).toHaveLength(8_192)
    expect(faults).toHaveLength(6)
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })

  it('are at most 500, and the faults are bounded too', () => {
    const { tools, faults } = clean(...Array.from({ length: 700 }, (_, i) => tool(`t${i}`, { title: 1 })))
    expect(tools).toHaveLength(500)
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toBe('401 more of this kind')
  })

  it('are bounded in all they say together', () => {
    const long = 'x'.repeat(60_000)
    const many = Array.from({ length: 200 }, (_, i) => tool(`t${i}`, { _meta: { long } }))
    const { tools } = clean(...many)
    expect(JSON.stringify(tools).length).toBeLessThan(8.1 * 1024 * 1024)
    expect(tools.length).toBeGreaterThan(100)
  })

  it('cost no more than their size where one object is reached by many ways', () => {
    let bomb: unknown = {}
    for (let depth = 0; depth < 30; depth++) bomb = { a: bomb, b: bomb }
    expect(withSchema({ type: 'object', default: bomb }).faults).toEqual([
      expect.stringContaining('too many parts'),
    ])
  })
})

describe('the rest of a catalogue', () => {
  it('is cleaned likewise', () => {
    const catalogue = cleanCatalogue(
      raw({
        resources: [
          { uri: 'x://b', name: 'B\u202e\nB', description: 'd\u200b' },
          { uri: 'x://a' },
          { uri: 'x://a', name: 'again' },
          { uri: 'x://\u200b', name: 'hidden' },
          'no object',
        ],
        resourceTemplates: [{ uriTemplate: 'x://{id}', name: 'T' }, { name: 'no template' }],
        prompts: [
          { name: 'p', arguments: [{ name: 'a', required: true }] },
          { name: 'q', arguments: 'none' },
          { name: 'a\nb' },
        ],
        instructions: `Use\u{e0041} it\n${'x'.repeat(20_000)}`,
        capabilities: { tools: { listChanged: true } },
      }),
    )
    expect(catalogue.resources).toEqual([
      { uri: 'x://a', name: 'x://a' },
      { uri: 'x://b', name: 'B B', description: 'd' },
    ])
    expect(catalogue.resourceTemplates).toEqual([{ uriTemplate: 'x://{id}', name: 'T' }])
    expect(catalogue.prompts).toEqual([{ name: 'p', arguments: [{ name: 'a', required: true }] }])
    expect(catalogue.instructions).toHaveLength(16 * 1024)
    expect(catalogue.instructions?.startsWith('Use it\n')).toBe(true)
    expect(catalogue.capabilities).toEqual({ tools: { listChanged: true } })
    expect(catalogue.faults).toHaveLength(7)
  })
})

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '__proto__',
    'toString',
    'a\u200bb',
    '\u{e0041}',
    'x\r\ny',
    '',
    'object',
    '#/a',
    'http://x',
  ),
)
const hostileValue = fc.anything({
  key: fc.oneof(
    hostileText,
    fc.constantFrom('type', 'properties', '$ref', 'items', 'required', 'anyOf', 'title'),
  ),
  values: [hostileText, fc.anything({ maxDepth: 0 }), fc.constant(() => 1), fc.constant('object')],
  maxDepth: 4,
})
const hostileItem = fc.oneof(
  hostileValue,
  fc.record(
    {
      name: fc.oneof(hostileText, fc.stringMatching(/^[a-cA-C.]{1,3}$/)),
      uri: hostileText,
      uriTemplate: hostileText,
      title: hostileValue,
      description: fc.oneof(hostileText, hostileValue),
      inputSchema: fc.oneof(
        fc.constant({ type: 'object' }),
        fc.dictionary(hostileText, hostileValue).map((schema) => ({ ...schema, type: 'object' })),
        hostileValue,
      ),
      outputSchema: hostileValue,
      annotations: hostileValue,
      _meta: hostileValue,
      arguments: hostileValue,
    },
    { requiredKeys: [] },
  ),
)
const hostileCatalogue = fc.record({
  tools: fc.array(hostileItem, { maxLength: 8 }),
  resources: fc.array(hostileItem, { maxLength: 4 }),
  resourceTemplates: fc.array(hostileItem, { maxLength: 4 }),
  prompts: fc.array(hostileItem, { maxLength: 4 }),
  instructions: fc.oneof(hostileText, hostileValue),
  capabilities: hostileValue,
})

describe('whatever a server says', () => {
  it('becomes plain JSON without hidden characters, and stays as it is when cleaned again', () => {
    fc.assert(
      fc.property(hostileCatalogue, (given) => {
        const { faults, ...catalogue } = cleanCatalogue(given)
        expect(JSON.parse(JSON.stringify(catalogue))).toEqual(catalogue)
        for (const text of textsOf([catalogue, faults]))
          expect(hasHiddenCharacters(text.replace(/[\n\t]/g, ''))).toBe(false)
        for (const { name, inputSchema } of catalogue.tools) {
          expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/)
          expect(inputSchema.type).toBe('object')
        }
        const again = cleanCatalogue(catalogue)
        expect({ ...again, faults: [] }).toEqual({ ...catalogue, faults: [] })
        expect(again.faults).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  it('does not throw where reading it does', () => {
    const trap = new Proxy({}, { get: throws, ownKeys: throws, has: throws })
    const all = [trap, { name: 'x', inputSchema: trap }, { uri: 'x://a', name: trap, title: trap }]
    const catalogue = cleanCatalogue({
      tools: all,
      resources: all,
      resourceTemplates: all,
      prompts: all,
      instructions: trap,
      capabilities: trap,
    })
    expect(catalogue.tools).toEqual([])
    expect(catalogue.faults.length).toBeGreaterThan(0)
    expect(cleanCatalogue(trap as RawCatalogue).faults).toEqual([])
  })
})

function throws(): never {
  throw new Error('do not touch')
}

function refTo(ref: string) {
  return props({ a: { $ref: ref } })
}

function props(properties: Record<string, unknown>) {
  return { type: 'object', properties }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsOf)]
}

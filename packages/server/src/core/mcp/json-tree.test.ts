import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonNode, memberOf, nodeAt, readJsonTree, repeatedMembers, toJsonNode } from './json-tree.ts'

function plain(node: JsonNode | undefined): unknown {
  if (node?.kind === 'array') return node.items.map(plain)
  if (node?.kind === 'object')
    return Object.fromEntries(node.members.map((member) => [member.key, plain(member.node)]))
  return node?.value
}

describe('readJsonTree', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { root, problem } = readJsonTree(text)
        expect(problem).toBeUndefined()
        expect(plain(root)).toEqual(plain(toJsonNode(JSON.parse(text), 1)))
      }),
    )
  })

  it('never throws, and finds a problem wherever text is not JSON', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      'x',
      "'",
      '"',
      '/*',
      '\n',
      '\\',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const { problem } = readJsonTree(text)
        // Comments and trailing commas are the only things that are more than JSON.
        if (!problem && !/\/\*|,\s*[}\]]/.test(text)) expect(() => JSON.parse(text) as unknown).not.toThrow()
      }),
      { numRuns: 2000 },
    )
  })

  it('knows lines with comments, trailing commas and Windows line ends', () => {
    const { root, problem } = readJsonTree(
      '// first\r\n{\r\n  "a": 1, /* two\r\nlines */ "b": [\r\n  2,],\r\n}',
    )
    expect(problem).toBeUndefined()
    expect(plain(root)).toEqual({ a: 1, b: [2] })
    expect(memberOf(root, 'a')?.line).toBe(3)
    expect(memberOf(root, 'b')?.line).toBe(4)
  })

  it.each([
    ['', 1, 1, 'the file is empty'],
    ['{\n  "a": \n}', 3, 1, 'a value was expected'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma was expected'],
    ['{\n  "a" 1 }', 2, 7, 'a colon was expected'],
    ['{ "a": 1', 1, 9, 'a closing brace } was expected'],
    ['{ a: 1 }', 1, 3, 'a value was expected; text needs double quotes'],
    ['{ "a": "x\n" }', 1, 8, 'a text in quotes is not closed'],
    ['{} {}', 1, 4, 'the end of the file was expected'],
  ])('says where and what was expected: %j', (text, line, column, message) => {
    expect(readJsonTree(text).problem).toEqual({ line, column, message })
  })

  it('keeps only what is wanted of a large file, with its lines', () => {
    const text = JSON.stringify(
      {
        junk: { deep: [1, { x: 2 }] },
        projects: { '/a': { m: { n: 1 } }, '/b': { m: 1 } },
        mcpServers: { s: {} },
      },
      null,
      1,
    )
    const { root } = readJsonTree(text, [['mcpServers'], ['projects', '/a']])
    expect(plain(root)).toEqual({
      junk: {},
      projects: { '/a': { m: { n: 1 } }, '/b': {} },
      mcpServers: { s: {} },
    })
    expect(nodeAt(root, ['mcpServers', 's'])?.line).toBe(
      text.split('\n').findIndex((l) => l.includes('"s"')) + 1,
    )
  })

  it('leaves nothing unchecked in a file that is not JSON', () => {
    const { problem } = readJsonTree('{ "junk": { "x": ] }, "mcpServers": {} }', [['mcpServers']])
    expect(problem).toMatchObject({ line: 1, column: 18 })
  })

  it('survives a text of brackets alone', () => {
    const problem = { line: 1, column: 1, message: 'it is nested too deeply' }
    expect(readJsonTree('['.repeat(2_000_000))).toEqual({ root: undefined, problem })
    expect(readJsonTree('{"a":'.repeat(400_000), [['a']])).toEqual({ root: undefined, problem })
  })

  it('harms no prototype', () => {
    const { root } = readJsonTree(
      '{ "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } } }',
    )
    expect(memberOf(root, '__proto__')?.kind).toBe('object')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(memberOf(root, 'toString')).toBeUndefined()
  })

  it('takes the last of keys that stand there twice, and names the earlier', () => {
    const { root } = readJsonTree('{\n"a": 1,\n"b": 2,\n"a": 3 }')
    expect(memberOf(root, 'a')).toMatchObject({ value: 3, line: 4 })
    expect(root && repeatedMembers(root).map(({ key, line }) => [key, line])).toEqual([['a', 2]])
  })
})

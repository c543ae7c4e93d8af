import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ExpandInput, expandVariables } from './expand-variables.ts'
import type { McpEntry } from './found-server.ts'

const env: Record<string, string> = {
  FOO: 'foo',
  EMPTY: '',
  REF: `\${SECRET}`,
  SECRET: 's3cret',
  URL: 'https://a.example',
}
const stdio = (...args: string[]): McpEntry => ({ type: 'stdio', command: 'x', args, env: {} })
const expand = (entry: McpEntry, more: Partial<ExpandInput> = {}) =>
  expandVariables({
    entry,
    allowed: new Set(['FOO', 'EMPTY', 'REF', 'URL', 'UNSET']),
    lookUp: (name) => env[name],
    ...more,
  })
const args = (...given: string[]) => {
  const { entry } = expand(stdio(...given))
  return entry?.type === 'stdio' ? entry.args : undefined
}
const sentence = (entry: McpEntry) => {
  const result = expand(entry)
  return 'sentence' in result ? result : undefined
}

describe('expandVariables', () => {
  it('puts values everywhere that one can stand', () => {
    const f = `\${FOO}`
    expect(
      expand({ type: 'stdio', command: `/${f}/x`, args: [f], env: { A: f, [f]: 'n' }, cwd: f }).entry,
    ).toEqual({
      type: 'stdio',
      command: '/foo/x',
      args: ['foo'],
      env: { A: 'foo', [f]: 'n' },
      cwd: 'foo',
    })
    expect(expand({ type: 'http', url: `\${URL}/mcp?x=${f}`, headers: { A: `Bearer ${f}` } }).entry).toEqual({
      type: 'http',
      url: 'https://a.example/mcp?x=foo',
      headers: { A: 'Bearer foo' },
    })
  })

  it('knows defaults, and what is text', () => {
    expect(args(`\${UNSET:-d}`, `\${FOO:-d}`, `\${UNSET:-}`, `\${UNSET:-a:b-c}`, `\${EMPTY:-d}`)).toEqual([
      'd',
      'foo',
      '',
      'a:b-c',
      '',
    ])
    const texts = ['$FOO', `\${}`, `\${A B}`, `\${FOO-x}`, `\${`, `\${FOO`]
    expect(args(...texts)).toEqual(texts)
    expect(args(`$\${FOO}`)).toEqual(['$foo'])
  })

  it('never looks at a value again', () => {
    expect(args(`\${REF}`)).toEqual([`\${SECRET}`])
    expect(args(`\${REF:-x}\${FOO}`)).toEqual([`\${SECRET}foo`])
    expect(args(`$\${UNSET:-{SECRET}`)).toEqual([`\${SECRET`])
  })

  it('gives out nothing that is not on the list, and says how to put it there', () => {
    const asked: string[] = []
    const lookUp = (name: string) => {
      asked.push(name)
      return env[name]
    }
    expect(expand(stdio(`\${SECRET}`, `\${FOO}`), { lookUp })).toEqual({
      missing: ['SECRET'],
      sentence: 'SECRET may not be used: add it to mcp.expandEnv in the configuration.',
    })
    expect(asked).toEqual(['FOO'])
    expect(args(`\${SECRET:-none}`)).toEqual(['none'])
  })

  it('says what is missing once, and why', () => {
    expect(sentence(stdio(`\${UNSET}\${UNSET}`))).toEqual({
      missing: ['UNSET'],
      sentence: 'UNSET is not set in the environment of the DorkOS server.',
    })
    expect(sentence(stdio(`\${CLAUDE_PLUGIN_ROOT}/x`))?.sentence).toBe(
      'CLAUDE_PLUGIN_ROOT is known in plugins only.',
    )
  })

  it.each(['cmd:ls', 'input:key', 'user_config.KEY', 'env:FOO', 'FOO:=x', `FOO:-\${SECRET}`])(
    'refuses it with %s',
    (inner) => {
      expect(sentence(stdio(`\${${inner}}`))?.sentence).toMatch(/cannot be used: only \$\{NAME\}/)
    },
  )

  it('does not repeat a default', () => {
    expect(sentence(stdio(`\${FOO:-hunter2\${X}}`))?.sentence).not.toContain('hunter2')
  })

  it('knows where a plugin lies', () => {
    const known = { CLAUDE_PLUGIN_ROOT: '/plugins/p', CLAUDE_PLUGIN_DATA: '/data/p' }
    expect(
      expand(stdio(`\${CLAUDE_PLUGIN_ROOT}/s.js`, `\${CLAUDE_PLUGIN_DATA}`), { known }).entry,
    ).toMatchObject({
      args: ['/plugins/p/s.js', '/data/p'],
    })
  })

  it('looks at an address when it is whole', () => {
    const url = (value: string) => sentence({ type: 'http', url: value, headers: {} })
    expect(url(`\${FOO}`)).toEqual({
      missing: [],
      sentence: 'With its variables put in, url is not an address; it must begin with https:// or http://.',
    })
    expect(url(`https://\${FOO}:\${FOO}@a.example`)?.sentence).toMatch(/user name or password/)
    const headers = { A: `\${FOO:-\r\n}` }
    expect(expand({ type: 'http', url: 'https://a.example', headers }, { allowed: new Set() })).toMatchObject(
      {
        sentence: 'With its variables put in, headers.A holds a line break.',
      },
    )
    expect(sentence({ type: 'stdio', command: `\${EMPTY}`, args: [], env: {} })?.sentence).toMatch(
      /command is empty/,
    )
  })

  it('shows no value of a variable that is not allowed, whatever is written', () => {
    const pieces = fc.constantFrom(
      '$',
      '{',
      '}',
      'SECRET',
      ':-',
      'FOO',
      'REF',
      ':',
      '-',
      `\${`,
      'x',
      `\${SECRET}`,
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        expect(JSON.stringify(expand(stdio(parts.join(''))))).not.toContain('s3cret')
      }),
      { numRuns: 3000 },
    )
  })
})

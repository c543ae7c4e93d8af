import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillIn, importSnippet } from './import-snippet.ts'

const entry = { command: 'npx', args: ['-y', 'server'] }
const read = (value: unknown) => importSnippet(typeof value === 'string' ? value : JSON.stringify(value))
const names = (value: unknown) => read(value).entries.map(({ name }) => name)

describe('importSnippet', () => {
  it.each([
    ['Claude Desktop, Cursor', { mcpServers: { s: entry } }],
    ['VS Code', { inputs: [], servers: { s: { type: 'stdio', ...entry } } }],
    ['VS Code’s settings.json', { 'editor.tabSize': 2, mcp: { servers: { s: entry } } }],
    ['a bare list', { s: entry }],
    ['without the braces', `"mcpServers": ${JSON.stringify({ s: entry })},`],
    ['one entry with its name', `"s": ${JSON.stringify(entry)}`],
    ['a fence of Markdown', `\`\`\`json\n${JSON.stringify({ mcpServers: { s: entry } })}\n\`\`\`\n`],
    ['comments and trailing commas', `// add this\n{ "mcpServers": { "s": ${JSON.stringify(entry)}, }, }`],
  ])('reads %s', (_name, snippet) => {
    expect(read(snippet)).toMatchObject({
      entries: [{ name: 's', entry: { type: 'stdio', ...entry } }],
      faults: [],
    })
  })

  it('asks for the name of a bare entry', () => {
    expect(names(entry)).toEqual([undefined])
    expect(names({ type: 'http', url: 'https://a.example/mcp' })).toEqual([undefined])
    expect(names({ command: entry })).toEqual(['command'])
  })

  it('lists what VS Code would ask for', () => {
    const snippet = {
      inputs: [{ type: 'promptString', id: 'token', description: 'GitHub token', password: true }],
      servers: {
        gh: {
          command: 'x',
          env: { TOKEN: `\${input:token}` },
          args: [`--org=\${input:org}`, `\${env:HOME}/x`],
        },
      },
    }
    const [found] = read(snippet).entries
    expect(found?.toFillIn).toEqual([
      { placeholder: `\${input:token}`, description: 'GitHub token', secret: true },
      { placeholder: `\${input:org}`, description: 'An argument: org', secret: false },
    ])
    expect(found?.entry).toMatchObject({ args: [`--org=\${input:org}`, `\${HOME}/x`] })
  })

  it('lists what a README leaves open', () => {
    const { entries } = read({
      s: { command: 'x', args: ['<path>'], env: { KEY: '<YOUR_API_KEY>', T: 'your-token-here' } },
    })
    expect(entries[0]?.toFillIn).toEqual([
      { placeholder: '<YOUR_API_KEY>', description: 'KEY', secret: true },
      { placeholder: 'your-token-here', description: 'T', secret: true },
      { placeholder: '<path>', description: 'An argument', secret: false },
    ])
  })

  it('says what is wrong, with the line of what was pasted, and keeps the rest', () => {
    const { entries, faults } = read(`\`\`\`json
{ "mcpServers": {
  "dorkos": { "command": "x" },
  "good": { "command": "y" },
  "bad": { "command": 5 }
} }
\`\`\``)
    expect(entries).toMatchObject([{ name: 'good', line: 4 }])
    expect(faults.map(({ line, name }) => [line, name])).toEqual([
      [3, 'dorkos'],
      [5, 'bad'],
    ])
    expect(read('npx -y server').faults[0]?.reason).toMatch(/^This is not JSON: in line 1, column 1/)
    expect(read('[]').faults[0]?.reason).toMatch(/^Paste an object/)
    expect(read({ command: 'x', args: 5 }).faults[0]?.reason).toMatch(/^args must be a list/)
    expect(read('x'.repeat(300_000)).faults).toHaveLength(1)
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void importSnippet(text)))
  })
})

describe('fillIn', () => {
  it('puts values in as they are, everywhere and once', () => {
    const values = new Map([
      [`\${input:a}`, `$& \${input:b} <b>`],
      [`\${input:b}`, 'B'],
      ['<b>', 'C'],
    ])
    const filled = fillIn(
      { type: 'stdio', command: 'x', args: [`\${input:a}|\${input:b}|<b>|\${input:c}`], env: { A: '<b>' } },
      values,
    )
    expect(filled).toMatchObject({ args: [`$& \${input:b} <b>|B|C|\${input:c}`], env: { A: 'C' } })
  })
})

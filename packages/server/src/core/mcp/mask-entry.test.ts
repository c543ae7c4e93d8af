import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { McpEntry } from './found-server.ts'
import { maskEntry } from './mask-entry.ts'

const stdio = (...argv: string[]): McpEntry => ({
  type: 'stdio',
  command: argv[0] ?? '',
  args: argv.slice(1),
  env: {},
})
const argvOf = (...argv: string[]) => {
  const masked = maskEntry(stdio(...argv))
  return masked.type === 'stdio' ? [masked.command, ...masked.args] : []
}
const urlOf = (url: string) => maskEntry({ type: 'http', url, headers: {} }).url

describe('maskEntry', () => {
  it('shows values of env and headers only where they are references', () => {
    const env = {
      A: 's3cret',
      B: `\${TOKEN}`,
      C: `Bearer \${TOKEN}`,
      D: `\${TOKEN:-s3cret}`,
      E: `\${A}\${B}`,
      F: '',
    }
    expect(maskEntry({ type: 'stdio', command: 'x', args: [], env, cwd: 'y', timeout: 5 })).toEqual({
      type: 'stdio',
      command: 'x',
      args: [],
      env: { A: '•••', B: `\${TOKEN}`, C: '•••', D: `\${TOKEN:-•••}`, E: `\${A}\${B}`, F: '•••' },
      cwd: 'y',
      timeout: 5,
    })
    const headers = { Authorization: 'Bearer s3cret', 'X-Key': `\${KEY}` }
    expect(maskEntry({ type: 'http', url: 'https://a.example/mcp', headers }).headers).toEqual({
      Authorization: '•••',
      'X-Key': `\${KEY}`,
    })
  })

  it.each([
    ['https://mcp.zapier.com/api/mcp/s/NDQyMzQ5OjEyMzQ1Njc4/mcp', 'https://mcp.zapier.com/api/mcp/s/•••/mcp'],
    ['https://hooks.example/services/T0/B0/a8Kd02mxQ9sLw3Ze71vY', 'https://hooks.example/services/T0/B0/•••'],
    ['https://x.example/3f2a9c1e-7b4d-4e8a-9c3f-1a2b3c4d5e6f/sse?a=b', 'https://x.example/•••/sse?a=b'],
    ['https://x.example/1234567890123456', 'https://x.example/•••'],
  ])('masks what is random in the path of %s', (url, masked) => {
    expect(urlOf(url)).toBe(masked)
    expect(argvOf('npx', 'mcp-remote', url)).toEqual(['npx', 'mcp-remote', masked])
  })

  it.each([
    'https://registry.example/@modelcontextprotocol/server-filesystem-2025.11.25/mcp',
    'https://x.example/docs/2025-11-25-release-notes-of-version-2',
    'https://x.example/someCamelCaseName/v2/mcp',
    `https://x.example/s/\${A_SECRET_1_OF_2_3_4}/mcp`,
  ])('shows the path of %s', (url) => {
    expect(urlOf(url)).toBe(url)
  })

  it.each([
    [
      ['x', '--token', 's3cret'],
      ['x', '--token', '•••'],
    ],
    [
      ['x', '--api-key', 's3cret', 'dir'],
      ['x', '--api-key', '•••', 'dir'],
    ],
    [
      ['x', '--apiKey=s3cret'],
      ['x', '--apiKey=•••'],
    ],
    [
      ['x', '--access-token', `\${TOKEN}`],
      ['x', '--access-token', `\${TOKEN}`],
    ],
    [
      ['x', '--token', '--verbose'],
      ['x', '--token', '--verbose'],
    ],
    [
      ['x', '--githubPat', 's3cret'],
      ['x', '--githubPat', '•••'],
    ],
    [
      ['x', 'GITHUB_TOKEN=s3cret'],
      ['x', 'GITHUB_TOKEN=•••'],
    ],
    [
      ['docker', 'run', '-e', 'ANY=s3cret', '-e', 'NAME', 'image'],
      ['docker', 'run', '-e', 'ANY=•••', '-e', 'NAME', 'image'],
    ],
    [
      ['docker', '--env=ANY=s3cret'],
      ['docker', '--env=ANY=•••'],
    ],
    [
      ['docker', '-eANY=s3cret'],
      ['docker', '-eANY=•••'],
    ],
    [
      ['mcp-remote', '--header', 'Authorization: Bearer s3cret'],
      ['mcp-remote', '--header', 'Authorization: •••'],
    ],
    [
      ['mcp-remote', '--header', `X-Any:s3cret`],
      ['mcp-remote', '--header', 'X-Any:•••'],
    ],
    [
      ['x', 'Authorization: Bearer s3cret'],
      ['x', 'Authorization: •••'],
    ],
    [
      ['x', '--config', '{"apiKey":"s3cret"}'],
      ['x', '--config', '•••'],
    ],
    [
      ['x', 'postgres://me:s3cret@db.example/data'],
      ['x', 'postgres://•••@db.example/data'],
    ],
    [
      ['x', 'https://a.example/?api_key=s3cret&page=2'],
      ['x', 'https://a.example/?api_key=•••&page=2'],
    ],
    [
      ['x', 'ghp_0123456789abcdefghij'],
      ['x', '•••'],
    ],
    [
      ['x', 'sk-ant-0123456789abcdefghij'],
      ['x', '•••'],
    ],
    [
      ['x', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc'],
      ['x', '•••'],
    ],
  ])('masks %j', (argv, masked) => {
    expect(argvOf(...argv)).toEqual(masked)
  })

  it.each([
    [['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/me/keyboard', '--port=80']],
    [['uvx', '--from', 'git+https://github.com/a/b@main', 'tool', '--monkey', 'x', '--path=/a/b']],
    [['node', 'server.js', '--log-level', 'debug', '--root', '.', '-p', '8080']],
    [['python', '-m', 'mcp_server_git', '--repository', '/w', '--tokenizer-off']],
  ])('leaves %j as it is', (argv) => {
    expect(argvOf(...argv)).toEqual(argv)
  })

  it('masks who signs in and secret parameters of an address', () => {
    expect(urlOf('https://me:s3cret@a.example/mcp')).toBe('https://•••@a.example/mcp')
    expect(urlOf('https://s3cret@a.example/mcp?x=1')).toBe('https://•••@a.example/mcp?x=1')
    expect(urlOf('https://a.example/mcp?token=s3cret&x=1#access_token=s3cret')).toBe(
      'https://a.example/mcp?token=•••&x=1#access_token=•••',
    )
    expect(urlOf('https://a.example/mcp?%74oken=s3cret')).toBe('https://a.example/mcp?%74oken=•••')
    expect(urlOf('https://a.example/mcp?key=%s3cret')).toBe('https://a.example/mcp?key=•••')
    expect(urlOf(`https://a.example/mcp?token=\${T}`)).toBe(`https://a.example/mcp?token=\${T}`)
    expect(urlOf('https://a.example/sk-ant-0123456789abcdefghij/mcp')).toBe('https://a.example/•••/mcp')
  })

  it('shows no value of env or headers, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (value) => {
        const secret = `s3cret${value}`
        const shown = [
          maskEntry({ type: 'stdio', command: 'x', args: ['--password', secret], env: { A: secret } }),
          maskEntry({ type: 'http', url: 'https://a.example', headers: { A: secret } }),
        ]
        expect(JSON.stringify(shown)).not.toContain('s3cret')
      }),
    )
  })

  it('takes no longer for an argument that is made to keep it busy', () => {
    const pieces = [
      'a',
      'a=',
      '"a":',
      '://',
      'a://',
      '?',
      '?a',
      '-eyJ',
      'eyJ.',
      'sk-',
      ' ',
      'Bearer ',
      '@',
      'a ',
      '"',
    ]
    const long = pieces.map((piece) => piece.repeat(32_000 / piece.length))
    expect(argvOf('x', ...long)).toHaveLength(pieces.length + 1)
  })
})

it('masks a helper that is a command, too', () => {
  const entry: McpEntry = {
    type: 'sse',
    url: 'https://a.example/',
    headers: {},
    headersHelper: 'get --token x',
  }
  expect(maskEntry(entry)).toEqual({ ...entry, headersHelper: 'get --token •••' })
})

import { expect, it } from 'vitest'
import { createRedactor } from './redactor.ts'

const stdio = { type: 'stdio', command: 'x', args: [], env: {}, cwd: '/' } as const

it.each([
  ['a variable', { ...stdio, env: { MY_TOKEN: 'abcdefgh' } }, 'a abcdefgh b', 'a ••• b'],
  ['a variable of another name', { ...stdio, env: { COLOR: 'abcdefgh' } }, 'abcdefgh', 'abcdefgh'],
  ['a short one', { ...stdio, env: { MY_TOKEN: 'abc' } }, 'abc', 'abc'],
  ['the longer first', { ...stdio, env: { A_KEY: 'abcdefgh', B_KEY: 'abcdefghij' } }, 'abcdefghij', '•••'],
  [
    'an argument',
    { ...stdio, args: ['--api-key', 'abcdefgh', '--token=ijklmnop'] },
    'abcdefgh ijklmnop',
    '••• •••',
  ],
  ['one in a URL', { ...stdio, env: { PASSWORD: 'ab/cd?ef=' } }, 'x?p=ab%2Fcd%3Fef%3D', 'x?p=•••'],
  [
    'a header, whole and in part',
    { type: 'http', url: 'http://x', headers: { Authorization: 'Bearer abcdefgh' } },
    'Bearer abcdefgh or abcdefgh',
    '••• or •••',
  ],
  ['a query', { type: 'sse', url: 'http://x/?k=abcdefgh', headers: {} }, 'abcdefgh', '•••'],
  [
    'an address that is a secret itself',
    { type: 'http', url: 'https://x/api/s/NDQyMzQ5OjEyMzQ1Njc4/mcp', headers: {} },
    'no /api/s/NDQyMzQ5OjEyMzQ1Njc4/mcp here',
    'no /api/s/•••/mcp here',
  ],
  ['a password that is no encoding', { type: 'http', url: 'http://u:%E0%A4@x', headers: {} }, 'x', 'x'],
  ['a url that is none', { type: 'http', url: '%', headers: { x: 'word' } }, 'word', '•••'],
] as const)('takes out %s', (_, launch, text, clean) => {
  expect(createRedactor({ launch })(text)).toBe(clean)
})

it('takes out what it is given as secret, whatever its name', () => {
  const env = { DATABASE_URL: 'postgres://ada:pw@db/x', GITHUB_PAT: 'ghp_abcdefgh', MODE: 'fast' }
  const redact = createRedactor({ launch: { ...stdio, env }, secrets: Object.values(env) })
  expect(redact('no postgres://ada:pw@db/x with ghp_abcdefgh, fast')).toBe('no ••• with •••, fast')
})

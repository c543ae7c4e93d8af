import type { McpEntryInput } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import type { McpEntry } from './found-server.ts'
import { keepMasked } from './keep-masked.ts'

const program = {
  type: 'stdio',
  command: 'npx',
  args: ['-y', 'db', '--token', 's3cret', '--password', 'hunter2', 'postgres://ada:pw@db.example/x'],
  env: { KEY: 'k3y', PLAIN: '$' + '{PLAIN}' },
} satisfies McpEntry
const masked = ['-y', 'db', '--token', '•••', '--password', '•••', 'postgres://•••@db.example/x']
const remote = {
  type: 'http',
  url: 'https://mcp.example.org/mcp?api_key=s3cret',
  headers: { Authorization: 'Bearer t0ken' },
} satisfies McpEntry
const shownUrl = 'https://mcp.example.org/mcp?api_key=•••'

describe('a program', () => {
  const edited = (change: Partial<McpEntryInput>) => {
    const given = { command: 'npx', args: masked, env: { KEY: '•••' }, ...change }
    return keepMasked(given, program)
  }

  it('keeps what still stands masked, and takes the rest as it is given', () => {
    expect(edited({ cwd: '/x', env: { KEY: '•••', NEW: 'new' } })).toEqual({
      command: 'npx',
      args: program.args,
      env: { KEY: 'k3y', NEW: 'new' },
      cwd: '/x',
    })
  })

  it('finds arguments again that were moved, with others taken out or added', () => {
    const url = 'postgres://•••@db.example/x'
    expect(edited({ args: [url, '--password', '•••', '-v', '--token', '•••'] }).args).toEqual([
      'postgres://ada:pw@db.example/x',
      '--password',
      'hunter2',
      '-v',
      '--token',
      's3cret',
    ])
    // There is only one that it can be.
    const single = { ...program, args: ['--token', 's3cret'] }
    expect(keepMasked({ command: 'npx', args: ['--key', '•••'] }, single).args).toEqual(['--key', 's3cret'])
  })

  it.each([
    [['--token', '•••', '--token', '•••']],
    [['•••', '•••']],
    [['--other', '•••']],
    [['postgres://•••@other.example/x']],
  ])('leaves %j masked: it could be any, or none', (args: string[]) => {
    expect(edited({ args }).args).toEqual(args)
  })

  it.each([['OTHER'], ['toString'], ['PLAIN']])('leaves a mask of %s, whose value was not masked', (name) => {
    expect(edited({ env: { [name]: '•••' } }).env).toEqual({ [name]: '•••' })
  })

  it('that becomes an address gives it nothing', () => {
    const given: McpEntryInput = { type: 'http', url: 'https://a.example', headers: { KEY: '•••' } }
    expect(keepMasked(given, program)).toEqual(given)
  })
})

describe('an address', () => {
  const edited = (change: Partial<McpEntryInput>) =>
    keepMasked({ type: 'http', url: shownUrl, headers: { Authorization: '•••' }, ...change }, remote)

  it('keeps what still stands masked', () => {
    expect(edited({ timeout: 5000 })).toEqual({ ...remote, timeout: 5000 })
    expect(edited({ url: 'https://mcp.example.org/v2' })).toEqual({
      ...remote,
      url: 'https://mcp.example.org/v2',
    })
  })

  it.each([
    'https://other.example.org/mcp',
    'http://mcp.example.org/mcp',
    'https://mcp.example.org:8443/mcp',
    '$' + '{URL}',
  ])('sends kept headers nowhere else: %s', (url) => {
    expect(edited({ url }).headers).toEqual({ Authorization: '•••' })
  })

  it('that is another, and still masked, stays so', () => {
    const url = 'https://mcp.example.org/v2?api_key=•••'
    expect(edited({ url }).url).toBe(url)
  })
})

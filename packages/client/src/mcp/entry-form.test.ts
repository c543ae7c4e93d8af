import { mcpEntrySchema } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { draftOfEntry, type EntryDraft, emptyEntryDraft, readEntry } from './entry-form.ts'

/** As it is written in an entry. */
const variable = (name: string) => `\${${name}}`

const program: EntryDraft = { ...emptyEntryDraft, name: 'github', command: 'npx' }
const remote: EntryDraft = {
  ...emptyEntryDraft,
  name: 'search',
  type: 'http',
  url: 'https://mcp.example.org/mcp',
}

describe('readEntry', () => {
  it('writes an entry as people would', () => {
    expect(readEntry(program)).toEqual({ entry: { command: 'npx' }, faults: {} })
    expect(readEntry(remote)).toEqual({
      entry: { type: 'http', url: 'https://mcp.example.org/mcp' },
      faults: {},
    })
  })

  it('takes every part', () => {
    const { entry } = readEntry({
      ...program,
      args: ['-y', '', 'a b'],
      env: [{ name: ' KEY ', value: ' spaces stay ' }],
      cwd: '/work',
      container: true,
      timeoutSeconds: '1.5',
      sharing: 'session',
      passthrough: true,
      disabled: true,
    })
    expect(entry).toEqual({
      command: 'npx',
      args: ['-y', '', 'a b'],
      env: { KEY: ' spaces stay ' },
      cwd: '/work',
      modes: ['host', 'container'],
      timeout: 1500,
      sharing: 'session',
      passthrough: true,
      disabled: true,
    })
    expect(mcpEntrySchema.safeParse(entry).success).toBe(true)
  })

  it('leaves out arguments that were never filled in', () => {
    expect(readEntry({ ...program, args: ['-y', '', 'x', '', ''] }).entry).toMatchObject({
      args: ['-y', '', 'x'],
    })
    expect(readEntry({ ...program, args: ['', ''] }).entry).toEqual({ command: 'npx' })
  })

  it('leaves out what belongs to the other kind', () => {
    const both: EntryDraft = { ...remote, command: 'npx', args: ['x'], env: [{ name: 'A', value: 'b' }] }
    expect(readEntry(both).entry).toEqual({ type: 'http', url: remote.url })
  })

  it.each<[keyof ReturnType<typeof readEntry>['faults'], Partial<EntryDraft>]>([
    ['name', { name: 'a__b' }],
    ['name', { name: '' }],
    ['name', { name: 'a_' }],
    ['name', { name: 'dorkos' }],
    ['name', { name: 'x'.repeat(42) }],
    ['args', { args: Array(257).fill('x') }],
    ['cwd', { cwd: 'x'.repeat(5000) }],
    ['env', { env: [{ name: 'A=B', value: 'x' }] }],
    ['command', { command: ' ' }],
    ['command', { command: 'x --token=•••' }],
    ['args', { args: ['ok', '•••'] }],
    ['env', { env: [{ name: 'TOKEN', value: '•••' }] }],
    ['env', { env: [{ name: 'TOKEN', value: variable('X:-•••') }] }],
    ['env', { env: [{ name: '', value: 'x' }] }],
    [
      'env',
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A ', value: '2' },
        ],
      },
    ],
    ['modes', { host: false }],
    ['timeout', { timeoutSeconds: 'long' }],
    ['timeout', { timeoutSeconds: '0' }],
    ['timeout', { timeoutSeconds: '86401' }],
    ['url', { type: 'sse', url: 'ftp://x' }],
    ['url', { type: 'http', url: 'https://•••@x' }],
    ['url', { type: 'http', url: 'https://me:secret@x.example' }],
    ['headers', { ...remote, headers: [{ name: 'a b', value: 'x' }] }],
    ['headers', { ...remote, headers: [{ name: 'Authorization', value: 'Bearer •••' }] }],
  ])('reports a fault of %s: %j', (part, change) => {
    const { entry, faults } = readEntry({ ...program, ...change })
    expect(entry).toBeUndefined()
    expect(Object.keys(faults)).toEqual([part])
  })

  it('takes an address that is a variable', () => {
    expect(readEntry({ ...remote, url: `${variable('MCP_URL')}/mcp` }).entry?.url).toBe(
      `${variable('MCP_URL')}/mcp`,
    )
  })
})

describe('draftOfEntry', () => {
  it('gives an entry back as it was', () => {
    const entry = {
      type: 'stdio' as const,
      command: 'node',
      args: ['server.js'],
      env: { A: variable('A') },
      modes: ['container'],
      timeout: 30_000,
    }
    expect(readEntry(draftOfEntry('x', entry)).entry).toEqual({
      command: 'node',
      args: ['server.js'],
      env: { A: variable('A') },
      modes: ['container'],
      timeout: 30_000,
    })
  })

  it('does not let a masked value pass for a value, unless an entry is changed that has it', () => {
    const entry = { type: 'http' as const, url: 'https://x.example', headers: { Authorization: '•••' } }
    expect(readEntry(draftOfEntry('x', entry))).toMatchObject({
      entry: undefined,
      faults: { headers: expect.stringContaining('•••') },
    })
    expect(readEntry(draftOfEntry('x', entry), { isChange: true })).toEqual({ entry, faults: {} })
  })
})

import { ApiError, listConfigKeys } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import {
  type ConfigEntry,
  faultOf,
  fileValue,
  fixedBecause,
  groupEntries,
  groupOf,
  keyName,
} from './config-keys.ts'

const entries: ConfigEntry[] = listConfigKeys().map(({ path, description, env, flag, restart }) => ({
  path,
  description,
  source: 'default',
  restart: restart ?? false,
  file_only: false,
  schema: {},
  ...(env !== undefined && { env }),
  ...(flag !== undefined && { flag }),
}))

describe('keys of the configuration', () => {
  it('have a name and a group of their own, every one of them', () => {
    for (const { path } of entries) {
      expect(keyName(path), path).not.toBe(path)
      expect(groupOf(path), path).not.toBe('other')
    }
    expect(keyName('new.key')).toBe('new.key')
    expect(groupOf('new.key')).toBe('other')
  })

  it('are all shown, each once, and found by any of their words', () => {
    const shown = (words: string) =>
      groupEntries(entries, words).flatMap((group) => group.entries.map(({ path }) => path))
    expect(shown('').toSorted()).toEqual(entries.map(({ path }) => path).toSorted())
    expect(shown('DORKOS_PORT')).toEqual(['port'])
    expect(shown('budget day')).toContain('budgets.dayUsd')
    expect(shown('nothing like this')).toEqual([])
  })

  it('say why they cannot be changed here', () => {
    expect(fixedBecause({ path: 'port', source: 'env', env: 'DORKOS_PORT', file_only: false })).toContain(
      'DORKOS_PORT',
    )
    expect(fixedBecause({ path: 'port', source: 'flag', flag: '--port', file_only: false })).toContain(
      '--port',
    )
    expect(fixedBecause({ path: 'cliPath', source: 'default', file_only: true })).toBeDefined()
    expect(fixedBecause({ path: 'mcpServers', source: 'file', file_only: false })).toBeDefined()
    expect(fixedBecause({ path: 'sessions.maxLive', source: 'file', file_only: false })).toBeUndefined()
  })

  it('are edited as the file has them', () => {
    expect(fileValue({ value: 1, pending: 2 })).toBe(2)
    expect(fileValue({ value: 1 })).toBe(1)
  })
})

describe('faults of the server', () => {
  const details = [
    { path: 'rules[0].effect', message: 'rules[0].effect is "x"; it must be one of "allow", "deny", "ask"' },
    { path: 'port', message: 'port is -1' },
  ]
  const error = new ApiError('invalid_request', 400, 'The configuration has 2 errors', { details })

  it('stand beside their own key', () => {
    expect(faultOf(error, 'rules', 'whole')).toMatch(/^Rules\[0\]\.effect is "x".*\.$/)
    expect(faultOf(error, 'port', 'whole')).toBe('Port is -1.')
  })

  it('are shown whole where none is about the key', () => {
    expect(faultOf(error, 'host', 'whole')).toBe('whole')
    expect(faultOf(new Error('x'), 'port', 'whole')).toBe('whole')
    expect(faultOf(new ApiError('conflict', 409, 'x', { details: [null, 5, {}] }), 'port', 'whole')).toBe(
      'whole',
    )
  })
})

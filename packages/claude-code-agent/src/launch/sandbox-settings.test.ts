import { describe, expect, it } from 'vitest'
import { InvalidOptionsError } from '../errors.ts'
import type { SessionOptions } from '../options.ts'
import { withSandbox } from './sandbox-settings.ts'

type Sandbox = NonNullable<SessionOptions['sandbox']>

function merged(below: Record<string, unknown>, sandbox: Sandbox): Record<string, unknown> {
  return JSON.parse(withSandbox({ sandbox: below }, sandbox) ?? '').sandbox
}

describe('withSandbox', () => {
  it('leaves settings alone without a sandbox', () => {
    expect(withSandbox(undefined, undefined)).toBeUndefined()
    expect(withSandbox('/a/file.json', undefined)).toBe('/a/file.json')
    expect(withSandbox({ a: 1 }, undefined)).toBe('{"a":1}')
  })

  it('fails the start where the sandbox cannot be had, unless told otherwise', () => {
    expect(merged({}, { enabled: true })).toEqual({ enabled: true, failIfUnavailable: true })
    expect(merged({}, { enabled: true, failIfUnavailable: false })).toMatchObject({
      failIfUnavailable: false,
    })
    expect(merged({ failIfUnavailable: false }, { enabled: true })).toMatchObject({
      failIfUnavailable: false,
    })
    expect(merged({}, { enabled: false })).toEqual({ enabled: false })
  })

  it('keeps what the settings forbid', () => {
    const below = {
      filesystem: { denyRead: ['/secret'], denyWrite: ['/etc'] },
      network: { deniedDomains: ['a.test'] },
      credentials: { files: [{ path: '/k', mode: 'deny' }], envVars: [{ name: 'K', mode: 'deny' }] },
    }
    const above = {
      filesystem: { denyRead: ['/secret', '/more'], denyWrite: [] },
      network: { deniedDomains: [] },
      credentials: { files: [], envVars: [] },
    }
    expect(merged(below, above)).toEqual({
      ...below,
      filesystem: { denyRead: ['/secret', '/more'], denyWrite: ['/etc'] },
    })
  })

  it('replaces every other value, and what is to be replaced whole', () => {
    const below = { excludedCommands: ['a'], ripgrep: { command: 'a', args: ['x'] }, kept: 1 }
    expect(merged(below, { excludedCommands: ['b'], ripgrep: { command: 'b' } })).toEqual({
      excludedCommands: ['b'],
      ripgrep: { command: 'b' },
      kept: 1,
    })
  })

  it('drops what would switch the option off', () => {
    const below = { filesystem: { disabled: true }, network: { httpProxyPort: 1, socksProxyPort: 2 } }
    expect(merged(below, { filesystem: { denyRead: ['/a'] } })).toMatchObject({
      filesystem: { denyRead: ['/a'] },
      network: below.network,
    })
    expect(merged(below, { credentials: { files: [{ path: '/k', mode: 'deny' }] } }).filesystem).toEqual({})
    expect(merged(below, { network: { allowedDomains: ['a.test'], socksProxyPort: 3 } }).network).toEqual({
      allowedDomains: ['a.test'],
      socksProxyPort: 3,
    })
    expect(merged(below, { enabled: true })).toMatchObject(below)
  })

  it('does not change the objects that it was given', () => {
    const settings = { sandbox: { filesystem: { disabled: true } } }
    withSandbox(settings, { filesystem: { denyRead: ['/a'] } })
    expect(settings).toEqual({ sandbox: { filesystem: { disabled: true } } })
  })

  it('reads settings given as JSON, and refuses a file and what is no JSON', () => {
    expect(JSON.parse(withSandbox(' {"a":1}', { enabled: false }) ?? '')).toEqual({
      a: 1,
      sandbox: { enabled: false },
    })
    for (const settings of ['/a/file.json', '{"a":'])
      expect(() => withSandbox(settings, { enabled: true })).toThrow(InvalidOptionsError)
  })
})

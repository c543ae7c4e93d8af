import { describe, expect, it } from 'vitest'
import type { StoredHookConsent } from '../ports/hook-consents.ts'
import type { FoundHook, FoundPlugin, HookReading } from '../ports/hook-files.ts'
import { byDigest, fingerprintOf, hookStates } from './hook-states.ts'

const found = (part: Partial<FoundHook['hook']>, more: Partial<FoundHook> = {}): FoundHook => ({
  hook: { event: 'Stop', kind: 'command', runs: 'x', source: 'user', ...part },
  matcher: '',
  config: {},
  digest: 'd',
  scripts: [],
  ...more,
})
const plugin: FoundPlugin = { id: 'p@m', root: '/p', brings: [], digest: 'plugin' }
const consent = (digest: string, grant: StoredHookConsent['grant'] = 'run'): StoredHookConsent => ({
  ...{ digest, grant, label: '', principal: 'owner', at: '2026-01-01T00:00:00.000Z' },
})
const judge = (reading: Partial<HookReading>, ...consents: StoredHookConsent[]) =>
  hookStates(
    { hooks: [], plugins: [], enabledPlugins: [], policyPlugins: [], loosening: [], faults: [], ...reading },
    byDigest(consents),
  )
const state = (hook: FoundHook, ...consents: StoredHookConsent[]) =>
  judge({ hooks: [hook] }, ...consents).hooks[0]?.state

describe('a hook', () => {
  it('of the owner’s settings runs only by a consent to its very content', () => {
    expect(state(found({}))).toBe('waits')
    expect(state(found({}), consent('other'))).toBe('waits')
    expect(state(found({}), consent('d'))).toBe('runs')
  })

  it('of a trusted workspace runs by that trust, unless it is asked about tool calls', () => {
    for (const source of ['project', 'local'] as const) {
      expect(state(found({ source }))).toBe('runs')
      expect(state(found({ source, decides: true, event: 'PreToolUse' }))).toBe('waits')
    }
  })

  it('of a policy that is asked about tool calls needs the whole consent: what it answers counts', () => {
    const hook = found({ source: 'policy', decides: true, event: 'PreToolUse' })
    expect(state(hook, consent('d'))).toBe('waits')
    expect(state(hook, consent('d', 'allow'))).toBe('runs')
    expect(state(found({ source: 'policy' }), consent('d'))).toBe('runs')
  })

  it('of a policy that answers while a person is asked cannot be allowed: the input that it puts in place would run', () => {
    const request = { decides: true, event: 'PermissionRequest' }
    expect(state(found({ ...request, source: 'policy' }), consent('d', 'allow'))).toBe('unsupported')
    expect(state(found({ ...request, source: 'user' }), consent('d', 'allow'))).toBe('runs')
  })

  it('that is off, of another kind or unreadable does not run, whatever was allowed', () => {
    expect(state(found({}, { off: true }), consent('d'))).toBe('off')
    for (const kind of ['prompt', 'agent', 'mcp_tool'])
      expect(state(found({ kind }), consent('d'))).toBe('unsupported')
    expect(state(found({}, { fault: 'why' }), consent('d'))).toBe('unsupported')
  })

  it('of a plugin runs only where the plugin is loaded, too', () => {
    const hook = found({ source: 'plugin' }, { plugin: { id: 'p@m', root: '/p', data: '/d' } })
    const reading = { hooks: [hook], plugins: [plugin], enabledPlugins: ['p@m'] }
    expect(judge(reading, consent('d')).hooks[0]?.state).toBe('waits')
    expect(judge(reading, consent('d'), consent('plugin')).hooks[0]?.state).toBe('runs')
  })
})

it('every plugin that settings turn on is kept from loading, also one that was not found, until it is allowed', () => {
  const reading = { plugins: [plugin], enabledPlugins: ['p@m', 'gone@m'] }
  expect(judge(reading).unloaded).toEqual(['p@m', 'gone@m'])
  expect(judge(reading, consent('plugin')).unloaded).toEqual(['gone@m'])
  const broken = { plugins: [{ ...plugin, fault: 'a link leads out' }], enabledPlugins: ['p@m'] }
  expect(judge(broken, consent('plugin')).unloaded).toEqual(['p@m'])
})

it('of plugins that share an id all must be allowed: nobody knows which one the CLI takes', () => {
  const reading = { plugins: [plugin, { ...plugin, root: '/q', digest: 'twin' }], enabledPlugins: ['p@m'] }
  expect(judge(reading, consent('plugin')).unloaded).toEqual(['p@m'])
  expect(judge(reading, consent('plugin'), consent('twin')).unloaded).toEqual([])
})

describe('no process may start under a policy', () => {
  const refused = (reading: Partial<HookReading>, ...consents: StoredHookConsent[]) =>
    judge(reading, ...consents).refused?.message

  it('that keeps hooks on, whatever was allowed', () => {
    expect(refused({ keptOn: '/etc/p.json' })).toMatch(
      /\/etc\/p\.json.*disableAllHooks: false.*Remove that line/,
    )
    expect(refused({})).toBeUndefined()
  })

  it('with a hook that nobody allowed, or that nobody can look through', () => {
    const hook = found({ source: 'policy', file: '/etc/p.json' })
    expect(refused({ hooks: [hook] })).toContain('Stop in /etc/p.json')
    expect(refused({ hooks: [hook] }, consent('d'))).toBeUndefined()
    expect(refused({ hooks: [{ ...hook, fault: 'too long' }] }, consent('d'))).toContain('Stop')
    expect(refused({ hooks: [{ ...hook, off: true }] })).toBeUndefined()
    expect(refused({ hooks: [found({})] })).toBeUndefined()
  })

  it('with a hook that answers while a person is asked, whatever was allowed, unless it is off', () => {
    const hook = found({ source: 'policy', file: '/etc/p.json', decides: true, event: 'PermissionRequest' })
    expect(refused({ hooks: [hook] }, consent('d', 'allow'))).toMatch(
      /PermissionRequest in \/etc\/p\.json.*PreToolUse hook.*remove it from the policy/,
    )
    expect(refused({ hooks: [{ ...hook, off: true }] })).toBeUndefined()
  })

  it('that turns on a plugin that nobody allowed, or that cannot be', () => {
    const reading = { plugins: [plugin], enabledPlugins: ['p@m'], policyPlugins: ['p@m'] }
    expect(refused(reading)).toMatch(/the plugin p@m, which no one has allowed.*Review it.*enabledPlugins/)
    expect(refused(reading, consent('plugin'))).toBeUndefined()
    expect(refused({ ...reading, policyPlugins: [] })).toBeUndefined()
    const forced = { ...reading, plugins: [{ ...plugin, fault: 'It brings hooks.' }] }
    expect(refused(forced, consent('plugin'))).toContain('It brings hooks.')
    const gone = { enabledPlugins: ['gone@m'], policyPlugins: ['gone@m'] }
    expect(refused(gone)).toContain('gone@m')
  })
})

it('another consent or content is another fingerprint; who gave it when is not', () => {
  const at = (...consents: StoredHookConsent[]) => fingerprintOf(judge({ hooks: [found({})] }, ...consents))
  expect(at()).not.toBe(at(consent('d')))
  expect(at(consent('d'))).not.toBe(at(consent('d', 'allow')))
  expect(at(consent('d'))).toBe(at({ ...consent('d'), principal: 'other' }))
  expect(fingerprintOf(judge({ keptOn: '/etc/p.json' }))).not.toBe(fingerprintOf(judge({})))
})

import { describe, expect, it } from 'vitest'
import type { HookWithState, PluginWithState } from './hook-states.ts'
import { type Expected, unseenPlugins, whyUnseen } from './loaded-check.ts'

const none = { hooks: [], plugins: [], unloaded: [], loosening: [] }
const own = {
  disableAllHooks: true,
  permissions: { deny: ['Read(//state/**)'] },
  enabledPlugins: { 'off@m': false },
}
const row = (more: object) => ({ event: 'Stop', source: 'userSettings', commandText: 'x', ...more })
const policyHooks = (...configs: object[]) => ({ Stop: [{ hooks: configs }] })

interface Said {
  hooks?: unknown
  policy?: object
  effective?: object
  byPolicy?: object
}

/** What is found in what the CLI says, where only this is not as it should be. */
function found({ hooks = [], policy, effective, byPolicy }: Said, expected: Partial<Expected> = {}) {
  const listing = { hooks, policy: { allDisabled: true, policyHookCount: 0, ...policy } }
  const sources = [{ source: 'policySettings', settings: byPolicy }]
  const settings = { effective: { ...own, ...effective }, sources }
  return whyUnseen(
    { hooks: listing, settings },
    { states: none, settings: own, isChanged: false, ...expected },
  )?.message
}

it('finds nothing where all is as it was given', () => {
  expect(found({})).toBeUndefined()
  expect(found({ effective: { permissions: { deny: ['more', ...own.permissions.deny] }, more: 1 } })).toBe(
    undefined,
  )
})

describe('hooks', () => {
  it('that are listed must be off', () => {
    expect(found({ hooks: [row({ disabled: true })] })).toBeUndefined()
    expect(found({ hooks: [row({})] })).toContain('Stop (userSettings)')
    expect(found({ hooks: [row({ disabled: 'true' })] })).toBeDefined()
  })

  it('that are not listed are off by the switch, which must be said to hold', () => {
    for (const allDisabled of [false, undefined, 'true'])
      expect(found({ policy: { allDisabled } })).toContain('disableAllHooks')
    expect(found({ policy: { policyUnreadable: true } })).toContain('can’t read this machine’s policy')
  })

  it('are not known where the CLI does not say it, or says it in another form', () => {
    for (const hooks of [undefined, 'none', [null], [7]])
      expect(
        whyUnseen({ hooks: { hooks }, settings: {} }, { states: none, settings: {}, isChanged: false })
          ?.message,
      ).toBe(found({ policy: { allDisabled: undefined } }))
    for (const hooks of ['none', [null], [7]]) expect(found({ hooks })).toBeDefined()
  })

  const allowed = (state: 'runs' | 'off' | 'waits', config: object = { type: 'command', command: 'x' }) =>
    ({
      hook: { event: 'Stop', kind: 'command', source: 'policy' },
      ...{ matcher: '', config, digest: 'd', scripts: [], state },
    }) as unknown as HookWithState

  it('of a policy, which nothing turns off, are those that were allowed, listed or not', () => {
    const states = { ...none, hooks: [allowed('runs')] }
    const hook = { type: 'command', command: 'x' }
    const policy = { policyHookCount: 1 }
    const listed = [row({ source: 'policySettings' })]
    expect(
      found({ hooks: listed, policy, byPolicy: { hooks: policyHooks(hook) } }, { states }),
    ).toBeUndefined()
    expect(found({ policy, byPolicy: { hooks: policyHooks(hook) } }, { states })).toBeUndefined()
    for (const other of [{ ...hook, command: 'y' }, { ...hook, timeout: 1 }, 'x', null])
      expect(found({ policy, byPolicy: { hooks: policyHooks(other as object) } }, { states })).toContain(
        'a policy',
      )
    for (const hooks of [{ PreToolUse: [{ hooks: [hook] }] }, { Stop: [{ matcher: 'Bash', hooks: [hook] }] }])
      expect(found({ policy, byPolicy: { hooks } }, { states })).toContain('a policy')
    const waits = { ...none, hooks: [allowed('waits')] }
    expect(found({ policy, byPolicy: { hooks: policyHooks(hook) } }, { states: waits })).toBeDefined()
  })

  it('of a policy are as many as were allowed, or turned off by it', () => {
    const states = { ...none, hooks: [allowed('runs'), allowed('off', { type: 'command', command: 'y' })] }
    for (const [policyHookCount, isWell] of [
      [2, true],
      [1, false],
      [3, false],
      [undefined, false],
    ])
      expect(found({ policy: { policyHookCount } }, { states }) === undefined).toBe(isWell)
  })
})

it('names what is not in force of what was given', () => {
  expect(found({ effective: { disableAllHooks: false } })).toContain('(disableAllHooks)')
  expect(found({ effective: { permissions: { deny: [] } } })).toContain('(permissions.deny)')
  expect(found({ effective: { permissions: 'none' } })).toContain('(permissions.deny)')
  expect(found({ effective: { enabledPlugins: { 'off@m': true } } })).toContain('(enabledPlugins.off@m)')
  expect(found({ effective: { allowManagedPermissionRulesOnly: true } })).toContain('allowManaged')
})

describe('plugins', () => {
  const plugin = (id: string, state: string) => ({ id, root: `/${id}`, state }) as unknown as PluginWithState
  const plugins = [plugin('p@m', 'runs'), plugin('q@m', 'waits'), plugin('two@m', 'runs')]
  const states = { ...none, plugins, unloaded: ['q@m', 'two@m'] }

  it('that are turned on are those that were allowed, and the CLI’s own', () => {
    const on = (enabledPlugins: object) =>
      found({ effective: { enabledPlugins: { ...own.enabledPlugins, ...enabledPlugins } } }, { states })
    expect(on({ 'p@m': true, 'x@builtin': true, 'q@m': false })).toBeUndefined()
    for (const id of ['q@m', 'two@m', 'never-heard@m']) expect(on({ [id]: true })).toContain(id)
    expect(on({ 'q@m': ['1.0.0'] })).toContain('q@m')
  })

  it('that a file turns on while a process runs are not taken over, unless a policy does it', () => {
    const enabledPlugins = { ...own.enabledPlugins, 'q@m': true }
    const changed = { states, isChanged: true }
    expect(found({ effective: { enabledPlugins } }, changed)).toBeUndefined()
    expect(found({ byPolicy: { enabledPlugins: { 'q@m': true } } }, changed)).toContain('q@m')
  })

  it('that are reported with a turn are those that were allowed, from where they were', () => {
    const loaded = (...listed: unknown[]) => unseenPlugins({ plugins: listed }, states)?.message
    expect(loaded({ path: 'builtin', source: 'x@builtin' }, { path: '/p@m', source: 'p@m' })).toBeUndefined()
    expect(loaded({ path: '/p@m/', source: 'p@m' })).toBeUndefined()
    expect(loaded({ path: '/elsewhere', source: 'p@m' })).toContain('p@m (/elsewhere)')
    expect(loaded({ path: '/q@m', source: 'q@m' })).toContain('q@m')
    for (const listed of [{ path: '/p@m' }, { source: 'p@m' }, 'p@m']) expect(loaded(listed)).toBeDefined()
  })
})

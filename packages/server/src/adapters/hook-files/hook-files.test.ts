import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HookWorkspace } from '../../core/ports/hook-files.ts'
import { createSeal } from '../trust-files/trust-key.ts'
import { createHookFiles } from './hook-files.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-hook-files-')))
  await mkdir(join(root, 'project', '.claude'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const at = (name: string) => join(root, name)
const project = 'project/.claude/settings.json'
async function put(name: string, value: unknown): Promise<void> {
  await mkdir(dirname(at(name)), { recursive: true })
  await writeFile(at(name), typeof value === 'string' ? value : JSON.stringify(value))
}
/** As Claude Code writes it down, in no marketplace's folder. */
const records: Record<string, object[]> = {}
async function installed(name: string, files: Record<string, unknown>): Promise<void> {
  records[`${name}@m`] = [{ scope: 'user', installPath: at(name), version: '1.0.0' }]
  await put('claude/plugins/installed_plugins.json', { version: 2, plugins: records })
  await put(`${name}/.claude-plugin/plugin.json`, { name })
  for (const [file, content] of Object.entries(files)) await put(`${name}/${file}`, content)
}
const stop = (command: string) => ({ Stop: [{ hooks: [{ type: 'command', command }] }] })
async function read(workspace: Partial<HookWorkspace> = {}) {
  const files = createHookFiles({
    claudeConfigDir: at('claude'),
    ownerHome: root,
    closedFolders: [at('state')],
    seal: createSeal(Buffer.alloc(32)),
    events: new Set(['PreToolUse', 'Stop']),
    managedSettingsFile: at('managed.json'),
  })
  const found = await files.read({
    ...{ path: at('project'), sources: ['user', 'project', 'local'], container: false },
    ...workspace,
  })
  const shown = found.hooks.map(({ hook, off }) => `${hook.source} ${hook.runs}${off ? ' off' : ''}`)
  return {
    ...(found.off && { off: found.off }),
    ...(found.keptOn !== undefined && { keptOn: found.keptOn.slice(root.length + 1) }),
    ...(found.policyPlugins.length > 0 && { policyPlugins: found.policyPlugins }),
    ...(found.plugins.length > 0 && { plugins: found.plugins.map(({ id, fault }) => [id, fault]) }),
    shown,
    faults: found.faults.map(({ file, reason }) => `${file.slice(root.length + 1)} ${reason}`),
  }
}

describe('a policy of the machine', () => {
  const all = async (policy: object) => {
    await put('managed.json', policy)
    await put('claude/settings.json', { hooks: stop('mine') })
    await put(project, { hooks: stop('project') })
  }

  it('brings hooks of its own, which no settings turn off', async () => {
    await all({ hooks: stop('policy') })
    expect((await read()).shown).toEqual(['user mine', 'project project', 'policy policy'])
    await put(project, { disableAllHooks: true, hooks: stop('project') })
    expect(await read()).toMatchObject({
      shown: ['user mine off', 'project project off', 'policy policy'],
      off: 'settings',
    })
    expect((await read({ sources: [] })).shown).toEqual(['policy policy'])
    expect((await read({ sources: ['project'], container: true })).shown).toEqual(['project project off'])
  })

  it('turns all off, or lets only its own run', async () => {
    await all({ disableAllHooks: true, hooks: stop('policy') })
    expect(await read()).toMatchObject({
      shown: ['user mine off', 'project project off', 'policy policy off'],
      off: 'policy',
    })
    await all({ allowManagedHooksOnly: true, hooks: stop('policy') })
    expect(await read()).toEqual({
      shown: ['user mine off', 'project project off', 'policy policy'],
      off: 'managed_only',
      faults: [],
    })
    await all({ strictPluginOnlyCustomization: ['hooks'] })
    expect(await read()).toEqual({
      shown: ['user mine off', 'project project off'],
      off: 'plugin_only',
      faults: [],
    })
  })

  it('is in the files of its folder too, but for hidden ones', async () => {
    await all({ hooks: stop('policy') })
    await put('elsewhere.json', { hooks: stop('linked') })
    await put('managed-settings.d/20.json', { hooks: stop('second') })
    await symlink(at('elsewhere.json'), at('managed-settings.d/10.json'))
    await put('managed-settings.d/.hidden.json', { hooks: stop('hidden') })
    await put('managed-settings.d/note.txt', { hooks: stop('note') })
    const own = ['policy policy', 'policy linked', 'policy second']
    expect(await read()).toEqual({ shown: ['user mine', 'project project', ...own], faults: [] })
    await put('managed-settings.d/30.json', { allowManagedHooksOnly: true })
    expect(await read()).toMatchObject({ off: 'managed_only' })
    expect((await read({ sources: [], container: true })).shown).toEqual([])
  })

  it('keeps hooks on where its last word is false, against all other files', async () => {
    await all({ disableAllHooks: true })
    await put('managed-settings.d/10.json', { disableAllHooks: false })
    await put(project, { disableAllHooks: true })
    expect(await read()).toMatchObject({ keptOn: 'managed-settings.d/10.json' })
    await put('managed-settings.d/20.json', { disableAllHooks: true })
    expect(await read()).toMatchObject({ off: 'policy' })
    expect(await read()).not.toHaveProperty('keptOn')
    expect(await read({ container: true })).not.toHaveProperty('keptOn')
  })

  it('turns plugins on; one that brings hooks or code cannot be allowed then', async () => {
    await installed('quiet', {})
    await installed('loud', { 'hooks/hooks.json': { modules: ['./register.js'] } })
    const on = { 'quiet@m': true, 'loud@m': true, 'x@builtin': true }
    await put('claude/settings.json', { enabledPlugins: on })
    expect(await read()).toMatchObject({
      plugins: [
        ['quiet@m', undefined],
        ['loud@m', undefined],
      ],
    })
    await all({ enabledPlugins: { ...on, 'gone@m': ['1.0.0'] } })
    await put('managed-settings.d/10.json', { enabledPlugins: { 'x@m': true } })
    await put('managed-settings.d/20.json', { enabledPlugins: { 'x@m': false } })
    expect(await read()).toMatchObject({
      policyPlugins: ['quiet@m', 'loud@m', 'gone@m'],
      plugins: [
        ['quiet@m', undefined],
        ['loud@m', expect.stringContaining('by itself')],
      ],
    })
    expect(await read({ sources: [], container: true })).not.toHaveProperty('plugins')
  })

  it('is nothing that a file of the project can set', async () => {
    await all({})
    await put(project, { allowManagedHooksOnly: true, hooks: stop('project') })
    expect((await read()).shown).toEqual(['user mine', 'project project'])
  })
})

it('the strongest word on disableAllHooks counts', async () => {
  await put('claude/settings.json', { disableAllHooks: true, hooks: stop('mine') })
  await put('project/.claude/settings.local.json', { disableAllHooks: false })
  expect(await read()).toEqual({ shown: ['user mine'], faults: [] })
})

it.each<[string, unknown, RegExp]>([
  ['no JSON', '{nope', /not JSON/],
  ['comments', '{ // c\n}', /not JSON/],
  ['a list', [], /one object/],
  ['hooks of another form', { hooks: [] }, /skips the whole file/],
  ['a matcher list that is none', { hooks: { PreToolUse: {}, ...stop('x') } }, /skips the whole file/],
  ['a flag that is none', { disableAllHooks: 'yes', hooks: stop('x') }, /skips the whole file/],
  ['more than is read', `{"hooks":{},"x":"${'x'.repeat(3 * 1024 * 1024)}"}`, /larger than 2 MiB/],
  ['depth', `{"hooks":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, /./],
])(
  'a file with %s has no hooks, and the reason is reported; the others count',
  async (_, content, reason) => {
    await put(project, content)
    await put('claude/settings.json', { hooks: stop('mine') })
    const { shown, faults } = await read()
    expect(shown).toEqual(['user mine'])
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(reason)
    expect(faults[0]).toContain(project)
  },
)

it('is neither led elsewhere nor held up', async () => {
  await put('outside.json', { hooks: stop('outside') })
  await symlink(at('outside.json'), at(project))
  execFileSync('mkfifo', [at('project/.claude/settings.local.json')])
  await mkdir(at('managed.json'))
  const { shown, faults } = await read()
  expect(shown).toEqual([])
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    project,
    'project/.claude/settings.local.json',
    'managed.json',
  ])
})

it('an empty file is the place that a sandbox keeps, and no fault', async () => {
  await put(project, '')
  expect(await read()).toEqual({ shown: [], faults: [] })
})

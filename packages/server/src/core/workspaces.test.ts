import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Workspace, workspaceSchema } from '@dorkos/shared'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { owner } from '../../test/support/actors.ts'
import type { WorkspaceStore } from './ports/records.ts'
import type { CoveredItem } from './ports/trust.ts'
import { TrustKeeper, type TrustTransition } from './trust/workspace-trust.ts'
import { createWorkspaces, settingSourcesFor, type WorkspacesOptions } from './workspaces.ts'

const actor = owner()
const logger = { debug() {}, info() {}, warn() {}, error() {} }

let base: string
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-workspaces-')))
  for (const folder of [
    'owner/project/sub/deep',
    'owner/other',
    'owner/.dorkos/logs',
    'outside/secret',
    'srv/app',
  ]) {
    await mkdir(join(base, folder), { recursive: true })
  }
  await writeFile(join(base, 'owner/file'), '')
})
afterEach(() => rm(base, { recursive: true }))

/** The port in memory. */
function memoryStore(): WorkspaceStore {
  const all = new Map<string, Workspace>()
  const onlyMain = (id: string) => {
    for (const [key, workspace] of all) all.set(key, { ...workspace, main: key === id })
  }
  return {
    async create(workspace) {
      // As a database: others get their turn before it is written.
      await setImmediate()
      all.set(workspace.id, workspace)
      if (workspace.main) onlyMain(workspace.id)
    },
    async change(id, change) {
      const known = all.get(id)
      if (!known) return undefined
      const trust = change.trust ?? known.trust
      all.set(id, { ...known, ...change, trust, trusted: trust === 'trusted' })
      if (change.main) onlyMain(id)
      return all.get(id)
    },
    async remove(id) {
      return all.get(id)?.main !== true && all.delete(id)
    },
    async get(id) {
      return all.get(id)
    },
    async list() {
      return [...all.values()]
    },
  }
}

/** Trust where no workspace has anything that is covered, but those that are named. */
function emptyTrust(
  workspaces: WorkspaceStore,
  onChange: (change: TrustTransition) => void,
  items: Record<string, CoveredItem[]> = {},
): TrustKeeper {
  let digest: string | undefined
  return new TrustKeeper({
    files: {
      read: async (path) => ({
        digest: JSON.stringify(items[path] ?? []),
        items: items[path] ?? [],
        faults: [],
        closedFiles: [],
        closedFolders: [],
        modules: {},
        profiles: {},
      }),
    },
    store: {
      get: async () => undefined,
      digestOf: async () => digest,
      put: async (record) => {
        digest = record.digest
      },
      remove: async () => {},
    },
    workspaces,
    audit: { append: async () => {}, record: async () => {} },
    clock: { now: () => 0 },
    logger,
    onChange,
  })
}

function make(options: Partial<WorkspacesOptions> = {}) {
  const changes: string[] = []
  const store = memoryStore()
  const trust = emptyTrust(store, ({ workspace }) => changes.push(workspace.id))
  const workspaces = createWorkspaces({
    store,
    trust,
    config: () => ({ roots: [] }),
    stateFolders: [join(base, 'owner/.dorkos')],
    clock: { now: () => 0 },
    logger,
    onChange: (id) => changes.push(id),
    ownerHome: join(base, 'owner'),
    ...options,
  })
  return {
    workspaces,
    changes,
    at: (path: string) => ({ path: join(base, path), trusted: false, main: false, mode: 'host' as const }),
  }
}

describe('adding', () => {
  it('takes a directory inside the owner’s home, by its real path', async () => {
    const { workspaces, changes } = make()
    await symlink(join(base, 'owner/project'), join(base, 'owner/link'))
    const added = await workspaces.create(actor, {
      path: join(base, 'owner/link'),
      trusted: true,
      main: false,
      mode: 'host',
    })
    expect(workspaceSchema.parse(added)).toEqual(added)
    expect(added).toMatchObject({
      path: join(base, 'owner/project'),
      name: 'project',
      trusted: true,
      mode: 'host',
    })
    // Added, and trusted.
    expect(changes).toEqual([added.id, added.id])
    expect(await workspaces.get(added.id)).toEqual(added)
  })

  it('reads ~/ as the owner’s home, and checks what that is as any other', async () => {
    const { workspaces } = make()
    const add = (path: string) =>
      workspaces.create(actor, { path, trusted: false, main: false, mode: 'host' })
    expect((await add('~/project')).path).toBe(join(base, 'owner/project'))
    await expect(add('~/../outside')).rejects.toMatchObject({ code: 'outside_roots' })
    await expect(add('~other/project')).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it.each([
    ['outside', 'outside_roots'],
    ['outside/not-there', 'outside_roots'],
    ['owner/../outside', 'outside_roots'],
    ['ownership', 'outside_roots'],
    ['owner/.dorkos', 'outside_roots'],
    ['owner/.dorkos/logs', 'outside_roots'],
    ['owner/.dorkos/new', 'outside_roots'],
    ['owner/escape', 'outside_roots'],
    ['owner/escape/secret', 'outside_roots'],
    ['owner/state', 'outside_roots'],
    ['owner/dangling', 'outside_roots'],
    ['owner/loop', 'outside_roots'],
    ['owner/not-there', 'invalid_request'],
    ['owner/file', 'invalid_request'],
    ['owner/file/x', 'invalid_request'],
    ['owner/a\0b', 'invalid_request'],
  ])('refuses %j: %s', async (path, code) => {
    await mkdir(join(base, 'ownership'))
    await symlink(join(base, 'outside'), join(base, 'owner/escape'))
    await symlink(join(base, 'owner/.dorkos'), join(base, 'owner/state'))
    await symlink(join(base, 'outside/not-there'), join(base, 'owner/dangling'))
    await symlink(join(base, 'owner/loop'), join(base, 'owner/loop'))
    const { workspaces } = make()
    const body = { path: `${base}/${path}`, trusted: false, main: false, mode: 'host' as const }
    await expect(workspaces.create(actor, body)).rejects.toMatchObject({ name: 'AppError', code })
    await expect(workspaces.resolveCwd(undefined, body.path)).rejects.toMatchObject({
      name: 'AppError',
      code,
    })
    expect(await workspaces.list()).toEqual([])
  })

  it('refuses relative paths and doubles', async () => {
    const { workspaces, at } = make()
    await expect(
      workspaces.create(actor, { path: 'owner', trusted: false, main: false, mode: 'host' }),
    ).rejects.toThrow('absolute')
    const both = await Promise.allSettled([
      workspaces.create(actor, at('owner/project')),
      workspaces.create(actor, at('owner/project/../project/')),
    ])
    expect(both.map((one) => one.status)).toEqual(['fulfilled', 'rejected'])
    expect(both[1]).toMatchObject({ reason: { code: 'conflict' } })
  })

  it('makes containers where they can be made, and none that holds a workspace or lies in one that does', async () => {
    const none = make()
    const inContainer = { mode: 'container' as const }
    await expect(
      none.workspaces.create(actor, { ...none.at('owner/other'), ...inContainer }),
    ).rejects.toMatchObject({ code: 'unavailable' })
    const checked: string[] = []
    const { workspaces, at } = make({
      async checkContainer(path) {
        checked.push(path)
        if (path.endsWith('other')) throw new Error('not there')
      },
    })
    const create = (path: string, mode: 'host' | 'container') =>
      workspaces.create(actor, { ...at(path), mode })
    await expect(create('owner/other', 'container')).rejects.toThrow('not there')
    expect(await create('owner/project/sub', 'container')).toMatchObject({ mode: 'container' })
    await expect(create('owner/project/sub/deep', 'host')).rejects.toThrow('runs in a container')
    await expect(create('owner/project/sub/deep', 'container')).rejects.toThrow('runs in a container')
    await expect(create('owner/project', 'container')).rejects.toThrow('is inside')
    expect(await create('owner/project', 'host')).toMatchObject({ mode: 'host' })
    expect(await create('owner/other', 'host')).toMatchObject({ mode: 'host' })
    expect(checked.map((path) => relative(base, path))).toEqual([
      'owner/other',
      'owner/project/sub',
      'owner/project',
    ])
  })

  it('follows the configured roots, also when they change or are links, and lets the home itself be one', async () => {
    let roots = [join(base, 'srv-link')]
    await symlink(join(base, 'srv'), join(base, 'srv-link'))
    const { workspaces, at } = make({ config: () => ({ roots }) })
    await expect(workspaces.create(actor, at('owner/project'))).rejects.toMatchObject({
      code: 'outside_roots',
    })
    expect(await workspaces.create(actor, at('srv/app'))).toMatchObject({ path: join(base, 'srv/app') })
    roots = []
    expect(await workspaces.create(actor, at('owner'))).toMatchObject({ path: join(base, 'owner') })
  })
})

describe('the main workspace', () => {
  it('is made once, untrusted, from the default directory, wherever that lies', async () => {
    const { workspaces, at } = make()
    const main = await workspaces.ensureMain(join(base, 'srv/app'))
    expect(main).toMatchObject({ path: join(base, 'srv/app'), main: true, trusted: false })
    expect(await workspaces.ensureMain(join(base, 'owner'))).toEqual(main)
    expect((await workspaces.list()).length).toBe(1)
    await expect(workspaces.create(actor, at('outside'))).rejects.toMatchObject({ code: 'outside_roots' })
  })

  it('is never in the state folder', async () => {
    const { workspaces } = make()
    await expect(workspaces.ensureMain(join(base, 'owner/.dorkos'))).rejects.toMatchObject({
      code: 'outside_roots',
    })
  })

  it('is exactly one, and cannot be removed', async () => {
    const { workspaces, at } = make()
    const first = await workspaces.create(actor, at('owner/project'))
    expect(first.main).toBe(true)
    const second = await workspaces.create(actor, { ...at('owner/other'), main: true })
    const mains = async () => (await workspaces.list()).filter((one) => one.main).map((one) => one.id)
    expect(await mains()).toEqual([second.id])
    await workspaces.change(actor, first.id, { main: true, name: 'new name' })
    expect(await mains()).toEqual([first.id])
    await expect(workspaces.remove(actor, first.id)).rejects.toMatchObject({ code: 'conflict' })
    await workspaces.remove(actor, second.id)
    await expect(workspaces.remove(actor, second.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(workspaces.change(actor, second.id, {})).rejects.toMatchObject({ code: 'not_found' })
    expect((await workspaces.list()).map((one) => one.name)).toEqual(['new name'])
  })
})

describe('where a session runs', () => {
  it('is inside its workspace', async () => {
    const { workspaces, at } = make()
    const main = await workspaces.ensureMain(join(base, 'owner/project'))
    const nested = await workspaces.create(actor, at('owner/project/sub'))
    const inside = (path: string) => join(base, 'owner/project', path)
    expect(await workspaces.resolveCwd(undefined, undefined)).toEqual({
      workspace: main,
      cwd: main.path,
    })
    expect(await workspaces.resolveCwd(main.id, 'sub')).toEqual({ workspace: main, cwd: inside('sub') })
    expect(await workspaces.resolveCwd(undefined, inside('sub/deep'))).toEqual({
      workspace: nested,
      cwd: inside('sub/deep'),
    })
    expect(await workspaces.resolveCwd(undefined, join(base, 'owner/other'))).toEqual({
      workspace: undefined,
      cwd: join(base, 'owner/other'),
    })
    for (const path of ['..', '../other', join(base, 'owner/other')]) {
      await expect(workspaces.resolveCwd(main.id, path)).rejects.toMatchObject({ code: 'outside_roots' })
    }
    await expect(workspaces.resolveCwd('ws_none', undefined)).rejects.toMatchObject({ code: 'not_found' })
    expect(await workspaces.forPath(inside('sub/deep/not/there'))).toEqual(nested)
    expect(await workspaces.forPath(inside('submarine'))).toEqual(main)
    expect(await workspaces.forPath(base)).toBeUndefined()
  })

  it('is refused once the directory is another one: trust is not inherited', async () => {
    const { workspaces, at } = make()
    const { id } = await workspaces.create(actor, { ...at('owner/project'), trusted: true })
    await rename(join(base, 'owner/project'), join(base, 'owner/moved'))
    await expect(workspaces.resolveCwd(id, undefined)).rejects.toMatchObject({ code: 'invalid_request' })
    await symlink(join(base, 'owner/other'), join(base, 'owner/project'))
    await expect(workspaces.resolveCwd(id, undefined)).rejects.toMatchObject({ code: 'conflict' })
    await expect(workspaces.change(actor, id, { trusted: true })).rejects.toMatchObject({ code: 'conflict' })
    await rm(join(base, 'owner/project'))
    await symlink(join(base, 'outside'), join(base, 'owner/project'))
    await expect(workspaces.resolveCwd(id, undefined)).rejects.toMatchObject({ code: 'outside_roots' })
  })
})

it('loads what the table says', () => {
  const one = (main: boolean, trusted: boolean, mode: 'host' | 'container' = 'host') =>
    settingSourcesFor({
      id: 'ws_1',
      name: 'n',
      path: '/p',
      created_at: '',
      main,
      trusted,
      trust: trusted ? 'trusted' : 'untrusted',
      mode,
    })
  expect(one(true, true)).toEqual(['user', 'project', 'local'])
  expect(one(true, false)).toEqual(['user'])
  expect(one(false, true)).toEqual(['project', 'local'])
  expect(one(false, false)).toEqual([])
  expect(one(true, true, 'container')).toEqual(['project'])
  expect(one(false, false, 'container')).toEqual([])
  expect(settingSourcesFor(undefined)).toEqual([])
})

/** Any tree of folders and links, any path through it: what is accepted lies, by the kernel's word, inside and not in the state folder. */
it('lets nothing escape', async () => {
  const name = fc.constantFrom('a', 'b', 'c', '..', 'owner', 'outside', 'state')
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
  const entry = fc.record({ at: path, link: fc.option(fc.record({ to: path, absolute: fc.boolean() })) })
  let accepted = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 10 }),
      fc.array(path, { minLength: 5, maxLength: 5 }),
      async (entries, tries) => {
        const root = await mkdtemp(join(base, 'tree-'))
        const [owner, home] = [join(root, 'owner'), join(root, 'owner/state')]
        for (const folder of ['owner/state', 'owner/a', 'outside/a'])
          await mkdir(join(root, folder), { recursive: true })
        for (const { at, link } of entries) {
          const target = resolve(root, 'owner', at)
          // Never beside the tree, so that runs do not see one another.
          if (relative(root, target).startsWith('..')) continue
          const to = link && (link.absolute ? resolve(root, link.to) : link.to)
          await (to === null ? mkdir(target, { recursive: true }) : symlink(to, target)).catch(() => {})
        }
        const { workspaces } = make({ ownerHome: owner, stateFolders: [home] })
        for (const attempt of tries) {
          const asked = `${owner}/${attempt}`
          const { cwd } = await workspaces.resolveCwd(undefined, asked).catch((error) => {
            expect(error).toMatchObject({ name: 'AppError' })
            return { cwd: undefined }
          })
          if (cwd === undefined) {
            refused++
            continue
          }
          accepted++
          const real = await realpath(cwd)
          expect(real).toBe(cwd)
          expect(`${real}/`.startsWith(`${owner}/`)).toBe(true)
          expect(`${real}/`.startsWith(`${home}/`)).toBe(false)
        }
      },
    ),
    { numRuns: 300 },
  )
  // Both happened often enough for the run to mean something.
  expect(accepted).toBeGreaterThan(50)
  expect(refused).toBeGreaterThan(50)
})

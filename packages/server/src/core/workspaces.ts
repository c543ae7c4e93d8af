/** Directories that agents work in: where they may lie, which one is the main one, and what a session in them loads. */
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { type Config, say, type Workspace, type WorkspaceTrust } from '@dorkos/shared'
import type { Actor } from './actor.ts'
import { AppError } from './app-error.ts'
import type { Logger } from './logger.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import type { WorkspaceStore } from './ports/records.ts'
import { isInside, realPath } from './real-path.ts'
import type { WorkspaceService } from './services.ts'
import type { CheckedWorkspace, TrustKeeper } from './trust/workspace-trust.ts'
import { createPathGuard } from './workspace-paths.ts'

export type SettingSource = 'user' | 'project' | 'local'

export interface WorkspacesOptions {
  store: WorkspaceStore
  config: () => Pick<Config, 'roots'>
  /** The state folder and what belongs to it: no workspace lies in them. */
  stateFolders: readonly string[]
  /** Publishes its own changes itself. */
  trust: Pick<TrustKeeper, 'check' | 'view' | 'give' | 'giveUnseen' | 'checkUnseen' | 'take'>
  clock: Pick<Clock, 'now'>
  logger: Logger
  onChange(workspaceId: string): void
  /** Folders that no agent works in, besides: the CLI's own. */
  closedFolders?: readonly string[]
  /** Default: the home directory of the user that runs the server. */
  ownerHome?: string
  /** Throws where no container can be made, or none around this directory. Without it there are none. */
  checkContainer?(path: string): Promise<void>
}

/** What the core itself asks of workspaces; people come by `auditedWorkspaces`. */
export interface Workspaces extends Omit<WorkspaceService, 'list' | 'get' | 'trustOf'> {
  list(): Promise<Workspace[]>
  get(id: string): Promise<Workspace>
  trustOf(id: string): Promise<WorkspaceTrust>
  /** The main workspace; made from this directory, untrusted, where there is none. */
  ensureMain(defaultCwd: string): Promise<Workspace>
  /**
   * Where a session runs. A directory that is given must lie in the workspace that is given; without one, the innermost
   * workspace around it is taken, if there is any. With neither, it is the main workspace's own directory.
   */
  resolveCwd(
    workspaceId: string | undefined,
    cwd: string | undefined,
  ): Promise<{ workspace: Workspace | undefined; cwd: string }>
  /** The innermost workspace that contains the path. */
  forPath(path: string): Promise<Workspace | undefined>
  settingSourcesFor(workspace: Workspace | undefined): SettingSource[]
  /** The workspace after its files were compared with what was trusted. Undefined when there is none. */
  checked(id: string): Promise<CheckedWorkspace | undefined>
}

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  return new WorkspaceRegister(options)
}

/** What a session in the workspace loads (docs/security.md has the table with its reasons). */
export function settingSourcesFor(workspace: Workspace | undefined): SettingSource[] {
  if (!workspace) return []
  const { mode, main, trusted } = workspace
  if (mode === 'container') return trusted ? ['project'] : []
  if (main) return trusted ? ['user', 'project', 'local'] : ['user']
  return trusted ? ['project', 'local'] : []
}

class WorkspaceRegister implements Workspaces {
  #options: WorkspacesOptions
  #guard: ReturnType<typeof createPathGuard>
  #defaultCwd: string | undefined
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: WorkspacesOptions) {
    this.#options = options
    this.#guard = createPathGuard({
      roots: () => options.config().roots,
      defaultCwd: () => this.#defaultCwd,
      stateFolders: options.stateFolders,
      closed: options.closedFolders,
      ownerHome: options.ownerHome,
    })
  }

  list(): Promise<Workspace[]> {
    return this.#options.store.list()
  }

  async get(id: string): Promise<Workspace> {
    const workspace = await this.#options.store.get(id)
    if (!workspace) throw noSuchWorkspace(id)
    return workspace
  }

  create(
    actor: Actor,
    body: {
      path: string
      name?: string | undefined
      trusted?: boolean
      main?: boolean
      mode?: Workspace['mode']
    },
  ): Promise<Workspace> {
    return this.#exclusive(async () => {
      const path = await this.#guard.directory(body.path)
      const all = await this.list()
      const known = all.find((workspace) => workspace.path === path)
      if (known) {
        throw new AppError('conflict', say('workspace_exists', { path, name: known.name }), {
          details: { id: known.id },
        })
      }
      const { name, trusted = false, main = false, mode = 'host' } = body
      await this.#checkContainers(path, mode, all)
      if (trusted) await this.#options.trust.checkUnseen(path)
      const added = await this.#add({ path, name, main, mode }, actor.principal)
      return trusted ? this.#options.trust.giveUnseen(actor, added.id) : added
    })
  }

  change(
    actor: Actor,
    id: string,
    body: { name?: string | undefined; trusted?: boolean | undefined; main?: true | undefined },
  ): Promise<Workspace> {
    return this.#exclusive(async () => {
      const change: Partial<Pick<Workspace, 'name' | 'main'>> = {}
      if (body.name !== undefined) change.name = body.name
      if (body.main !== undefined) change.main = body.main
      const before = await this.get(id)
      if (body.trusted || change.main) await this.#stillThere(before)
      // First, so that nothing is changed when it is refused.
      if (body.trusted === true) await this.#options.trust.giveUnseen(actor, id)
      if (body.trusted === false) await this.#options.trust.take(id)
      const changed = await this.#options.store.change(id, change)
      if (!changed) throw noSuchWorkspace(id)
      this.#options.logger.info({ id, change, principal: actor.principal }, 'Workspace changed')
      this.#options.onChange(id)
      return changed
    })
  }

  trustOf(id: string): Promise<WorkspaceTrust> {
    return this.#options.trust.view(id)
  }

  async giveTrust(actor: Actor, id: string, digest: string): Promise<WorkspaceTrust> {
    await this.#stillThere(await this.get(id))
    return this.#options.trust.give(actor, id, digest)
  }

  async takeTrust(_actor: Actor, id: string): Promise<void> {
    await this.#options.trust.take(id)
  }

  checked(id: string): Promise<CheckedWorkspace | undefined> {
    return this.#options.trust.check(id)
  }

  remove(actor: Actor, id: string): Promise<void> {
    return this.#exclusive(async () => {
      await this.get(id)
      if (!(await this.#options.store.remove(id))) {
        throw new AppError('conflict', say('workspace_is_main'))
      }
      this.#options.logger.info({ id, principal: actor.principal }, 'Workspace removed')
      this.#options.onChange(id)
    })
  }

  ensureMain(defaultCwd: string): Promise<Workspace> {
    return this.#exclusive(async () => {
      this.#defaultCwd = await realPath(defaultCwd)
      const all = await this.list()
      const main = all.find((workspace) => workspace.main)
      if (main) return main
      const path = await this.#guard.directory(defaultCwd)
      const known = all.find((workspace) => workspace.path === path)
      const promoted = known && (await this.#options.store.change(known.id, { main: true }))
      if (promoted) {
        this.#options.onChange(promoted.id)
        return promoted
      }
      return this.#add({ path, name: undefined, main: true, mode: 'host' }, 'server')
    })
  }

  async resolveCwd(
    workspaceId: string | undefined,
    cwd: string | undefined,
  ): Promise<{ workspace: Workspace | undefined; cwd: string }> {
    if (workspaceId === undefined && cwd !== undefined) {
      const directory = await this.#guard.directory(cwd)
      return { workspace: await this.#innermost(directory), cwd: directory }
    }
    const workspace = workspaceId === undefined ? await this.#main() : await this.get(workspaceId)
    await this.#stillThere(workspace)
    if (cwd === undefined) return { workspace, cwd: workspace.path }
    const directory = await this.#guard.directory(cwd, workspace.path)
    if (!isInside(workspace.path, directory)) {
      throw new AppError(
        'outside_roots',
        say('workspace_excludes', { directory, name: workspace.name, path: workspace.path }),
      )
    }
    return { workspace, cwd: directory }
  }

  async forPath(path: string): Promise<Workspace | undefined> {
    return this.#innermost(await realPath(path))
  }

  settingSourcesFor(workspace: Workspace | undefined): SettingSource[] {
    return settingSourcesFor(workspace)
  }

  async #innermost(realDirectory: string): Promise<Workspace | undefined> {
    const around = (await this.list()).filter((workspace) => isInside(workspace.path, realDirectory))
    return around.toSorted((a, b) => b.path.length - a.path.length)[0]
  }

  async #main(): Promise<Workspace> {
    const main = (await this.list()).find((workspace) => workspace.main)
    if (!main) throw new AppError('conflict', say('workspace_main_missing'))
    return main
  }

  /** Trust was given to what the path led to then: a link that was put in its place does not inherit it. */
  async #stillThere(workspace: Workspace): Promise<void> {
    const path = await this.#guard.directory(workspace.path)
    if (path === workspace.path) return
    throw new AppError('conflict', say('workspace_moved', { name: workspace.name, path }))
  }

  /** What lies in a container's workspace is that container's: it holds no other workspace. */
  async #checkContainers(path: string, mode: Workspace['mode'], all: readonly Workspace[]): Promise<void> {
    const around = all.find((one) => one.mode === 'container' && isInside(one.path, path))
    if (around) throw new AppError('conflict', say('container_around', { path, name: around.name }))
    if (mode === 'host') return
    const { checkContainer } = this.#options
    if (!checkContainer) throw new AppError('unavailable', say('containers_unavailable'))
    await checkContainer(path)
    const below = all.find((one) => isInside(path, one.path))
    if (below)
      throw new AppError(
        'conflict',
        say('container_would_hold', { name: below.name, path: below.path, around: path }),
      )
  }

  async #add(
    wanted: Pick<Workspace, 'path' | 'main' | 'mode'> & { name: string | undefined },
    principal: string,
  ): Promise<Workspace> {
    const workspace: Workspace = {
      id: `ws_${randomBytes(10).toString('hex')}`,
      name: wanted.name ?? (basename(wanted.path) || wanted.path),
      path: wanted.path,
      trusted: false,
      trust: 'untrusted',
      mode: wanted.mode,
      main: wanted.main || !(await this.list()).some((known) => known.main),
      created_at: isoTime(this.#options.clock.now()),
    }
    await this.#options.store.create(workspace)
    this.#options.logger.info({ id: workspace.id, path: workspace.path, principal }, 'Workspace added')
    this.#options.onChange(workspace.id)
    return workspace
  }

  /** One change after the other: otherwise two requests could both find a path free. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work)
    this.#writing = done.catch(() => {})
    return done
  }
}

function noSuchWorkspace(id: string): AppError {
  return new AppError('not_found', say('workspace_not_found', { id }))
}

/**
 * Trust in workspaces, bound to what their files say. A workspace is trusted as it was shown to somebody; when anything that is
 * covered differs from that, it counts as not trusted until somebody looks, or until it is as it was.
 */
import { say, type TrustState, type Workspace, type WorkspaceTrust } from '@dorkos/shared'
import { type Actor, serverPrincipal } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { Logger } from '../logger.ts'
import type { Audit } from '../permissions/audit.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { WorkspaceStore } from '../ports/records.ts'
import type { CoveredItem, TrustFiles, TrustReading, TrustStore } from '../ports/trust.ts'
import { compareItems } from './compare-items.ts'

export interface TrustKeeperParts {
  files: TrustFiles
  store: TrustStore
  workspaces: Pick<WorkspaceStore, 'get' | 'change'>
  audit: Pick<Audit, 'append' | 'record'>
  clock: Pick<Clock, 'now'>
  logger: Logger
  onChange(change: TrustTransition): void
}

export interface TrustTransition {
  workspace: Workspace
  /** `lost` and `found`: by what is in the files; the others by a person. */
  how: 'given' | 'taken' | 'lost' | 'found'
  /** Of what counts from now on; undefined: nothing does. */
  digest: string | undefined
}

export interface CheckedWorkspace {
  workspace: Workspace
  /** Of a trusted one: what agents must not write, and what may be loaded. */
  covers:
    | Pick<TrustReading, 'digest' | 'closedFiles' | 'closedFolders' | 'modules' | 'profiles' | 'serversFile'>
    | undefined
  /** Roots of the plugins that somebody allowed to load there, where that was asked for. */
  plugins?: readonly string[]
}

export class TrustKeeper {
  readonly #parts: TrustKeeperParts
  readonly #running = new Map<string, Promise<unknown>>()

  constructor(parts: TrustKeeperParts) {
    this.#parts = parts
  }

  /** Compares what is there with what was trusted, and takes the consequences. Undefined when there is no such workspace. */
  check(id: string): Promise<CheckedWorkspace | undefined> {
    return this.#alone(id, async () => {
      const workspace = await this.#parts.workspaces.get(id)
      if (!workspace || workspace.trust === 'untrusted') return workspace && { workspace, covers: undefined }
      const reading = await this.#read(workspace)
      const checked = await this.#compare(workspace, reading)
      return { workspace: checked, covers: checked.trusted ? reading : undefined }
    })
  }

  view(id: string): Promise<WorkspaceTrust> {
    return this.#alone(id, async () => {
      const workspace = await this.#get(id)
      const reading = await this.#read(workspace, { texts: true })
      const checked = await this.#compare(workspace, reading)
      return this.#view(checked.trust, reading, id)
    })
  }

  /** Refused unless what is there now is what was shown under this digest. */
  give(actor: Actor, id: string, digest: string): Promise<WorkspaceTrust> {
    return this.#alone(id, async () => {
      const workspace = await this.#get(id)
      const reading = await this.#read(workspace, { texts: true })
      if (reading.digest !== digest)
        throw new AppError('conflict', say('trust_changed'), { details: { digest: reading.digest } })
      await this.#store(actor, workspace, reading)
      await this.#parts.audit.record(actor, 'workspace_trusted', {
        workspace_id: id,
        name: workspace.name,
        digest,
        items: summary(reading.items),
      })
      return this.#view('trusted', reading, id)
    })
  }

  /** For a workspace with nothing in it that trust would cover: there is nothing to review. */
  giveUnseen(actor: Actor, id: string): Promise<Workspace> {
    return this.#alone(id, async () => {
      const workspace = await this.#get(id)
      const reading = await this.#read(workspace)
      const checked = await this.#compare(workspace, reading)
      if (checked.trusted) return checked
      requireNothing(reading)
      return this.#store(actor, workspace, reading)
    })
  }

  /** Throws where there is something to review first. */
  async checkUnseen(path: string): Promise<void> {
    requireNothing(await this.#parts.files.read(path))
  }

  /** Works always. */
  take(id: string): Promise<Workspace> {
    return this.#alone(id, async () => {
      const before = await this.#get(id)
      const workspace = await this.#change(id, 'untrusted')
      await this.#parts.store.remove(id)
      if (before.trust !== 'untrusted') this.#parts.onChange({ workspace, how: 'taken', digest: undefined })
      return workspace
    })
  }

  async #store(actor: Actor, before: Workspace, reading: TrustReading): Promise<Workspace> {
    const [first] = reading.faults
    if (first)
      throw new AppError('conflict', say('trust_impossible', { path: first.path, why: first.reason }), {
        details: { faults: reading.faults },
      })
    const { digest, items } = reading
    const at = isoTime(this.#parts.clock.now())
    await this.#parts.store.put({ workspaceId: before.id, digest, items, principal: actor.principal, at })
    const workspace = await this.#change(before.id, 'trusted')
    this.#parts.logger.info(
      { id: before.id, principal: actor.principal, items: items.length },
      'Workspace trusted',
    )
    this.#parts.onChange({ workspace, how: 'given', digest })
    return workspace
  }

  async #compare(workspace: Workspace, reading: TrustReading): Promise<Workspace> {
    const digest = await this.#parts.store.digestOf(workspace.id)
    const isSame = digest === reading.digest && reading.faults.length === 0
    if (workspace.trust === 'untrusted' || isSame === workspace.trusted) return workspace
    const to = isSame ? 'trusted' : 'changed'
    const now = await this.#parts.workspaces.change(workspace.id, { trust: to }, workspace.trust)
    // Another server was quicker: what it stored is compared, and stands.
    if (!now) return this.#compare(await this.#get(workspace.id), reading)
    this.#parts.onChange(
      isSame ? { workspace: now, how: 'found', digest } : { workspace: now, how: 'lost', digest: undefined },
    )
    const changes = isSame ? [] : await this.#changes(workspace.id, reading)
    const detail = {
      workspace_id: workspace.id,
      ...(!isSame && { changes: changes.slice(0, 50).map(({ diff: _, notes: __, ...change }) => change) }),
      ...(reading.faults.length > 0 && { faults: reading.faults.slice(0, 10) }),
    }
    const action = isSame ? 'workspace_trust_found' : 'workspace_trust_lost'
    this.#parts.logger.warn(
      detail,
      isSame ? 'Workspace is as it was trusted again' : 'Workspace changed: trust is lost',
    )
    await this.#parts.audit.append([
      { action, principal: serverPrincipal, decided_by: { kind: 'server' }, detail },
    ])
    return now
  }

  async #view(state: TrustState, reading: TrustReading, id: string): Promise<WorkspaceTrust> {
    const record = state === 'untrusted' ? undefined : await this.#parts.store.get(id)
    const items = reading.items.map(({ digest: _, secrets: __, ...item }) => item)
    return {
      state,
      digest: reading.digest,
      items,
      faults: reading.faults,
      ...(state === 'changed' && { changes: compareItems(record?.items ?? [], reading.items) }),
      ...(record && { given: { principal: record.principal, at: record.at } }),
    }
  }

  async #changes(id: string, reading: TrustReading) {
    return compareItems((await this.#parts.store.get(id))?.items ?? [], reading.items)
  }

  /** What cannot be read is not what was trusted. */
  async #read(workspace: Workspace, options = { texts: false }): Promise<TrustReading> {
    try {
      return await this.#parts.files.read(workspace.path, options)
    } catch (error) {
      this.#parts.logger.error({ id: workspace.id, err: error }, 'a workspace could not be looked at')
      const faults = [{ path: '.', reason: 'The workspace cannot be read; the log has the cause.' }]
      return {
        digest: '0'.repeat(64),
        items: [],
        faults,
        closedFiles: [],
        closedFolders: [],
        modules: {},
        profiles: {},
      }
    }
  }

  async #get(id: string): Promise<Workspace> {
    const workspace = await this.#parts.workspaces.get(id)
    if (!workspace) throw new AppError('not_found', say('workspace_not_found', { id }))
    return workspace
  }

  async #change(id: string, trust: TrustState): Promise<Workspace> {
    const changed = await this.#parts.workspaces.change(id, { trust })
    if (!changed) throw new AppError('not_found', say('workspace_not_found', { id }))
    return changed
  }

  /** One after the other for each workspace. */
  #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#running.get(id) ?? Promise.resolve()
    const done = before.then(work)
    const settled = done
      .catch(() => undefined)
      .then(() => {
        if (this.#running.get(id) === settled) this.#running.delete(id)
      })
    this.#running.set(id, settled)
    return done
  }
}

function requireNothing({ items, faults, digest }: TrustReading): void {
  if (items.length === 0 && faults.length === 0) return
  throw new AppError('conflict', say('trust_unseen'), { details: { digest } })
}

function summary(items: readonly CoveredItem[]) {
  return items
    .slice(0, 100)
    .map(({ kind, path, name }) => ({ kind, path, ...(name !== undefined && { name }) }))
}

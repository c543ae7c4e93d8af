/**
 * Profiles: found in the owner's folder, in a workspace's (`.dorkos/agents`, as far as it is trusted) and among those that come with
 * DorkOS; checked, written, and frozen for a session that starts with one.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  type FrozenProfile,
  type Profile,
  type ProfileDetails,
  type ProfileEntry,
  type ProfileFault,
  type ProfileOrigin,
  say,
} from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { Audit } from '../permissions/audit.ts'
import { isoTime } from '../ports/clock.ts'
import type { ProfileFile, ProfileFiles, ProfileFolder } from '../ports/profile-files.ts'
import type { ProfileService } from '../services.ts'
import type { CheckedWorkspace } from '../trust/workspace-trust.ts'
import type { Workspaces } from '../workspaces.ts'
import type { ReadProfileText, WrittenProfile } from './profile-text.ts'
import type { ProfileSurroundings } from './resolve-profile.ts'

export interface ProfileServiceParts {
  files: ProfileFiles
  workspaces: Pick<Workspaces, 'checked' | 'trustOf' | 'giveTrust' | 'takeTrust'>
  audit: Pick<Audit, 'record'>
  ownerFolder: string
  /** Those that come with DorkOS. */
  shippedFolder: string
  /** Names of what a session in the workspace can have. */
  serversOf(workspaceId: string): Promise<string[]>
  skillsOf(actor: Actor, workspaceId: string): Promise<string[]>
  /** What could become a profile, in a workspace as far as it is trusted, and in the owner's own folder. */
  imports: ProfileImports
}

export interface ProfileImports {
  find(checked: CheckedWorkspace | undefined): Promise<ImportableAgent[]>
}

export interface ImportableAgent {
  file: string
  kind: 'claude_agent' | 'sandstorm'
  name: string
  description: string | undefined
  /** The text of a profile that says the same. */
  text: string
}

/** A profile for a session, with all that it says. */
export type UsableProfile = FrozenProfile & { profile: Profile }

interface Folder extends ProfileFolder {
  origin: ProfileOrigin
  workspaceId: string | undefined
  /** SHA-256 by file, of what may count; undefined: all of it. */
  trusted: Readonly<Record<string, string>> | undefined
}

interface Found {
  folder: Folder
  file: ProfileFile
}

export class Profiles implements ProfileService {
  readonly #parts: ProfileServiceParts

  constructor(parts: ProfileServiceParts) {
    this.#parts = parts
  }

  async list(actor: Actor, workspaceId: string | undefined): Promise<ProfileEntry[]> {
    const folders = await this.#folders(workspaceId)
    const seen = new Map<string, ProfileOrigin>()
    const entries: ProfileEntry[] = []
    for (const folder of folders)
      for (const file of await this.#parts.files.list(folder)) {
        const { entry } = await this.#read(actor, { folder, file }, folders)
        const by = seen.get(file.name)
        if (by === undefined && !entry.untrusted) seen.set(file.name, folder.origin)
        entries.push({ ...entry, ...(by !== undefined && { overridden_by: by }) })
      }
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }

  async get(
    actor: Actor,
    name: string,
    { workspace_id, origin }: { workspace_id?: string | undefined; origin?: ProfileOrigin | undefined },
  ): Promise<ProfileDetails> {
    const folders = await this.#folders(workspace_id)
    const all = await this.#find(name, folders)
    const found =
      origin === undefined
        ? (all.find((one) => isTrusted(one)) ?? all[0])
        : all.find(({ folder }) => folder.origin === origin)
    if (!found) throw notFound(name)
    return this.#details(actor, found, folders)
  }

  async check(
    actor: Actor,
    body: { name: string; text: string; workspace_id?: string | undefined },
  ): Promise<{ faults: ProfileFault[]; profile?: Profile }> {
    const folders = await this.#folders(body.workspace_id)
    const folder =
      body.workspace_id === undefined ? folders.find(({ origin }) => origin === 'owner') : folders[0]
    if (!folder) throw notFound(body.name)
    return this.#resolve(actor, body.name, body.text, folder, folders)
  }

  async save(
    actor: Actor,
    name: string,
    body: { text: string; workspace_id?: string | undefined; base_digest: string | null },
  ): Promise<ProfileDetails> {
    const { files, audit } = this.#parts
    const { text, workspace_id: workspaceId, base_digest: base } = body
    const { faults } = await this.check(actor, { name, text, workspace_id: workspaceId })
    if (faults[0]) throw faulty(name, faults)
    const folder = await this.#writable(workspaceId)
    const known = await files.read(folder, name)
    if (known && base === null) throw new AppError('conflict', say('profile_exists', { name }))
    if ((known === undefined) !== (base === null) || (known && digestOf(known.text ?? '') !== base))
      throw new AppError('conflict', say('profile_changed', { name }))
    await this.#keepingTrust(actor, folder, name, text, () => files.write(folder, name, text))
    await audit.record(actor, 'profile_saved', {
      name,
      ...workspaceField(workspaceId),
      digest: digestOf(text),
    })
    return this.get(actor, name, { workspace_id: workspaceId, origin: folder.origin })
  }

  async remove(actor: Actor, name: string, workspaceId: string | undefined): Promise<void> {
    const { files, audit } = this.#parts
    const folder = await this.#writable(workspaceId)
    let isGone = false
    await this.#keepingTrust(actor, folder, name, undefined, async () => {
      isGone = await files.remove(folder, name)
    })
    if (!isGone) {
      const isShipped = (await this.#find(name, await this.#folders(undefined))).length > 0
      if (isShipped) throw new AppError('conflict', say('profile_shipped', { name }))
      throw notFound(name)
    }
    await audit.record(actor, 'profile_deleted', { name, ...workspaceField(workspaceId) })
  }

  async imports(actor: Actor, workspaceId: string | undefined) {
    const names = new Set((await this.list(actor, workspaceId)).map(({ name }) => name))
    const found = await this.#parts.imports.find(await this.#checked(workspaceId))
    return found.map(({ file, kind, name, description }) => ({
      file,
      kind,
      name,
      ...(description !== undefined && { description }),
      exists: names.has(name),
    }))
  }

  async import(
    actor: Actor,
    { file, name, workspace_id }: { file: string; name: string; workspace_id?: string | undefined },
  ): Promise<ProfileDetails> {
    const all = await this.#parts.imports.find(await this.#checked(workspace_id))
    const found =
      all.find((one) => one.file === file && one.name === name) ?? all.find((one) => one.file === file)
    if (!found) throw new AppError('not_found', say('profile_import_missing', { file }))
    return this.save(actor, name, { text: renamed(found.text, name), base_digest: null })
  }

  /** The one that counts, for a session in the workspace. Throws for one that cannot be used. */
  async usable(actor: Actor, name: string, workspaceId: string | undefined): Promise<UsableProfile> {
    const folders = await this.#folders(workspaceId)
    const all = await this.#find(name, folders)
    const found = all.find((one) => isTrusted(one))
    if (!found) {
      if (all.length > 0) throw new AppError('conflict', say('profile_untrusted', { name }))
      throw notFound(name)
    }
    const { profile, faults } = await this.#resolve(actor, name, found.file.text ?? '', found.folder, folders)
    if (!profile) throw faulty(name, faults)
    const { profileDigest } = await import('./resolve-profile.ts')
    return { name, origin: found.folder.origin, digest: profileDigest(profile), profile }
  }

  /** Where profiles come from; of several of one name the first counts. */
  async #folders(workspaceId: string | undefined): Promise<Folder[]> {
    const { ownerFolder, shippedFolder } = this.#parts
    const checked = await this.#checked(workspaceId)
    const all = { workspaceId: undefined, trusted: undefined }
    return [
      ...(checked ? [ofWorkspace(checked)] : []),
      { ...all, path: ownerFolder, within: ownerFolder, origin: 'owner' },
      { ...all, path: shippedFolder, within: shippedFolder, origin: 'shipped' },
    ]
  }

  async #checked(workspaceId: string | undefined): Promise<CheckedWorkspace | undefined> {
    if (workspaceId === undefined) return undefined
    const checked = await this.#parts.workspaces.checked(workspaceId)
    if (!checked) throw new AppError('not_found', say('workspace_not_found', { id: workspaceId }))
    return checked
  }

  async #writable(workspaceId: string | undefined): Promise<Folder> {
    const folders = await this.#folders(workspaceId)
    const folder = folders.find(
      ({ origin }) => origin === (workspaceId === undefined ? 'owner' : 'workspace'),
    )
    if (!folder) throw new Error('there is no folder to write to')
    return folder
  }

  async #find(name: string, folders: readonly Folder[]): Promise<Found[]> {
    const found: Found[] = []
    for (const folder of folders) {
      const file = await this.#parts.files.read(folder, name)
      if (file) found.push({ folder, file })
    }
    return found
  }

  async #read(actor: Actor, found: Found, folders: readonly Folder[]) {
    const { folder, file } = found
    const { text = '', fault } = file
    const untrusted = !isTrusted(found)
    const read =
      fault === undefined
        ? await this.#resolve(actor, file.name, text, folder, folders)
        : { faults: [{ line: 1, message: fault }], profile: undefined }
    const { profile, faults } = read
    const entry: ProfileEntry = {
      name: file.name,
      origin: folder.origin,
      ...(folder.workspaceId !== undefined && { workspace_id: folder.workspaceId }),
      ...(folder.origin !== 'shipped' && { file: file.file, changed_at: isoTime(file.changedAt) }),
      ...(profile && { description: profile.description }),
      digest: digestOf(text),
      faults,
      untrusted,
    }
    return { entry, profile }
  }

  async #details(actor: Actor, found: Found, folders: readonly Folder[]): Promise<ProfileDetails> {
    const { entry, profile } = await this.#read(actor, found, folders)
    return { ...entry, text: found.file.text ?? '', ...(profile && { profile }) }
  }

  async #resolve(actor: Actor, name: string, text: string, folder: Folder, folders: readonly Folder[]) {
    // What reads YAML is loaded with the first profile.
    const [{ readProfileText }, { resolveProfile }] = await Promise.all([
      import('./profile-text.ts'),
      import('./resolve-profile.ts'),
    ])
    return resolveProfile(name, readProfileText(text, `${name}.md`), {
      ...(await this.#namesAt(actor, folders)),
      profile: (other) => this.#written(other, folders, readProfileText),
      beside: (path) => this.#beside(folder, path),
    })
  }

  async #namesAt(
    actor: Actor,
    folders: readonly Folder[],
  ): Promise<Pick<ProfileSurroundings, 'servers' | 'skills'>> {
    const id = folders[0]?.workspaceId
    if (id === undefined) return { servers: undefined, skills: undefined }
    const [servers, skills] = await Promise.all([this.#parts.serversOf(id), this.#parts.skillsOf(actor, id)])
    return { servers, skills }
  }

  async #written(
    name: string,
    folders: readonly Folder[],
    readProfileText: (text: string, fileName: string) => ReadProfileText,
  ): Promise<WrittenProfile | undefined> {
    const found = (await this.#find(name, folders)).find((one) => isTrusted(one))
    return found && readProfileText(found.file.text ?? '', `${name}.md`).written
  }

  async #beside(folder: Folder, path: string): Promise<string | undefined> {
    const text = await this.#parts.files.readBeside(folder, path)
    const { trusted } = folder
    if (text === undefined || trusted === undefined) return text
    return Object.values(trusted).includes(digestOf(text)) ? text : undefined
  }

  /**
   * A trusted workspace stays trusted where its profile is changed here, by somebody who may trust it: if nothing else is different, and the
   * file is what was written.
   */
  async #keepingTrust(
    actor: Actor,
    folder: Folder,
    name: string,
    text: string | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    const { workspaces } = this.#parts
    const { workspaceId } = folder
    const wasTrusted = workspaceId !== undefined && folder.trusted !== untrusted
    await work()
    if (!wasTrusted) return
    const { state, digest, changes = [], faults } = await workspaces.trustOf(workspaceId)
    const path = `.dorkos/agents/${name}.md`
    if (state !== 'changed' || faults.length > 0 || changes.some((one) => one.path !== path)) return
    await workspaces.giveTrust(actor, workspaceId, digest)
    const covered = (await workspaces.checked(workspaceId))?.covers?.profiles
    const written = covered && Object.entries(covered).find(([file]) => file.endsWith(join('/', path)))?.[1]
    if (written !== (text === undefined ? undefined : digestOf(text)))
      await workspaces.takeTrust(actor, workspaceId)
  }
}

/** Nothing of it. */
const untrusted: Readonly<Record<string, string>> = {}

function ofWorkspace({ workspace, covers }: CheckedWorkspace): Folder {
  return {
    path: join(workspace.path, '.dorkos', 'agents'),
    within: workspace.path,
    origin: 'workspace',
    workspaceId: workspace.id,
    trusted: covers?.profiles ?? untrusted,
  }
}

function isTrusted({ folder, file }: Found): boolean {
  if (folder.trusted === undefined) return true
  return file.text !== undefined && folder.trusted[file.file] === digestOf(file.text)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function workspaceField(workspaceId: string | undefined) {
  return workspaceId === undefined ? {} : { workspace_id: workspaceId }
}

/** A file that is imported under another name is called so inside as well. */
function renamed(text: string, name: string): string {
  return text.replace(
    /^(---[^\n]*\n(?:[^\n]*\n)*?)name:[^\n]*\n/,
    (_, before: string) => `${before}name: ${name}\n`,
  )
}

function notFound(name: string): AppError {
  return new AppError('not_found', say('profile_not_found', { name }))
}

function faulty(name: string, faults: readonly ProfileFault[]): AppError {
  const { line = 1, path, message = '' } = faults[0] ?? {}
  const fault = path === undefined ? message : `${path}: ${message}`
  return new AppError('invalid_request', say('profile_faulty', { name, line, fault }), {
    details: { faults },
  })
}

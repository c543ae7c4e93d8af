/** Workspaces in containers: whether they can run here, the folders that each one has, and how a CLI is put into one. */

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lchownSync, readdirSync, rmSync } from 'node:fs'
import { lchown, lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Saying, say } from '@dorkos/shared'
import type { WrapCommand } from 'claude-code-agent'
import { AppError } from '../../core/app-error.ts'
import type { ContainerSpec, SystemUser } from '../../core/ports/agent.ts'
import { isInside, realPath } from '../../core/real-path.ts'
import { agentIds, agentName, isRoot } from '../system/agent-user.ts'
import { closedMounts, identityOf } from './closed-mounts.ts'
import { containerCommand, containerHome } from './container-command.ts'
import type { FoundContainerTools } from './find-container-tools.ts'
import { prepareGit } from './prepare-git.ts'
import { innerFolders, systemFolders } from './system-mounts.ts'

export interface ContainersOptions {
  /** The state folder. */
  home: string
  demo: boolean
  found: FoundContainerTools
  /** Folders that must stay out of every container, besides: the owner's home directory, the CLI's own folder. */
  closedFolders: readonly string[]
}

export interface Containers {
  /** Why there can be none here. */
  readonly fault: Saying | undefined
  /** Where all of them keep theirs. */
  readonly folder: string
  /** Throws where there can be none, or one around this directory would hold what it is to keep out. */
  check(workspacePath: string): Promise<void>
  /** The CLI's folder of a workspace that has run in a container, even if it was removed since. */
  configDirOf(workspaceId: string | undefined): string | undefined
  /** Makes the CLI's folder of a workspace. */
  prepare(workspaceId: string): Promise<string>
  /** Where a session's way to the model gateway begins; nothing is there. */
  freeSocket(sessionId: string): Promise<string>
  /** An empty folder for what commands of a session print. */
  freeOutputs(workspaceId: string, sessionId: string): Promise<string>
  wrap(spec: ContainerSpec): Promise<WrapCommand>
}

/** Beside the state folder and not in it, since agents may not read that one. */
export function containersFolder(home: string): string {
  return `${home}-containers`
}

/** The CLI's folders of all workspaces that have run in containers. */
export function containerConfigDirs(home: string, demo: boolean): string[] {
  const folder = containersFolder(home)
  const names = existsSync(folder) ? readdirSync(folder).filter(isWorkspaceId) : []
  return names.map((name) => join(folder, name, configName(demo))).filter((path) => existsSync(path))
}

/** For the one server of this state folder. */
export function createContainers({ home, demo, found, closedFolders }: ContainersOptions): Containers {
  const folder = containersFolder(home)
  const run = join(home, 'run')
  // What an earlier run left: nobody listens there any more.
  rmSync(run, { recursive: true, force: true })
  const { tools } = found
  const tooLong = Buffer.byteLength(socketIn(run, '')) > longestSocketPath
  const fault = tools
    ? tooLong
      ? say('containers_path_too_long', { folder: home })
      : undefined
    : found.reason
  return {
    fault,
    folder,
    async check(workspacePath) {
      if (fault !== undefined) throw new AppError('unavailable', say('containers_impossible', { why: fault }))
      await checkWorkspace(workspacePath, [home, folder, ...closedFolders])
    },
    configDirOf(workspaceId) {
      if (workspaceId === undefined || !isWorkspaceId(workspaceId)) return undefined
      const path = join(folder, workspaceId)
      return existsSync(path) ? join(path, configName(demo)) : undefined
    },
    async prepare(workspaceId) {
      if (!isWorkspaceId(workspaceId)) throw new Error(`${workspaceId} cannot be the name of a folder`)
      const configDir = join(folder, workspaceId, configName(demo))
      for (const path of [join(configDir, 'projects'), run])
        await mkdir(path, { recursive: true, mode: 0o700 })
      return configDir
    },
    async freeSocket(sessionId) {
      const path = socketIn(run, sessionId)
      await rm(path, { force: true })
      return path
    },
    async freeOutputs(workspaceId, sessionId) {
      if (!isWorkspaceId(workspaceId)) throw new Error(`${workspaceId} cannot be the name of a folder`)
      const path = join(folder, workspaceId, 'outputs', shortName(sessionId))
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true, mode: 0o700 })
      return path
    },
    async wrap(spec) {
      if (!tools) throw new AppError('unavailable', say('containers_impossible', { why: fault ?? '' }))
      const { workspacePath, configDir, outputs, gateway, runAs } = spec
      const identity = identityOf(await stat(workspacePath, { bigint: true }))
      await prepareGit(workspacePath)
      const closed = await closedMounts(workspacePath, spec.closed)
      const etc = await prepareEtc(folder, runAs)
      await giveTo(runAs, configDir, gateway.socket, outputs)
      return (cli) => {
        if (runAs && cli.files !== undefined) giveFiles(runAs, cli.files)
        return containerCommand({ tools, spec, etc, closed, identity }, cli)
      }
    },
  }
}

/** What the kernel takes for the path of a socket. */
const longestSocketPath = 107

function socketIn(folder: string, sessionId: string): string {
  return join(folder, `${shortName(sessionId)}.sock`)
}

function shortName(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex').slice(0, 16)
}

/** The demo model's sessions never mix with others. */
function configName(demo: boolean): string {
  return demo ? 'config-demo' : 'config'
}

/** Ids become names of folders, so nothing else passes. */
function isWorkspaceId(name: string): boolean {
  return /^ws_[0-9a-z]{1,60}$/.test(name)
}

/** The folder with the files of `/etc` that containers have of their own. */
async function prepareEtc(folder: string, user: SystemUser | undefined): Promise<string> {
  const etc = join(folder, user ? `etc-${user.uid}-${user.gid}` : 'etc')
  await mkdir(etc, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(etcFiles(user ?? agentIds())))
    await writeFile(join(etc, name), text)
  return etc
}

/**
 * What the container uses of ours belongs to whoever is in it, also where that was somebody else before. Agents write in the CLI's folder:
 * `chown` goes down by open folders, and follows no link.
 */
async function giveTo(
  user: SystemUser | undefined,
  configDir: string,
  ...made: readonly string[]
): Promise<void> {
  if (!isRoot()) return
  if (user) for (const path of made) await lchown(path, user.uid, user.gid)
  const { uid, gid } = user ?? { uid: 0, gid: 0 }
  if ((await lstat(configDir)).uid !== uid)
    await promisify(execFile)('chown', ['-R', '-P', '-h', `${uid}:${gid}`, '--', configDir])
}

/** Made just now, by this server, in a folder that only root can enter. */
function giveFiles({ uid, gid }: SystemUser, folder: string): void {
  for (const name of readdirSync(folder)) lchownSync(join(folder, name), uid, gid)
  lchownSync(folder, uid, gid)
}

function etcFiles({ uid, gid }: SystemUser): Record<string, string> {
  return {
    passwd: `${agentName}:x:${uid}:${gid}::${containerHome}:/bin/sh\n`,
    group: `${agentName}:x:${gid}:\n`,
    hosts: '127.0.0.1 localhost container\n::1 localhost\n',
  }
}

async function checkWorkspace(path: string, closedFolders: readonly string[]): Promise<void> {
  const held = [...(await Promise.all(closedFolders.map(realPath))), ...systemFolders].find((folder) =>
    isInside(path, folder),
  )
  if (held !== undefined) throw new AppError('invalid_request', say('container_holds_closed', { path, held }))
  if (innerFolders.some((folder) => isInside(folder, path)))
    throw new AppError('invalid_request', say('container_holds_own', { path }))
}

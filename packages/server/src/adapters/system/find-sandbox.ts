/** Whether agents' commands can be sandboxed here. The CLI's sandbox needs bubblewrap and socat on Linux. */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { StderrTail } from '@dorkos/processes'
import { type Saying, say } from '@dorkos/shared'
import { asAgentUser, isRoot } from './agent-user.ts'
import { closedProc, closedSys } from './kernel-files.ts'

export interface SandboxTools {
  available: boolean
  /** Why not, and what to do. */
  reason: Saying | undefined
}

export async function findSandbox(
  env: Record<string, string | undefined>,
  platform = process.platform,
): Promise<SandboxTools> {
  // macOS brings its own sandbox; the CLI uses it without further tools.
  if (platform === 'darwin') return { available: true, reason: undefined }
  if (platform !== 'linux') return { available: false, reason: say('sandbox_not_for_platform', { platform }) }
  const [bwrap, socat] = await Promise.all([findProgram('bwrap', env), findProgram('socat', env)])
  const missing = [...(bwrap ? [] : ['bubblewrap']), ...(socat ? [] : ['socat'])]
  if (!bwrap || !socat) return { available: false, reason: say('sandbox_tools_missing', { tools: missing }) }
  // What root's commands get besides.
  const more = isRoot() ? [...closedProc(), ...closedSys(), ...asAgentUser()] : []
  const fault = await tryBubblewrap(bwrap, ['--unshare-all'], more)
  return fault === undefined
    ? { available: true, reason: undefined }
    : { available: false, reason: noNamespaces(fault) }
}

/** Why bubblewrap does not work here, and what to do where the system forbids it to all but root. */
export function noNamespaces(detail: string, read = readSetting): Saying {
  const limit = limits.find(({ setting, forbids }) => read(setting) === forbids)
  return say(limit?.says ?? 'namespaces_refused', { detail })
}

const limits = [
  {
    setting: 'kernel/apparmor_restrict_unprivileged_userns',
    forbids: '1',
    says: 'namespaces_refused_by_apparmor',
  },
  {
    setting: 'kernel/unprivileged_userns_clone',
    forbids: '0',
    says: 'namespaces_refused_to_users',
  },
  {
    setting: 'user/max_user_namespaces',
    forbids: '0',
    says: 'namespaces_refused_to_all',
  },
] as const

function readSetting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Where a program is on the PATH; relative entries do not count. */
export async function findProgram(
  name: string,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const path = join(folder, name)
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return undefined
}

/**
 * It can be installed and yet useless, where the system forbids namespaces to users: then every command would fail. Runs a command
 * that does nothing with these flags and mounts, and answers with what is wrong.
 */
export function tryBubblewrap(
  path: string,
  flags: readonly string[],
  more: readonly string[] = [],
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...more]
    const child = spawn(path, [...flags, ...mounts, 'true'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 5000,
    })
    const stderr = new StderrTail()
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) =>
      resolve(code === 0 ? undefined : stderr.tail.trim().slice(-500) || `exit code ${code}`),
    )
  })
}

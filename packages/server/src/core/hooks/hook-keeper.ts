/** Hooks of CLI processes: read and judged before each start, and compared before each message. */

import { type NewEvent, say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { noticeOf } from '../notice.ts'
import type { HookConsentStore } from '../ports/hook-consents.ts'
import type { HookFiles, HookWorkspace } from '../ports/hook-files.ts'
import type { HookRunner } from '../ports/hook-runner.ts'
import { byDigest, fingerprintOf, type HookStates, hookStates } from './hook-states.ts'
import { SessionHooks } from './session-hooks.ts'

export interface HookKeeperParts {
  files: Pick<HookFiles, 'read'>
  consents: HookConsentStore
  runner: HookRunner
}

/** Where a session works, and what its hooks run with. */
export interface HookGround {
  workspace: HookWorkspace
  env: Readonly<Record<string, string>>
}

export class HookKeeper {
  readonly #parts: HookKeeperParts

  constructor(parts: HookKeeperParts) {
    this.#parts = parts
  }

  /** For a process that is about to start. Throws where the CLI would run what nobody allowed, and nothing of ours stops it. */
  async open({ workspace, env }: HookGround): Promise<SessionHooks> {
    const states = await this.#states(workspace)
    if (states.refused !== undefined) throw new AppError('conflict', states.refused)
    const { runner } = this.#parts
    const current = async (digest: string) =>
      (await this.#states(workspace)).hooks.find((one) => one.digest === digest && one.state === 'runs')
    return new SessionHooks({ states, runner, cwd: workspace.path, env, current })
  }

  /** Whether what counts now is what the process was started with. */
  async isOutdated(workspace: HookWorkspace, hooks: SessionHooks): Promise<boolean> {
    return fingerprintOf(await this.#states(workspace)) !== fingerprintOf(hooks.states)
  }

  /** The plugins that are loaded in a workspace. */
  async loadedPlugins(workspace: HookWorkspace): Promise<{ id: string; root: string }[]> {
    const { plugins, unloaded } = await this.#states(workspace)
    return plugins.filter(({ id }) => !unloaded.includes(id))
  }

  async #states(workspace: HookWorkspace): Promise<HookStates> {
    return hookStates(await this.#parts.files.read(workspace), byDigest(await this.#parts.consents.list()))
  }
}

/** For those who follow a session, where something of theirs does not count. */
export function waitingNotice({ hooks, plugins }: HookStates): NewEvent | undefined {
  const [n, m] = [hooks, plugins].map((list) => list.filter(({ state }) => state === 'waits').length)
  if (!n && !m) return undefined
  return noticeOf(say('notice_hooks_wait', { hooks: n ?? 0, plugins: m ?? 0 }), 'hooks_wait')
}

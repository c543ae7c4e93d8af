/** Files that a session changed. */
import type { ChangeService, SessionService } from '../../core/services.ts'
import type { Handlers, RouteInput } from '../route.ts'
import { checkFolder } from '../session-rights.ts'

export function changeRoutes(changes: ChangeService, sessions: Pick<SessionService, 'get'>) {
  const checked = async ({ actor, params }: Pick<RouteInput<'listChanges'>, 'actor' | 'params'>) => {
    checkFolder(actor, await sessions.get(actor, params.id))
    return [actor, params.id] as const
  }
  return {
    listChanges: async (input) => changes.list(...(await checked(input))),
    getChange: async (input) => changes.get(...(await checked(input)), input.query),
    revertChange: async (input) => changes.revert(...(await checked(input)), input.body),
    restoreFiles: async (input) => changes.restore(...(await checked(input)), input.body),
    getGitState: async (input) => changes.git(...(await checked(input))),
    stageChanges: async (input) => changes.stage(...(await checked(input)), input.body),
    commitChanges: async (input) => changes.commit(...(await checked(input)), input.body),
  } satisfies Partial<Handlers>
}

/** Workspaces. */
import type { HookService, WorkspaceService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function workspaceRoutes(workspaces: WorkspaceService, hooks: HookService) {
  return {
    listWorkspaces: async () => ({ workspaces: await workspaces.list() }),
    createWorkspace: ({ caller, body }) => workspaces.create(caller, body),
    getWorkspace: ({ params }) => workspaces.get(params.id),
    changeWorkspace: ({ caller, params, body }) => workspaces.change(caller, params.id, body),
    deleteWorkspace: ({ caller, params }) => workspaces.remove(caller, params.id),
    getWorkspaceTrust: ({ params }) => workspaces.trustOf(params.id),
    giveWorkspaceTrust: ({ caller, params, body }) => workspaces.giveTrust(caller, params.id, body.digest),
    takeWorkspaceTrust: ({ caller, params }) => workspaces.takeTrust(caller, params.id),
    listWorkspaceHooks: ({ params }) => hooks.ofWorkspace(params.id),
    allowWorkspaceHook: ({ caller, params, body }) => hooks.allow(caller, params.id, body),
    revokeWorkspaceHook: ({ caller, params }) => hooks.revoke(caller, params.id, params.digest),
  } satisfies Partial<Handlers>
}

/** Workspaces. */
import type { CommandService, HookService, WorkspaceService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function workspaceRoutes(workspaces: WorkspaceService, hooks: HookService, commands: CommandService) {
  return {
    listWorkspaces: async ({ actor }) => ({ workspaces: await workspaces.list(actor) }),
    createWorkspace: ({ actor, body }) => workspaces.create(actor, body),
    getWorkspace: ({ actor, params }) => workspaces.get(actor, params.id),
    changeWorkspace: ({ actor, params, body }) => workspaces.change(actor, params.id, body),
    deleteWorkspace: ({ actor, params }) => workspaces.remove(actor, params.id),
    getWorkspaceTrust: ({ actor, params }) => workspaces.trustOf(actor, params.id),
    giveWorkspaceTrust: ({ actor, params, body }) => workspaces.giveTrust(actor, params.id, body.digest),
    takeWorkspaceTrust: ({ actor, params }) => workspaces.takeTrust(actor, params.id),
    listWorkspaceHooks: ({ actor, params }) => hooks.ofWorkspace(actor, params.id),
    allowWorkspaceHook: ({ actor, params, body }) => hooks.allow(actor, params.id, body),
    revokeWorkspaceHook: ({ actor, params }) => hooks.revoke(actor, params.id, params.digest),
    listWorkspaceCommands: ({ actor, params }) => commands.ofWorkspace(actor, params.id),
  } satisfies Partial<Handlers>
}

/** The part of the endpoint table that is about workspaces: their trust, hooks and commands, and their files for mentions. */
import { z } from 'zod'
import { fileQuery, foundFilesSchema, recordParams } from './endpoint-fields.ts'
import { giveHookConsentSchema, workspaceHooksSchema } from './hook.ts'
import { giveTrustSchema, workspaceTrustSchema } from './trust.ts'
import {
  newWorkspaceSchema,
  workspaceChangeSchema,
  workspaceCommandsSchema,
  workspaceSchema,
} from './workspace.ts'

export const workspaceEndpoints = {
  listWorkspaces: {
    method: 'GET',
    path: '/api/workspaces',
    summary: 'All workspaces',
    scope: 'read',
    response: z.object({ workspaces: z.array(workspaceSchema) }),
  },
  createWorkspace: {
    method: 'POST',
    path: '/api/workspaces',
    summary: 'Add a directory as a workspace',
    scope: 'admin',
    body: newWorkspaceSchema,
    response: workspaceSchema,
    status: 201,
  },
  getWorkspace: {
    method: 'GET',
    path: '/api/workspaces/:id',
    summary: 'One workspace',
    scope: 'read',
    params: recordParams,
    response: workspaceSchema,
  },
  changeWorkspace: {
    method: 'PATCH',
    path: '/api/workspaces/:id',
    summary: 'Rename or make main; trust, where there is nothing to look at',
    scope: 'admin',
    params: recordParams,
    body: workspaceChangeSchema,
    response: workspaceSchema,
  },
  deleteWorkspace: {
    method: 'DELETE',
    path: '/api/workspaces/:id',
    summary: 'Forget a workspace; its files stay',
    scope: 'admin',
    params: recordParams,
  },

  getWorkspaceTrust: {
    method: 'GET',
    path: '/api/workspaces/:id/trust',
    summary: 'What trust in a workspace covers, exactly what would run, and what has changed',
    scope: 'read',
    params: recordParams,
    response: workspaceTrustSchema,
  },
  giveWorkspaceTrust: {
    method: 'POST',
    path: '/api/workspaces/:id/trust',
    summary: 'Trust a workspace as it was shown; refused when it is different by now',
    scope: 'admin',
    params: recordParams,
    body: giveTrustSchema,
    response: workspaceTrustSchema,
  },
  takeWorkspaceTrust: {
    method: 'DELETE',
    path: '/api/workspaces/:id/trust',
    summary: 'Trust a workspace no longer',
    scope: 'admin',
    params: recordParams,
  },

  listWorkspaceHooks: {
    method: 'GET',
    path: '/api/workspaces/:id/hooks',
    summary:
      'Every hook and plugin that sessions of a workspace would have, from where, and whether it counts',
    scope: 'read',
    params: recordParams,
    response: workspaceHooksSchema,
  },
  allowWorkspaceHook: {
    method: 'POST',
    path: '/api/workspaces/:id/hooks/consents',
    summary: 'Let a hook run, or a plugin load, as it was shown; refused when it is different by now',
    scope: 'admin',
    params: recordParams,
    body: giveHookConsentSchema,
    response: workspaceHooksSchema,
  },
  revokeWorkspaceHook: {
    method: 'DELETE',
    path: '/api/workspaces/:id/hooks/consents/:digest',
    summary: 'Take back that a hook may run, or a plugin load',
    scope: 'admin',
    params: recordParams.extend({ digest: z.string().min(1).max(200) }),
    response: workspaceHooksSchema,
  },

  listWorkspaceCommands: {
    method: 'GET',
    path: '/api/workspaces/:id/commands',
    summary: 'Commands and skills that sessions of a workspace would have, without starting one',
    scope: 'read',
    params: recordParams,
    response: workspaceCommandsSchema,
  },
  searchWorkspaceFiles: {
    method: 'GET',
    path: '/api/workspaces/:id/files',
    summary: 'Files of a workspace whose path fits, best first: for mentions',
    scope: 'read',
    params: recordParams,
    query: fileQuery,
    response: foundFilesSchema,
  },
} as const

/**
 * Services through which people change who may act and how the server behaves, with each change in the audit log. Who
 * makes a change that could not be recorded gets an error; a token's secret is handed out only once its row is written.
 */
import { scopes as allScopes, type Saying, type Token, toSaid, type Workspace } from '@dorkos/shared'
import { type Actor, ownerPrincipal, serverActor } from './actor.ts'
import type { Auth } from './auth.ts'
import type { Audit } from './permissions/audit.ts'
import type { ConfigService, WorkspaceService } from './services.ts'
import type { ToolConfig } from './tools/mcp-tool-deps.ts'
import type { Workspaces } from './workspaces.ts'

type Recorder = Pick<Audit, 'record'>

export function auditedAuth(auth: Auth, audit: Recorder): Auth {
  const server = serverActor(ownerPrincipal, allScopes)
  const signedIn = ({ id, name, kind, scopes, principal, made_by }: Token, from: string) => {
    const actor: Actor = { principal, scopes, via: { kind: 'token', id, name, from } }
    return audit.record(actor, 'signed_in', { token_id: id, kind, scopes, ...(made_by && { made_by }) })
  }
  return {
    ...auth,
    async redeem(body, from) {
      const issued = await auth.redeem(body, from)
      await signedIn(issued.token, from)
      return issued
    },
    async claimPairing(secret, from) {
      const claimed = await auth.claimPairing(secret, from)
      if (claimed.state === 'confirmed') await signedIn(claimed.token, from)
      return claimed
    },
    async confirmPairing(actor, code, scopes) {
      const pairing = await auth.confirmPairing(actor, code, scopes)
      const { name, kind, from } = pairing
      try {
        await audit.record(actor, 'pairing_confirmed', { name, kind, from, scopes: scopes ?? actor.scopes })
      } catch (error) {
        await auth.dropPairing(code)
        throw error
      }
      return pairing
    },
    async createCode(actor, scopes) {
      const code = await auth.createCode(actor, scopes)
      await audit.record(actor, 'code_created', { scopes: code.scopes })
      return code
    },
    async createTerminalCode(form) {
      const code = await auth.createTerminalCode(form)
      await audit.record(server, 'code_created', { scopes: server.scopes, asked_by: 'terminal' })
      return code
    },
    async acceptGivenCode(given) {
      // First: whoever gave it has it already.
      await audit.record(server, 'code_created', { scopes: server.scopes, asked_by: given.from })
      return auth.acceptGivenCode(given)
    },
    async createToken(actor, body) {
      const issued = await auth.createToken(actor, body)
      const { id, name, scopes, expires_at } = issued.token
      await audit.record(actor, 'token_created', { token_id: id, name, scopes, expires_at })
      return issued
    },
    async renameToken(actor, id, name) {
      const before = (await auth.listTokens(actor)).find((token) => token.id === id)
      const token = await auth.renameToken(actor, id, name)
      await audit.record(actor, 'token_renamed', { token_id: id, from: before?.name, name })
      return token
    },
    async revokeToken(actor, id) {
      const before = (await auth.listTokens(actor)).find((token) => token.id === id)
      await auth.revokeToken(actor, id)
      await audit.record(actor, 'token_revoked', { token_id: id, name: before?.name })
    },
  }
}

/** `warningOf`: what people should know of a workspace before agents work there. */
export function auditedWorkspaces(
  workspaces: Workspaces,
  audit: Recorder,
  warningOf: (workspace: Workspace) => Promise<Saying | undefined>,
): WorkspaceService {
  const shown = async (workspace: Workspace) => {
    const warning = await warningOf(workspace)
    return { ...workspace, ...(warning && { warning: warning.message, said: toSaid(warning) }) }
  }
  return {
    list: async () => Promise.all((await workspaces.list()).map(shown)),
    get: async (_actor, id) => shown(await workspaces.get(id)),
    async create(actor, body) {
      const workspace = await workspaces.create(actor, body)
      await audit.record(actor, 'workspace_created', workspace)
      return workspace
    },
    async change(actor, id, change) {
      const workspace = await workspaces.change(actor, id, change)
      await audit.record(actor, 'workspace_changed', { workspace_id: id, name: workspace.name, change })
      return workspace
    },
    async remove(actor, id) {
      const { name } = await workspaces.get(id)
      await workspaces.remove(actor, id)
      await audit.record(actor, 'workspace_removed', { workspace_id: id, name })
    },
    trustOf: (_actor, id) => workspaces.trustOf(id),
    // Recorded with what was trusted, where it is given.
    giveTrust: (actor, id, digest) => workspaces.giveTrust(actor, id, digest),
    async takeTrust(actor, id) {
      const { name } = await workspaces.get(id)
      await workspaces.takeTrust(actor, id)
      await audit.record(actor, 'workspace_untrusted', { workspace_id: id, name })
    },
  }
}

export function auditedConfig(
  config: ConfigService & ToolConfig,
  audit: Recorder,
): ConfigService & ToolConfig {
  return {
    view: (actor) => config.view(actor),
    agentKeys: (actor) => config.agentKeys(actor),
    async changeFromAgent(actor, key, value) {
      const changed = await config.changeFromAgent(actor, key, value)
      const sessionId = actor.via.kind === 'agent' ? actor.via.sessionId : undefined
      await audit.record(actor, 'config_changed', { set: { [key]: changed.value } }, sessionId)
      return changed
    },
    async change(actor, set) {
      const view = await config.change(actor, set)
      await audit.record(actor, 'config_changed', { set })
      return view
    },
  }
}

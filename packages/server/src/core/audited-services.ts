/**
 * Services through which people change who may act and how the server behaves, with each change in the audit log. A caller
 * whose change could not be recorded gets an error; a token's secret is handed out only once its row is written.
 */
import type { Token } from '@dorkos/shared'
import type { Auth } from './auth.ts'
import type { Audit } from './permissions/audit.ts'
import type { Caller, ConfigService, WorkspaceService } from './services.ts'

type Recorder = Pick<Audit, 'record'>

export function auditedAuth(auth: Auth, audit: Recorder): Auth {
  const signedIn = ({ id, name, kind, scopes, principal, made_by }: Token, from: string) => {
    const caller: Caller = { principal, tokenId: id, tokenName: name, scopes, from }
    return audit.record(caller, 'signed_in', { token_id: id, kind, scopes, ...(made_by && { made_by }) })
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
    async confirmPairing(caller, code, scopes) {
      const pairing = await auth.confirmPairing(caller, code, scopes)
      const { name, kind, from } = pairing
      try {
        await audit.record(caller, 'pairing_confirmed', { name, kind, from, scopes: scopes ?? caller.scopes })
      } catch (error) {
        auth.dropPairing(code)
        throw error
      }
      return pairing
    },
    async createCode(caller, scopes) {
      const code = await auth.createCode(caller, scopes)
      await audit.record(caller, 'code_created', { scopes: code.scopes })
      return code
    },
    async createToken(caller, body) {
      const issued = await auth.createToken(caller, body)
      const { id, name, scopes, expires_at } = issued.token
      await audit.record(caller, 'token_created', { token_id: id, name, scopes, expires_at })
      return issued
    },
    async renameToken(caller, id, name) {
      const before = (await auth.listTokens(caller)).find((token) => token.id === id)
      const token = await auth.renameToken(caller, id, name)
      await audit.record(caller, 'token_renamed', { token_id: id, from: before?.name, name })
      return token
    },
    async revokeToken(caller, id) {
      await auth.revokeToken(caller, id)
      await audit.record(caller, 'token_revoked', { token_id: id })
    },
  }
}

export function auditedWorkspaces(workspaces: WorkspaceService, audit: Recorder): WorkspaceService {
  return {
    list: () => workspaces.list(),
    get: (id) => workspaces.get(id),
    async create(caller, body) {
      const workspace = await workspaces.create(caller, body)
      await audit.record(caller, 'workspace_created', workspace)
      return workspace
    },
    async change(caller, id, change) {
      const workspace = await workspaces.change(caller, id, change)
      await audit.record(caller, 'workspace_changed', { workspace_id: id, change })
      return workspace
    },
    async remove(caller, id) {
      await workspaces.remove(caller, id)
      await audit.record(caller, 'workspace_removed', { workspace_id: id })
    },
    trustOf: (id) => workspaces.trustOf(id),
    // Recorded with what was trusted, where it is given.
    giveTrust: (caller, id, digest) => workspaces.giveTrust(caller, id, digest),
    async takeTrust(caller, id) {
      await workspaces.takeTrust(caller, id)
      await audit.record(caller, 'workspace_untrusted', { workspace_id: id })
    },
  }
}

export function auditedConfig(config: ConfigService, audit: Recorder): ConfigService {
  return {
    view: () => config.view(),
    async change(caller, set) {
      const view = await config.change(caller, set)
      await audit.record(caller, 'config_changed', { set })
      return view
    },
  }
}

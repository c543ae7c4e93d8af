import { type Endpoint, endpoints } from '@dorkos/shared'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allScopes, type HttpFixture, pathOf, secretOf, startHttp } from '../../test/support/http-fixture.ts'
import { bodies, messageId, queries, sessionId } from '../../test/support/http-samples.ts'

let http: HttpFixture
beforeAll(async () => {
  http = await startHttp()
})
afterAll(() => http.close())

const record = 'tok_00000001'

/** What each endpoint asks of the core: the last call, and its arguments after who acts. */
const expected: Record<string, [string, ...unknown[]]> = {
  getHealth: ['status.health'],
  getStatus: ['status.status'],
  redeemCode: ['auth.redeem', { ...(bodies.redeemCode as object), kind: 'browser' }, '127.0.0.1'],
  createCode: ['auth.createCode', undefined],
  getCurrentToken: ['auth.listTokens'],
  signOut: ['auth.revokeToken', 'tok_secretreadchatapproveadmin'],
  listTokens: ['auth.listTokens'],
  createToken: ['auth.createToken', bodies.createToken],
  renameToken: ['auth.renameToken', record, (bodies.renameToken as { name: string }).name],
  revokeToken: ['auth.revokeToken', record],
  requestPairing: ['auth.requestPairing', { name: 'a browser', kind: 'browser' }, '127.0.0.1'],
  claimPairing: ['auth.claimPairing', 's'.repeat(43), '127.0.0.1'],
  getPairing: ['auth.getPairing', record],
  confirmPairing: ['auth.confirmPairing', record, undefined],
  getConfig: ['config.view'],
  changeConfig: ['config.change', { port: 1 }],
  listWorkspaces: ['workspaces.list'],
  createWorkspace: ['workspaces.create', { path: '/projects', trusted: false, main: false, mode: 'host' }],
  getWorkspace: ['workspaces.get', record],
  changeWorkspace: ['workspaces.change', record, {}],
  deleteWorkspace: ['workspaces.remove', record],
  getWorkspaceTrust: ['workspaces.trustOf', record],
  giveWorkspaceTrust: ['workspaces.giveTrust', record, 'a'.repeat(64)],
  takeWorkspaceTrust: ['workspaces.takeTrust', record],
  listWorkspaceCommands: ['commands.ofWorkspace', record],
  listWorkspaceHooks: ['hooks.ofWorkspace', record],
  allowWorkspaceHook: ['hooks.allow', record, bodies.allowWorkspaceHook],
  revokeWorkspaceHook: ['hooks.revoke', record, sessionId],
  listProfiles: ['profiles.list', undefined],
  getProfile: ['profiles.get', sessionId, {}],
  checkProfile: ['profiles.check', bodies.checkProfile],
  saveProfile: ['profiles.save', sessionId, bodies.saveProfile],
  deleteProfile: ['profiles.remove', sessionId, undefined],
  listProfileImports: ['profiles.imports', undefined],
  importProfile: ['profiles.import', bodies.importProfile],
  listChanges: ['changes.list', sessionId],
  getChange: ['changes.get', sessionId, { path: 'a.txt' }],
  revertChange: ['changes.revert', sessionId, { ...(bodies.revertChange as object), also_others: false }],
  restoreFiles: ['changes.restore', sessionId, { turn_id: messageId, dry_run: false, seen: [] }],
  getGitState: ['changes.git', sessionId],
  stageChanges: ['changes.stage', sessionId, { ...(bodies.stageChanges as object), also_others: false }],
  commitChanges: ['changes.commit', sessionId, bodies.commitChanges],
  searchWorkspaceFiles: ['files.ofWorkspace', record, { q: '', limit: 20 }],
  listSessions: ['sessions.list', { limit: 50 }],
  createSession: ['sessions.create', { unattended: false }, undefined],
  getSession: ['sessions.get', sessionId],
  changeSession: ['sessions.change', sessionId, {}],
  deleteSession: ['sessions.remove', sessionId],
  sendMessage: ['sessions.send', sessionId, { content: 'hello', delivery: 'queue' }, undefined],
  listTurns: ['sessions.turns', sessionId, { limit: 50 }],
  editMessage: ['sessions.editMessage', sessionId, messageId, 'hello'],
  withdrawMessage: ['sessions.withdrawMessage', sessionId, messageId],
  moveMessage: ['sessions.moveMessage', sessionId, messageId, undefined],
  steerMessage: ['sessions.steerMessage', sessionId, messageId],
  resendMessage: ['sessions.resendMessage', sessionId, messageId, undefined],
  settleMessage: ['sessions.settleMessage', sessionId, messageId, 'run'],
  releaseQueue: ['sessions.releaseQueue', sessionId],
  listDrafts: ['drafts.list'],
  saveDraft: ['drafts.save', sessionId, bodies.saveDraft],
  prepareNewSession: ['sessions.prepareNew', { unattended: false }],
  prepareSession: ['sessions.prepare', sessionId],
  startSession: ['sessions.start', sessionId],
  stopSession: ['sessions.stop', sessionId],
  interruptSession: ['sessions.interrupt', sessionId, { cancel_queued: false, hold_queued: true }],
  pauseSession: ['sessions.pause', sessionId],
  resumeSession: ['sessions.resume', sessionId],
  forkSession: ['sessions.fork', sessionId, { before: false }],
  confirmFolder: ['sessions.confirmFolder', sessionId],
  rewindFiles: ['sessions.rewind', sessionId, { message_id: messageId, dry_run: false }],
  getHistory: ['sessions.history', sessionId, { limit: 50 }],
  exportSession: ['sessions.export', sessionId, 'markdown'],
  getToolOutput: ['sessions.toolOutput', sessionId, sessionId, { offset: 0, limit: 262_144 }],
  downloadToolOutput: ['sessions.toolOutputFile', sessionId, sessionId],
  getToolPicture: ['sessions.toolPicture', sessionId, sessionId, 0],
  getMessagePicture: ['sessions.messagePicture', sessionId, messageId, 0],
  listTasks: ['sessions.tasks', sessionId],
  getTaskOutput: ['sessions.taskOutput', sessionId, sessionId, { limit: 65_536 }],
  stopTask: ['sessions.stopTask', sessionId, sessionId],
  getCapabilities: ['sessions.capabilities', sessionId],
  searchSessionFiles: ['files.ofSession', sessionId, { q: '', limit: 20 }],
  listSessionFolder: ['files.folder', sessionId, ''],
  readSessionFile: ['files.read', sessionId, 'a'],
  getSessionFile: ['files.piece', sessionId, 'a', { start: 0 }],
  getContextUsage: ['sessions.contextUsage', sessionId],
  followSession: ['sessions.snapshot', sessionId],
  followAll: ['sessions.visible', []],
  searchSessions: ['sessions.search', { q: 'x', limit: 20 }],
  listApprovals: ['approvals.list', { state: 'pending', limit: 100 }],
  getApproval: ['approvals.get', record],
  answerApproval: ['approvals.answer', record, { decision: 'allow', scope: 'once' }],
  listRules: ['rules.list', false],
  createRule: ['rules.create', bodies.createRule],
  changeRule: ['rules.change', record, {}],
  revokeRule: ['rules.revoke', record],
  listAudit: ['audit.list', { limit: 100 }],
  verifyAudit: ['audit.verify'],
  getCosts: ['costs.report', { group: 'day' }],
  listLedger: ['costs.entries', { limit: 100 }],
  listBudgets: ['costs.budgets'],
  listTools: ['status.tools'],
  listMcpServers: ['mcp.list', undefined],
  getMcpServer: ['mcp.get', sessionId, undefined],
  addMcpServers: ['mcp.add', bodies.addMcpServers],
  changeMcpServer: ['mcp.change', sessionId, bodies.changeMcpServer],
  removeMcpServer: ['mcp.remove', sessionId],
  testMcpServer: ['mcp.test', sessionId, undefined],
  reconnectMcpServer: ['mcp.reconnect', sessionId, undefined],
  callMcpTool: ['mcp.call', sessionId, { tool: 'push', input: {} }],
  acceptMcpTools: ['mcp.accept', sessionId, bodies.acceptMcpTools],
  beginMcpSignIn: ['mcp.beginSignIn', sessionId, bodies.beginMcpSignIn],
  finishMcpSignIn: ['mcp.finishSignIn', bodies.finishMcpSignIn],
  endMcpSignIn: ['mcp.endSignIn', sessionId, undefined],
  switchMcp: ['mcp.switch', bodies.switchMcp],
  shareMcpServer: ['mcp.share', sessionId, bodies.shareMcpServer],
  listMcpImports: ['mcp.imports', undefined],
  importMcpServers: ['mcp.import', bodies.importMcpServers],
  exportMcpServers: ['mcp.export', undefined],
  getSessionMcp: ['mcp.ofSession', sessionId],
  listToolModules: ['mcp.toolModules', undefined],
}

it.each(Object.entries(endpoints as Record<string, Endpoint>))(
  '%s asks the right thing',
  async (name, endpoint) => {
    http.calls.length = 0
    const abort = new AbortController()
    const response = await fetch(`${http.url}${pathOf(endpoint)}${queries[name] ?? ''}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${secretOf(...allScopes)}`,
        ...(endpoint.body ? { 'content-type': 'application/json' } : {}),
      },
      signal: abort.signal,
      ...(endpoint.body ? { body: JSON.stringify(bodies[name] ?? {}) } : {}),
    })
    expect(response.ok).toBe(true)
    abort.abort()
    const call = http.calls.at(-1)
    const [actor, ...args] =
      endpoint.scope === 'public' ? [undefined, ...(call?.args ?? [])] : (call?.args ?? [])
    expect([call?.name, ...args]).toEqual(expected[name])
    if (endpoint.scope !== 'public')
      expect(actor).toMatchObject({ principal: 'owner', scopes: allScopes, via: { kind: 'token' } })
  },
)

it('passes the actor on as the token’s row has it', async () => {
  await fetch(`${http.url}/api/sessions/${sessionId}/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretOf('chat')}` },
  })
  expect(http.calls.at(-1)?.args[0]).toEqual({
    principal: 'owner',
    scopes: ['chat'],
    via: { kind: 'token', id: 'tok_secretchat', name: 'test', from: '127.0.0.1' },
  })
})

it('passes the idempotency key on, and refuses a bad one', async () => {
  const send = (key: string) =>
    fetch(`${http.url}/api/sessions/${sessionId}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secretOf('chat')}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: '{"content":"hello"}',
    })
  expect((await send('abc-1')).status).toBe(202)
  expect(http.calls.at(-1)?.args[3]).toBe('abc-1')
  http.calls.length = 0
  expect((await send('a b')).status).toBe(400)
  expect((await send('x'.repeat(201))).status).toBe(400)
  expect(http.calls).toEqual([])
})

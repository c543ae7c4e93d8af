/** The audit log: every tool call of every mode with who let it run, and what people did, over HTTP. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AuditEntry, createApiClient, type PermissionMode } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { useHost } from './support/use-host.ts'

const used = useHost({
  config: { rules: [{ effect: 'deny', tool: 'Bash', match: '*forbidden*' }] },
})
const { start } = used

const bash = (command: string) => toolUse('Bash', { command })
const write = (name: string) => toolUse('Write', { file_path: join(used.host.cwd, name), content: name })

/** Oldest first. What the CLI's calls left is written when its process is gone. */
async function auditOf(session: Conversation): Promise<AuditEntry[]> {
  await used.host.client.stopSession({ params: session.params, body: {} })
  const { entries } = await used.host.client.listAudit({ query: { session_id: session.id } })
  return entries.filter(({ tool }) => tool !== undefined).toReversed()
}

const line = ({ action, tool, decision, decided_by, permission_mode }: AuditEntry) =>
  [permission_mode, tool, action.replace('tool_', ''), decision, decided_by?.kind].filter(Boolean).join(' ')

describe('tool calls', () => {
  it.each<[PermissionMode, string, string]>([
    ['default', 'cli', 'person'],
    ['acceptEdits', 'mode', 'mode'],
    ['bypassPermissions', 'mode', 'mode'],
  ])('in %s are all recorded, with who let them run', async (mode, readDecider, writeDecider) => {
    const session = await start([bash('ls'), () => write(`${mode}.txt`), 'done'], { permission_mode: mode })
    if (writeDecider === 'person') await session.answer()
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(existsSync(join(used.host.cwd, `${mode}.txt`))).toBe(true)
    const entries = await auditOf(session)
    expect(entries.map(line)).toEqual([
      `${mode} Bash requested`,
      `${mode} Bash decided allow ${readDecider}`,
      `${mode} Bash finished`,
      `${mode} Write requested`,
      `${mode} Write decided allow ${writeDecider}`,
      `${mode} Write finished`,
    ])
    const [asked] = entries
    const { turn_id } = await session.endOf(1)
    expect(asked).toMatchObject({ input: { command: 'ls' }, turn_id, principal: 'owner' })
    expect(new Set(entries.slice(0, 3).map(({ tool_call_id }) => tool_call_id)).size).toBe(1)
  })

  it('denied by a rule of the configuration or of the API do not run, in any mode', async () => {
    const { client, cwd } = used.host
    const rule = await client.createRule({
      body: { effect: 'deny', tool: 'Write', scope: { kind: 'everywhere' } },
    })
    for (const permission_mode of ['default', 'bypassPermissions'] as const) {
      const session = await start([bash('echo forbidden > a'), () => write('b'), 'I see'], {
        permission_mode,
      })
      expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
      expect(session.watch.of('approval_required')).toEqual([])
      expect(session.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual([true, true])
      const denials = (await auditOf(session)).filter(({ action }) => action === 'tool_decided')
      expect(denials).toMatchObject([
        { tool: 'Bash', decision: 'deny', decided_by: { kind: 'rule', rule_id: 'config_1' } },
        { tool: 'Write', decision: 'deny', decided_by: { kind: 'rule', rule_id: rule.id } },
      ])
    }
    expect([existsSync(join(cwd, 'a')), existsSync(join(cwd, 'b'))]).toEqual([false, false])
    await client.revokeRule({ params: { id: rule.id } })
  })

  it('can be found by tool and by action, in pages', async () => {
    const { client } = used.host
    const query = { tool: 'Write', action: 'tool_requested', limit: 2 }
    const first = await client.listAudit({ query })
    const rest = await client.listAudit({ query: { ...query, before: first.before ?? 0, limit: 100 } })
    const entries = [...first.entries, ...rest.entries]
    expect(entries).toHaveLength(5)
    expect(entries.every(({ tool, action }) => tool === 'Write' && action === 'tool_requested')).toBe(true)
    expect(entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toSorted((a, b) => b - a))
  })
})

describe('what people do', () => {
  it('is recorded with the token and the address that it came from', async () => {
    const { client, server, root } = used.host
    const { token, secret } = await client.createToken({ body: { name: 'phone', scopes: ['read', 'admin'] } })
    const phone = createApiClient({ baseUrl: server.url, token: secret })
    const rule = await phone.createRule({
      body: { effect: 'ask', tool: 'Bash', scope: { kind: 'everywhere' } },
    })
    const refused = phone.revokeRule({ params: { id: rule.id } })
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
    await client.changeRule({ params: { id: rule.id }, body: { effect: 'deny' } })
    await client.revokeRule({ params: { id: rule.id } })
    await phone.changeConfig({ body: { set: { 'sessions.idleMinutes': 7 } } })
    mkdirSync(join(root, 'more'))
    const workspace = await phone.createWorkspace({ body: { path: join(root, 'more') } })
    await phone.changeWorkspace({ params: { id: workspace.id }, body: { trusted: true } })
    await phone.deleteWorkspace({ params: { id: workspace.id } })
    const { session } = await client.createSession({ body: {} })
    await phone.deleteSession({ params: { id: session.id } })
    await client.createCode({ body: { scopes: ['read'] } })
    await client.renameToken({ params: { id: token.id }, body: { name: ' old phone ' } })
    await client.revokeToken({ params: { id: token.id } })
    const code = new URL(await server.signInLink()).hash.replace('#code=', '')
    const signedIn = await createApiClient({ baseUrl: server.url }).redeemCode({
      body: { code, name: 'a browser' },
    })

    const { entries } = await client.listAudit({ query: { limit: 1000 } })
    const done = entries.filter(({ action }) => !action.startsWith('tool_')).toReversed()
    const since = done.slice(done.findIndex(({ action }) => action === 'token_created'))
    const by = (name: string) => ({ kind: 'person', principal: 'owner', token_name: name, from: '127.0.0.1' })
    const owner = { kind: 'person', principal: 'owner', from: '127.0.0.1' }
    expect(since).toMatchObject([
      {
        action: 'token_created',
        decided_by: owner,
        detail: { token_id: token.id, scopes: ['read', 'admin'] },
      },
      { action: 'rule_created', decided_by: by('phone') },
      { action: 'rule_changed', decided_by: owner, detail: { rule_id: rule.id, change: { effect: 'deny' } } },
      { action: 'rule_revoked', decided_by: owner },
      { action: 'config_changed', decided_by: by('phone'), detail: { set: { 'sessions.idleMinutes': 7 } } },
      { action: 'workspace_created', decided_by: by('phone') },
      { action: 'workspace_changed', detail: { workspace_id: workspace.id, change: { trusted: true } } },
      { action: 'workspace_removed', decided_by: by('phone') },
      { action: 'session_created', decided_by: owner },
      { action: 'session_deleted', decided_by: by('phone') },
      { action: 'code_created', detail: { scopes: ['read'] } },
      { action: 'token_renamed', detail: { token_id: token.id, from: 'phone', name: 'old phone' } },
      { action: 'token_revoked', detail: { token_id: token.id } },
      { action: 'signed_in', decided_by: { ...by('a browser'), token_id: signedIn.token.id } },
    ])
    expect(since).toHaveLength(14)
    for (const hidden of [secret, signedIn.secret, code])
      expect(JSON.stringify(entries)).not.toContain(hidden)
  })

  it('leaves a chain of hashes that holds', async () => {
    const { client } = used.host
    const { entries } = await client.listAudit({ query: { limit: 1000 } })
    expect(await client.verifyAudit()).toEqual({ intact: true, entries: entries.length })
    expect(entries.length).toBeGreaterThan(20)
  })
})

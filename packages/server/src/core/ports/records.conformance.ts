/** What every store of records keeps to. */
import { randomUUID } from 'node:crypto'
import type { Workspace } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditTests, ledgerTests } from './audit-and-ledger.conformance.ts'
import type { Clock } from './clock.ts'
import { draftTests } from './drafts.conformance.ts'
import { createManualClock, later, newId, newRule, newToken, time } from './fixtures.conformance.ts'
import { hookConsentTests } from './hook-consents.conformance.ts'
import { mcpStoreTests } from './mcp-store.conformance.ts'
import { principalTests } from './principals.conformance.ts'
import type { Records } from './records.ts'
import { newSession, sessionListTests, sessionTests } from './session-records.conformance.ts'
import { trustTests } from './trust.conformance.ts'
import { turnTreeTests } from './turn-trees.conformance.ts'

export interface RecordsSubject {
  records: Records
  reopen(): Promise<Records>
  close(): Promise<void>
}

type Get = () => Records

export function recordsConformance(name: string, open: (clock: Clock) => Promise<RecordsSubject>): void {
  describe(`${name}: records`, () => {
    const clock = createManualClock()
    let subject: RecordsSubject
    let records: Records
    beforeAll(async () => {
      subject = await open(clock)
      records = subject.records
    })
    afterAll(() => subject.close())
    const get = () => records

    describe('workspaces', () => workspaceTests(get))
    describe('trust', () => trustTests(get, newWorkspace))
    describe('hook consents', () => hookConsentTests(get))
    describe('sessions', () => sessionTests(get))
    describe('list of sessions', () => sessionListTests(get))
    describe('drafts', () => draftTests(get))
    describe('rules', () => ruleTests(get))
    describe('tokens', () => tokenTests(get))
    describe('audit log', () => auditTests(get))
    describe('ledger', () => ledgerTests(get))
    describe('keeps apart by principal', () => principalTests(get))
    describe('turn trees', () => turnTreeTests(get))
    describe('MCP servers', () => mcpStoreTests(get))

    it('keeps values, and all else when opened again', async () => {
      expect(await records.getValue('secret')).toBeUndefined()
      await records.setValue('secret', 'one')
      await records.setValue('secret', 'two')
      const session = newSession()
      await records.sessions.create(session)
      const verified = await records.audit.verify()
      const switches = await records.mcp.switches()
      const pins = await records.mcp.pins('__proto__')
      expect(switches.length * pins.length).toBeGreaterThan(0)
      records = await subject.reopen()
      expect(await records.getValue('secret')).toBe('two')
      expect(await records.sessions.get(session.id)).toEqual(session)
      expect(await records.audit.verify()).toEqual(verified)
      expect(await records.mcp.switches()).toEqual(switches)
      expect(await records.mcp.pins('__proto__')).toEqual(pins)
    })
  })
}

const newWorkspace = (more: Partial<Workspace> = {}): Workspace => ({
  id: newId('ws'),
  name: 'work',
  path: `/projects/${randomUUID()}`,
  trusted: false,
  trust: 'untrusted',
  mode: 'host',
  main: false,
  created_at: time,
  ...more,
})

function workspaceTests(get: Get): void {
  const mains = async () => (await get().workspaces.list()).filter(({ main }) => main).map(({ id }) => id)

  it('has exactly one main workspace, from the first one on', async () => {
    const [first, second, third] = [newWorkspace(), newWorkspace(), newWorkspace({ main: true })]
    await get().workspaces.create(first)
    expect(await mains()).toEqual([first.id])
    await get().workspaces.create(second)
    expect(await mains()).toEqual([first.id])
    await get().workspaces.create(third)
    expect(await mains()).toEqual([third.id])
    expect(await get().workspaces.change(second.id, { main: true })).toMatchObject({ main: true })
    expect(await mains()).toEqual([second.id])
    await expect(get().workspaces.change(second.id, { main: false })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await get().workspaces.remove(second.id)).toBe(false)
    expect(await get().workspaces.remove(first.id)).toBe(true)
    expect(await get().workspaces.remove(first.id)).toBe(false)
    await Promise.all(Array.from({ length: 10 }, () => get().workspaces.create(newWorkspace({ main: true }))))
    expect(await mains()).toHaveLength(1)
  })

  it('changes name and trust, and refuses a path or id that is there', async () => {
    const workspace = newWorkspace()
    await get().workspaces.create(workspace)
    const changed = { ...workspace, name: 'new', trusted: true, trust: 'trusted' as const }
    expect(await get().workspaces.change(workspace.id, { name: 'new', trust: 'trusted' })).toEqual(changed)
    expect(await get().workspaces.get(workspace.id)).toEqual(changed)
    expect(await get().workspaces.change(newId('ws'), { name: 'x' })).toBeUndefined()
    for (const same of [{ path: workspace.path }, { id: workspace.id }])
      await expect(get().workspaces.create(newWorkspace({ ...same, main: true }))).rejects.toMatchObject({
        code: 'conflict',
      })
    expect(await mains()).toHaveLength(1)
    expect(await get().workspaces.get(workspace.id)).toEqual(changed)
  })
}

function ruleTests(get: Get): void {
  it('changes a rule until it is revoked, and keeps it after', async () => {
    const rule = newRule()
    await get().rules.create(rule)
    const changed = await get().rules.change(rule.id, { effect: 'deny', match: 'pwd' })
    expect(changed).toEqual({ ...rule, effect: 'deny', match: 'pwd' })
    expect(await get().rules.get(rule.id)).toEqual(changed)
    const revoked = { ...changed, revoked_at: later }
    expect(await get().rules.revoke(rule.id, later)).toEqual(revoked)
    expect(await get().rules.revoke(rule.id, '2030-01-01T00:00:00.000Z')).toEqual(revoked)
    expect(await get().rules.change(rule.id, { effect: 'allow' })).toBeUndefined()
    expect(await get().rules.get(rule.id)).toEqual(revoked)
    expect(await get().rules.revoke(newId('rule'), later)).toBeUndefined()
  })

  it('lists those in force, or all', async () => {
    const rules = [newRule(), newRule(), newRule()]
    for (const rule of rules) await get().rules.create(rule)
    const [first, second, third] = rules.map(({ id }) => id)
    await get().rules.revoke(second ?? '', later)
    const list = async (revoked: boolean) =>
      (await get().rules.list({ principal: null, revoked })).map(({ id }) => id).slice(-3)
    expect((await list(false)).slice(-2)).toEqual([first, third])
    expect(await list(true)).toEqual([first, second, third])
  })
}

function tokenTests(get: Get): void {
  it('finds a token by its hash alone, and shows the hash to nobody else', async () => {
    const token = newToken()
    await get().tokens.create(token)
    expect(await get().tokens.byHash(token.hash)).toEqual(token)
    expect(await get().tokens.byHash('another')).toBeUndefined()
    const { hash, ...shown } = token
    expect((await get().tokens.list({ principal: null })).at(-1)).toEqual(shown)
    expect(JSON.stringify(await get().tokens.list({ principal: null }))).not.toContain(hash)
    await expect(get().tokens.create({ ...newToken(), hash })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('notes the last use and the first revocation', async () => {
    const token = newToken()
    await get().tokens.create(token)
    await get().tokens.touch(token.id, { at: time, from: '10.0.0.9', agent: 'curl/8' })
    const used = { last_used_at: time, last_used_from: '10.0.0.9', last_used_agent: 'curl/8' }
    expect(await get().tokens.byHash(token.hash)).toEqual({ ...token, ...used })
    // A later use says nothing of an earlier one.
    await get().tokens.touch(token.id, { at: later, from: '::1' })
    await get().tokens.touch(newId('tok'), { at: later, from: '::1' })
    expect(await get().tokens.byHash(token.hash)).toEqual({
      ...token,
      last_used_at: later,
      last_used_from: '::1',
    })
    expect(await get().tokens.revoke(token.id, later)).toMatchObject({ revoked_at: later })
    expect(await get().tokens.revoke(token.id, '2030-01-01T00:00:00.000Z')).toMatchObject({
      revoked_at: later,
    })
    expect(await get().tokens.byHash(token.hash)).toMatchObject({ revoked_at: later })
    expect(await get().tokens.revoke(newId('tok'), later)).toBeUndefined()
  })

  it('gives a token another name, and nothing else', async () => {
    const token = newToken()
    await get().tokens.create(token)
    expect(await get().tokens.rename(token.id, 'desk')).toMatchObject({ id: token.id, name: 'desk' })
    expect(await get().tokens.byHash(token.hash)).toEqual({ ...token, name: 'desk' })
    expect(await get().tokens.rename(newId('tok'), 'desk')).toBeUndefined()
  })
}

/** What every store of pins, switches, choices of sharing and sign-ins keeps to. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { time } from './fixtures.conformance.ts'
import type { McpSharingChoice, McpSignIn, McpSwitch, ToolPin } from './mcp-store.ts'
import type { Records } from './records.ts'
import { newSession } from './session-records.conformance.ts'

type Get = () => Records

/** Names that a store could trip over. */
const names = ['read', '__proto__', 'constructor', 'a\0b', 'a\0c', '\ud800', '"]', "'; --", 'null', '', '🔥']

const newPin = (tool: string, more: Partial<ToolPin> = {}): ToolPin => ({
  tool,
  hash: randomUUID(),
  definition: { name: tool, description: `a \0 ${tool}`, inputSchema: { type: 'object' } },
  at: time,
  ...more,
})

export function mcpStoreTests(get: Get): void {
  describe('pins', () => pinTests(get))
  describe('switches', () => switchTests(get))
  describe('choices of sharing', () => sharingTests(get))
  describe('sign-ins', () => signInTests(get))

  it('knows the servers that ask, once each', async () => {
    const before = await get().mcp.asking()
    for (const key of ['asks', 'a\0b', 'asks', '__proto__']) await get().mcp.setAsking(key)
    expect(await get().mcp.asking()).toEqual([...before, 'asks', 'a\0b', '__proto__'])
  })
}

function pinTests(get: Get): void {
  it('keeps them by server and tool, whatever the names', async () => {
    const pins = names.map((name) => newPin(name))
    for (const server of names) await get().mcp.setPins(server, pins)
    for (const server of names) expect(await get().mcp.pins(server)).toEqual(pins)
    await get().mcp.removePins('a\0b', ['a\0b', '__proto__', 'unknown'])
    expect(await get().mcp.pins('a\0b')).toEqual(
      pins.filter(({ tool }) => !['a\0b', '__proto__'].includes(tool)),
    )
    expect(await get().mcp.pins('a\0c')).toEqual(pins)
    expect(await get().mcp.pins('unknown')).toEqual([])
  })

  it('replaces one as a whole, in its place', async () => {
    const server = randomUUID()
    const [first, second] = [newPin('first', { isNew: true }), newPin('second')]
    await get().mcp.setPins(server, [first, second])
    const accepted = newPin('first', { acceptedBy: 'owner' })
    await get().mcp.setPins(server, [accepted, newPin('third'), newPin('third', { hash: 'last' })])
    const pins = await get().mcp.pins(server)
    expect(pins.slice(0, 2)).toEqual([accepted, second])
    expect(pins.slice(2)).toMatchObject([{ tool: 'third', hash: 'last' }])
    await get().mcp.setPins(server, [])
    expect(await get().mcp.pins(server)).toHaveLength(3)
  })

  it('keeps a definition with a key __proto__ as it was', async () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')
    const pin = newPin('odd', { definition: { name: 'odd', inputSchema: schema } })
    const server = randomUUID()
    await get().mcp.setPins(server, [pin])
    expect(JSON.stringify(await get().mcp.pins(server))).toBe(JSON.stringify([pin]))
  })
}

async function newWorkspace(get: Get): Promise<string> {
  const id = `ws_${randomUUID()}`
  const path = `/projects/${id}`
  const plain = {
    name: 'work',
    trusted: false,
    trust: 'untrusted',
    mode: 'host',
    created_at: time,
  } as const
  // Another is the main one, so that this one can be removed.
  await get().workspaces.create({ ...plain, id: `main_${id}`, path: `${path}/main`, main: true })
  await get().workspaces.create({ ...plain, id, path, main: false })
  return id
}

function sharingTests(get: Get): void {
  const choice = (workspaceId: string, server: string): McpSharingChoice => ({
    workspaceId,
    server,
    sharing: 'shared',
    by: 'owner',
    at: time,
  })
  const of = async (id: string) =>
    (await get().mcp.sharings()).filter(({ workspaceId }) => workspaceId === id)

  it('are kept one for each workspace and server, whatever the names, and replaced in their place', async () => {
    const [one, other] = [await newWorkspace(get), await newWorkspace(get)]
    const all = names.map((name) => choice(one, name))
    for (const each of [...all, choice(other, 'read')]) await get().mcp.setSharing(each)
    expect(await of(one)).toEqual(all)
    const changed = { ...choice(one, 'read'), sharing: 'session', by: 'another' } as const
    await get().mcp.setSharing(changed)
    expect(await of(one)).toEqual([changed, ...all.slice(1)])
    expect(await get().mcp.removeSharing(changed)).toBe(true)
    expect(await get().mcp.removeSharing(changed)).toBe(false)
    expect(await of(one)).toEqual(all.slice(1))
    expect(await of(other)).toEqual([choice(other, 'read')])
  })

  it('go with their workspace, and cannot come after it', async () => {
    const id = await newWorkspace(get)
    await get().mcp.setSharing(choice(id, 'github'))
    await get().workspaces.change(id, { name: 'changed' })
    expect(await of(id)).toHaveLength(1)
    expect(await get().workspaces.remove(id)).toBe(true)
    expect(await of(id)).toEqual([])
    await expect(get().mcp.setSharing(choice(id, 'github'))).rejects.toMatchObject({ code: 'not_found' })
  })
}

function switchTests(get: Get): void {
  const addSession = async (): Promise<McpSwitch['target']> => {
    const session = newSession()
    await get().sessions.create(session)
    return { kind: 'session', id: session.id }
  }
  const addWorkspace = async (): Promise<McpSwitch['target']> => ({
    kind: 'workspace',
    id: await newWorkspace(get),
  })
  const off = (target: McpSwitch['target'], server: string, tool?: string): McpSwitch => ({
    target,
    server,
    ...(tool !== undefined && { tool }),
    by: 'owner',
    at: time,
  })
  const of = async ({ id }: McpSwitch['target']) =>
    (await get().mcp.switches()).filter(({ target }) => target.id === id)

  it.each([
    ['session', addSession],
    ['workspace', addWorkspace],
  ])('are kept for a %s once each, a whole server apart from its tools', async (_kind, add) => {
    const target = await add()
    const all = [
      off(target, 'github'),
      ...names.map((name) => off(target, 'github', name)),
      off(target, 'a\0b'),
    ]
    for (const one of all) await get().mcp.switchOff(one)
    await get().mcp.switchOff({ ...off(target, 'github'), by: 'another', at: '2030-01-01T00:00:00.000Z' })
    expect(await of(target)).toEqual(all)
    expect(await get().mcp.switchOn(off(target, 'github'))).toBe(true)
    expect(await get().mcp.switchOn(off(target, 'github'))).toBe(false)
    expect(await get().mcp.switchOn(off(target, 'github', 'a\0c'))).toBe(true)
    expect(await of(target)).toEqual(
      all.filter(({ server, tool }) => server !== 'github' || (tool !== undefined && tool !== 'a\0c')),
    )
  })

  it('belong to one place', async () => {
    const [one, other] = [await addSession(), await addSession()]
    await get().mcp.switchOff(off(one, 'github'))
    expect(await get().mcp.switchOn(off(other, 'github'))).toBe(false)
    expect(await get().mcp.switchOn(off({ kind: 'workspace', id: one.id }, 'github'))).toBe(false)
    expect(await of(one)).toHaveLength(1)
  })

  it('go with their session or workspace, and cannot come after it', async () => {
    const [session, kept, workspace] = [await addSession(), await addSession(), await addWorkspace()]
    for (const target of [session, kept, workspace]) {
      await get().mcp.switchOff(off(target, 'github'))
      await get().mcp.switchOff(off(target, 'github', 'push'))
    }
    await get().sessions.change(session.id, { title: 'changed' })
    await get().workspaces.change(workspace.id, { name: 'changed' })
    expect(await of(session)).toHaveLength(2)
    expect(await of(workspace)).toHaveLength(2)
    await get().sessions.remove(session.id)
    expect(await get().workspaces.remove(workspace.id)).toBe(true)
    for (const target of [session, workspace]) {
      expect(await of(target)).toEqual([])
      await expect(get().mcp.switchOff(off(target, 'github'))).rejects.toMatchObject({ code: 'not_found' })
      expect(await of(target)).toEqual([])
    }
    expect(await of(kept)).toHaveLength(2)
  })
}

function signInTests(get: Get): void {
  const client = { issuer: 'https://auth.example', id: 'dorkos', redirectUri: 'http://127.0.0.1:9/callback' }
  const signIn = {
    serverUrl: 'https://mcp.example/mcp',
    server: {
      issuer: client.issuer,
      authorization_endpoint: 'https://auth.example/authorize',
      token_endpoint: 'https://auth.example/token',
      response_types_supported: ['code'],
    },
    client,
    resource: 'https://mcp.example/mcp',
    accessToken: 'the access token',
    refreshToken: 'the refresh token',
    expiresAt: 1_700_000_000_123,
  }
  const of = (key: string, more: Partial<McpSignIn> = {}): McpSignIn => ({
    key,
    server: `server ${key}`,
    scope: 'dorkos',
    client,
    signIn,
    by: 'owner',
    at: time,
    ...more,
  })
  const kept = async (keys: readonly string[]) =>
    (await get().mcp.signIns()).filter(({ key }) => keys.includes(key))

  it('are kept by key, whatever it is, and replaced in their place', async () => {
    for (const key of names) await get().mcp.setSignIn(of(key))
    expect(await kept(names)).toEqual(names.map((key) => of(key)))
    const { signIn: _lost, ...without } = of('a\0b', { by: 'another' })
    await get().mcp.setSignIn(without)
    expect(await kept(names)).toEqual(names.map((key) => (key === 'a\0b' ? without : of(key))))
  })

  it('are gone when they are removed', async () => {
    const keys = [randomUUID(), randomUUID()]
    for (const key of keys) await get().mcp.setSignIn(of(key))
    expect(await get().mcp.removeSignIn(keys[0] ?? '')).toBe(true)
    expect(await get().mcp.removeSignIn(keys[0] ?? '')).toBe(false)
    expect((await kept(keys)).map(({ key }) => key)).toEqual([keys[1]])
  })
}

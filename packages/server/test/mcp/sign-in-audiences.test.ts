/** Whom a sign-in is for: an entry of the owner's, or one of one workspace; and what becomes of it when nobody has such an entry any more. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AuthServer, startAuthServer } from '@dorkos/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mainWorkspace, put, trust } from '../support/mcp-servers.ts'
import { signIn } from '../support/sign-in.ts'
import { type Host, startHost } from '../support/start-host.ts'

let auth: AuthServer
let host: Host
let main: string
beforeAll(async () => {
  ;[auth, host] = await Promise.all([startAuthServer(), startHost(() => 'ok')])
  main = (await mainWorkspace(host)).id
})
afterAll(async () => {
  await host?.close()
  await auth?.close()
})

const entry = () => ({ type: 'http' as const, url: auth.mcpUrl })
const serverIn = async (workspace_id: string, name: string) =>
  (await host.client.testMcpServer({ params: { name }, body: { workspace_id } })).server
const revoked = () => auth.revoked().length

/** A workspace whose files have this server. */
async function project(name: string): Promise<string> {
  const path = join(host.root, name)
  mkdirSync(path)
  put(join(path, '.mcp.json'), { mcpServers: { notes: entry() } })
  const { id } = await host.client.createWorkspace({ body: { path } })
  await trust(host, id)
  return id
}

it('what the owner signed in with is not lent to a project that has the same entry, nor from one to another', async () => {
  put(join(host.root, '.claude.json'), { mcpServers: { notes: entry() } })
  await signIn(host, auth, 'notes', { workspace_id: main })
  expect(await serverIn(main, 'notes')).toMatchObject({ health: { state: 'connected' }, signed_in: {} })
  const [one, other] = [await project('one'), await project('other')]
  for (const id of [one, other]) {
    const server = await serverIn(id, 'notes')
    expect(server).toMatchObject({ source: { scope: 'project' }, health: { state: 'needs_auth' } })
    expect(server).not.toHaveProperty('signed_in')
  }
  await signIn(host, auth, 'notes', { workspace_id: one })
  expect(await serverIn(one, 'notes')).toMatchObject({ health: { state: 'connected' }, signed_in: {} })
  expect((await serverIn(other, 'notes')).health?.state).toBe('needs_auth')

  // Out of one is not out of the other; and it goes with its workspace.
  await host.client.endMcpSignIn({ params: { name: 'notes' }, query: { workspace_id: main } })
  expect((await serverIn(one, 'notes')).health?.state).toBe('connected')
  const before = revoked()
  await host.client.deleteWorkspace({ params: { id: one } })
  await expect.poll(revoked).toBe(before + 2)
})

it('is ended when the entry is changed to another server, but not when it is only switched off', async () => {
  const params = { name: 'own' }
  await host.client.addMcpServers({ body: { name: 'own', entry: entry() } })
  await signIn(host, auth, 'own')
  const before = revoked()
  await host.client.changeMcpServer({ params, body: { entry: { ...entry(), disabled: true } } })
  await host.client.changeMcpServer({ params, body: { entry: entry() } })
  expect(revoked()).toBe(before)
  expect((await host.client.testMcpServer({ params, body: {} })).server.signed_in).toBeDefined()
  await host.client.changeMcpServer({ params, body: { entry: { ...entry(), url: `${auth.mcpUrl}?x=1` } } })
  expect(revoked()).toBe(before + 2)
  await expect(host.client.endMcpSignIn({ params })).rejects.toMatchObject({ status: 404 })
})

it('can be ended where its entry was changed by hand', async () => {
  const file = join(host.root, '.claude.json')
  const name = 'by-hand'
  put(file, { mcpServers: { [name]: entry() } })
  await expect.poll(() => serverIn(main, name).catch(() => undefined)).toBeDefined()
  await signIn(host, auth, name, { workspace_id: main })
  put(file, { mcpServers: { [name]: { ...entry(), headers: { 'x-team': 'b' } } } })
  await expect.poll(async () => (await serverIn(main, name)).signed_in).toBeUndefined()
  const before = revoked()
  await host.client.endMcpSignIn({ params: { name }, query: { workspace_id: main } })
  expect(revoked()).toBe(before + 2)

  // So it is when one signs in to what is there now.
  await signIn(host, auth, name, { workspace_id: main })
  put(file, { mcpServers: { [name]: entry() } })
  await expect.poll(async () => (await serverIn(main, name)).signed_in).toBeUndefined()
  await signIn(host, auth, name, { workspace_id: main })
  expect(revoked()).toBe(before + 4)
})

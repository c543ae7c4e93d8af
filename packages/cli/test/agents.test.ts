/** `dorkos agents`, and sessions that are started with a profile. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'
import { type OfflineServer, startOfflineServer } from './support/offline-server.ts'

const editor = fileURLToPath(new URL('./support/fake-editor.mjs', import.meta.url))
const text = (head: string) => `---\n${head}\n---\n\nYou help with tea.\n`

async function run({ offline }: OfflineServer, env: Record<string, string>, ...args: string[]) {
  const terminal = new FakeTerminal({ env: { ...offline.env, ...env }, cwd: offline.cwd, isTTY: false })
  const code = await terminal.run(...args)
  return { code, stdout: terminal.stdout, stderr: terminal.stderr }
}

async function adminOf(host: OfflineServer) {
  const { secret } = await host.page.createToken({
    body: { name: 'shell', scopes: ['read', 'chat', 'approve', 'admin'] },
  })
  return { DORKOS_TOKEN: secret }
}

it('lists, checks, adds, shows and removes profiles, each error with its file and line', async () => {
  await using host = await startOfflineServer([])
  const env = await adminOf(host)
  const file = join(host.offline.cwd, 'tea.md')
  await writeFile(file, text('description: Makes tea\ntools: [Read, Reed]\nkettle: on'))
  const wrong = await run(host, env, 'agents', 'check', 'tea.md')
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toContain('tea.md:4: kettle: there is no key')
  const refused = await run(host, env, 'agents', 'add', 'tea.md')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('tea.md:4: kettle')

  await writeFile(file, text('description: Makes tea\ntools: [Read]'))
  expect(await run(host, env, 'agents', 'check', 'tea.md')).toMatchObject({ code: 0 })
  expect((await run(host, env, 'agents', 'add', 'tea.md')).stdout).toContain('Saved the profile tea in ')
  expect((await run(host, env, 'agents', 'list')).stdout).toMatch(/^tea +you +ready +Makes tea$/m)
  expect((await run(host, env, 'agents', 'list')).stdout).toMatch(/^reviewer +DorkOS +ready/m)
  expect((await run(host, env, 'agents', 'show', 'tea')).stdout).toBe(readFileSync(file, 'utf8'))
  const again = await run(host, env, 'agents', 'add', 'tea.md')
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already a profile “tea”') })
  expect(await run(host, env, 'agents', 'remove', 'tea')).toMatchObject({ code: 0 })
  expect((await run(host, env, 'agents', 'show', 'tea')).code).toBe(1)
})

it('imports agents of Claude Code', async () => {
  await using host = await startOfflineServer([])
  const env = await adminOf(host)
  const folder = join(host.offline.home, '.claude', 'agents')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'helper.md')
  await writeFile(file, text('name: helper\ndescription: Helps\nmaxTurns: 3'))
  expect((await run(host, env, 'agents', 'import')).stdout).toContain(file)
  expect(await run(host, env, 'agents', 'import', file)).toMatchObject({ code: 0 })
  const { profile } = await host.page.getProfile({ params: { name: 'helper' } })
  expect(profile?.limits.max_turns).toBe(3)
})

it('is edited until it has no errors', async () => {
  await using host = await startOfflineServer([])
  const plan = join(host.offline.home, 'plan.json')
  await writeFile(plan, JSON.stringify([text('descriptoin: Makes tea'), text('description: Makes tea')]))
  const env = {
    ...host.offline.env,
    ...(await adminOf(host)),
    EDITOR: `${process.execPath} ${editor} ${plan}`,
  }
  const terminal = new FakeTerminal({ env, cwd: host.offline.cwd })
  const exit = terminal.run('agents', 'edit', 'tea')
  await terminal.shown(/Edit it again\?/)
  expect(terminal.screen).toContain('descriptoin')
  terminal.type('')
  expect(await exit).toBe(0)
  const { profile } = await host.page.getProfile({ params: { name: 'tea' } })
  expect(profile?.description).toBe('Makes tea')
  expect(existsSync(`${plan}.seen`)).toBe(true)
})

it('starts a session with a profile, and says where there is none', async () => {
  await using host = await startOfflineServer(['here is tea'])
  const env = await adminOf(host)
  await host.page.saveProfile({
    params: { name: 'tea' },
    body: { text: text('description: Makes tea'), base_digest: null },
  })
  expect(await run(host, env, 'run', '--profile', 'tea', 'tea, please')).toMatchObject({
    code: 0,
    stdout: 'here is tea\n',
  })
  const [session] = (await host.page.listSessions()).sessions
  expect(session?.profile).toMatchObject({ name: 'tea', origin: 'owner' })
  const none = await run(host, env, 'run', '--profile', 'coffee', 'coffee, please')
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no profile “coffee”') })
})

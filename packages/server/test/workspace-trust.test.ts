/** Trust is in what was shown: with the real CLI, through the API. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { markedWorkspace, promptHooks, putMarked } from './support/marked-workspace.ts'
import { trustWorkspace } from './support/trust-workspace.ts'
import { useHost } from './support/use-host.ts'

const minutes = 60_000
const used = useHost({ config: { log: { level: 'debug' } } })
const workspaceWith = (files: Record<string, unknown>, trusted = false) =>
  markedWorkspace(used.host, files, trusted)
const look = (id: string) => used.host.client.getWorkspaceTrust({ params: { id } })
const stateOf = async (id: string) => (await used.host.client.getWorkspace({ params: { id } })).trust

let said = 0
/** One more turn in the session. */
async function turn(session: Conversation): Promise<void> {
  expect(await session.say(used.prompts.on(`more ${++said}`, 'done'))).toMatchObject({ outcome: 'completed' })
}

describe('a hook in the settings of a workspace', () => {
  it(
    'runs when it was trusted as it stands there, and not when it changed since, in a session that runs too',
    async () => {
      const { id, path, marks } = await workspaceWith({
        '.claude/settings.json': { env: { TOKEN: 'SECRET-1' }, hooks: promptHooks('touch MARKS/first') },
      })
      const session = await used.start(['done'], { workspace_id: id })
      await session.endOf(1)
      expect(readdirSync(marks)).toEqual([])

      const shown = await look(id)
      expect(shown).toMatchObject({ state: 'untrusted', faults: [] })
      expect(shown.items).toMatchObject([
        { kind: 'settings', path: '.claude/settings.json', runs: [`UserPromptSubmit: touch ${marks}/first`] },
      ])
      await trustWorkspace(used.host.client, id)
      await session.watch.next('notice', ({ code }) => code === 'workspace_trusted')
      await turn(session)
      expect(readdirSync(marks)).toEqual(['first'])

      rmSync(join(marks, 'first'))
      const settings = { env: { TOKEN: 'SECRET-2' }, hooks: promptHooks(`touch ${marks}/second`) }
      putMarked(path, '.claude/settings.json', settings)
      await turn(session)
      await session.watch.next('notice', ({ code }) => code === 'workspace_changed')
      expect(await used.host.client.getWorkspace({ params: { id } })).toMatchObject({
        trusted: false,
        trust: 'changed',
      })
      const fresh = await used.start(['done'], { workspace_id: id })
      await fresh.endOf(1)
      expect(readdirSync(marks)).toEqual([])

      const changed = await look(id)
      expect(changed).toMatchObject({ state: 'changed', given: { principal: 'owner' } })
      const [change] = changed.changes ?? []
      expect(change).toMatchObject({
        change: 'changed',
        path: '.claude/settings.json',
        notes: ['env.TOKEN: value changed'],
      })
      expect(change?.diff).toMatch(/^-.*touch .*\/first/m)
      expect(change?.diff).toMatch(/^\+.*touch .*\/second/m)
      const { entries } = await used.host.client.listAudit({ query: { limit: 200 } })
      expect(entries.find(({ action }) => action === 'workspace_trust_lost')?.detail).toMatchObject({
        workspace_id: id,
        changes: [{ kind: 'settings', path: '.claude/settings.json', change: 'changed' }],
      })

      await trustWorkspace(used.host.client, id)
      await turn(session)
      expect(readdirSync(marks)).toEqual(['second'])
      const log = readFileSync(join(used.host.home, 'logs/dorkos.log'), 'utf8')
      const answers = JSON.stringify([shown, changed, entries])
      expect(log + answers).not.toMatch(/SECRET-\d/)
    },
    3 * minutes,
  )

  it(
    'counts again when the file is as it was, and not any more when trust is taken back',
    async () => {
      const text = (marks: string) => JSON.stringify({ hooks: promptHooks(`touch ${marks}/ran`) })
      const { id, path, marks } = await workspaceWith({})
      putMarked(path, '.claude/settings.json', text(marks))
      await trustWorkspace(used.host.client, id)
      putMarked(path, '.claude/settings.json', '{}')
      const session = await used.start(['done'], { workspace_id: id })
      await session.endOf(1)
      expect(await stateOf(id)).toBe('changed')
      putMarked(path, '.claude/settings.json', text(marks))
      await turn(session)
      expect(readdirSync(marks)).toEqual(['ran'])
      expect(await stateOf(id)).toBe('trusted')

      rmSync(join(marks, 'ran'))
      await used.host.client.takeWorkspaceTrust({ params: { id } })
      await turn(session)
      expect(readdirSync(marks)).toEqual([])
      expect(await look(id)).toMatchObject({ state: 'untrusted' })
    },
    3 * minutes,
  )
})

describe('a server in .mcp.json', () => {
  const server = (mark: string) => ({ command: 'sh', args: ['-c', `touch ${mark}`] })

  it(
    'is not started when it came after trust was given, in a session that runs too',
    async () => {
      const { id, path, marks } = await workspaceWith({})
      putMarked(path, '.mcp.json', { mcpServers: { one: server(`${marks}/one`) } })
      await trustWorkspace(used.host.client, id)
      const session = await used.start(['done'], { workspace_id: id })
      await session.endOf(1)
      const servers = { one: server(`${marks}/one`), two: server(`${marks}/two`) }
      putMarked(path, '.mcp.json', { mcpServers: servers })
      // Nobody says anything: the file is watched, and a server that is trusted would be started now.
      await session.watch.next('notice', ({ code }) => code === 'workspace_changed')
      await turn(session)
      expect(existsSync(join(marks, 'two'))).toBe(false)
      expect((await look(id)).changes).toMatchObject([{ kind: 'server', name: 'two', change: 'added' }])
    },
    3 * minutes,
  )
})

describe('giving trust', () => {
  it('needs what is there now to be what was shown', async () => {
    const { id, path } = await workspaceWith({
      '.mcp.json': { mcpServers: { one: { command: 'node', args: ['a b'] } } },
    })
    const shown = await look(id)
    expect(shown.items).toMatchObject([{ kind: 'server', name: 'one', runs: ['node "a b"'] }])
    putMarked(path, '.mcp.json', { mcpServers: { one: { command: 'node', args: ['a', 'b'] } } })
    const give = (digest: string) => used.host.client.giveWorkspaceTrust({ params: { id }, body: { digest } })
    await expect(give(shown.digest)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('has changed since it was shown'),
    })
    expect(await stateOf(id)).toBe('untrusted')
    await expect(give('x')).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await give((await look(id)).digest)).toMatchObject({
      state: 'trusted',
      given: { principal: 'owner' },
    })
    const { entries } = await used.host.client.listAudit({ query: { action: 'workspace_trusted' } })
    expect(entries[0]?.detail).toMatchObject({ workspace_id: id, items: [{ kind: 'server', name: 'one' }] })
  })

  it('without looking works only where there is nothing to look at', async () => {
    const { client, root } = used.host
    const empty = join(root, 'empty')
    mkdirSync(empty)
    expect(await client.createWorkspace({ body: { path: empty, trusted: true } })).toMatchObject({
      trust: 'trusted',
    })
    const { id, path } = await workspaceWith({ '.claude/agents/a.md': 'x' })
    const { digest } = await look(id)
    const trusted = client.changeWorkspace({ params: { id }, body: { trusted: true, name: 'new' } })
    await expect(trusted).rejects.toMatchObject({ code: 'conflict', details: { digest } })
    expect((await client.getWorkspace({ params: { id } })).name).not.toBe('new')
    const below = join(path, 'below')
    mkdirSync(join(below, '.claude'), { recursive: true })
    writeFileSync(join(below, '.claude/settings.json'), '{}')
    await expect(client.createWorkspace({ body: { path: below, trusted: true } })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect((await client.listWorkspaces()).workspaces.map((one) => one.path)).not.toContain(below)
    expect(await client.changeWorkspace({ params: { id }, body: { trusted: false } })).toMatchObject({
      trust: 'untrusted',
    })
  })

  it('is refused with the reason where something cannot be looked at', async () => {
    const { id, path } = await workspaceWith({})
    mkdirSync(join(path, '.claude'))
    const { symlinkSync } = await import('node:fs')
    symlinkSync('/etc/hostname', join(path, '.claude/settings.json'))
    const { digest, faults } = await look(id)
    expect(faults).toMatchObject([{ path: '.claude/settings.json' }])
    const give = used.host.client.giveWorkspaceTrust({ params: { id }, body: { digest } })
    await expect(give).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('leads out'),
    })
  })
})

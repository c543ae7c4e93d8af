/** Trust is in what was shown: with the real CLI, through the API. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { attack, type Call, HostileAgent, script } from './support/hostile-agent.ts'
import { sandboxHere } from './support/sandbox-here.ts'
import { trustWorkspace } from './support/trust-workspace.ts'
import { useHost } from './support/use-host.ts'

const minutes = 60_000
const used = useHost({ config: { log: { level: 'debug' } } })
let made = 0

/** A workspace of its own for each test. */
async function workspaceWith(
  files: Record<string, unknown>,
  trusted = false,
): Promise<Workspace & { marks: string }> {
  const path = join(used.host.root, `workspace-${++made}`)
  const marks = join(used.host.root, `marks-${made}`)
  mkdirSync(marks, { recursive: true })
  mkdirSync(path)
  for (const [name, content] of Object.entries(files)) put(path, name, content, marks)
  const workspace = await used.host.client.createWorkspace({ body: { path } })
  if (trusted) await trustWorkspace(used.host.client, workspace.id)
  return { ...workspace, marks }
}

function put(path: string, name: string, content: unknown, marks = ''): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  mkdirSync(dirname(join(path, name)), { recursive: true })
  writeFileSync(join(path, name), text.replaceAll('MARKS', marks), { mode: 0o755 })
}

const hooks = (command: string) => ({ UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] })
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
        '.claude/settings.json': { env: { TOKEN: 'SECRET-1' }, hooks: hooks('touch MARKS/first') },
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
      const settings = { env: { TOKEN: 'SECRET-2' }, hooks: hooks(`touch ${marks}/second`) }
      put(path, '.claude/settings.json', settings)
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
      const text = (marks: string) => JSON.stringify({ hooks: hooks(`touch ${marks}/ran`) })
      const { id, path, marks } = await workspaceWith({})
      put(path, '.claude/settings.json', text(marks))
      await trustWorkspace(used.host.client, id)
      put(path, '.claude/settings.json', '{}')
      const session = await used.start(['done'], { workspace_id: id })
      await session.endOf(1)
      expect(await stateOf(id)).toBe('changed')
      put(path, '.claude/settings.json', text(marks))
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
      put(path, '.mcp.json', { mcpServers: { one: server(`${marks}/one`) } })
      await trustWorkspace(used.host.client, id)
      const session = await used.start(['done'], { workspace_id: id })
      await session.endOf(1)
      const servers = { one: server(`${marks}/one`), two: server(`${marks}/two`) }
      put(path, '.mcp.json', { mcpServers: servers })
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
    put(path, '.mcp.json', { mcpServers: { one: { command: 'node', args: ['a', 'b'] } } })
    const give = (digest: string) => used.host.client.giveWorkspaceTrust({ params: { id }, body: { digest } })
    await expect(give(shown.digest)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('not what was shown'),
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

describe('an agent in a trusted workspace', () => {
  const files = {
    '.claude/settings.json': { hooks: hooks('"$CLAUDE_PROJECT_DIR"/scripts/deep/check.sh') },
    '.claude/rules/r.md': 'x',
    '.mcp.json': { mcpServers: { one: { command: 'node', args: ['server [1].mjs'] } } },
    'scripts/deep/check.sh': '#!/bin/sh\ntouch MARKS/own\n',
    'server [1].mjs': 'process.exit()\n',
    'free.txt': 'x',
  }

  describe('whose hooks and servers run scripts of it', () => {
    let place: Workspace & { marks: string }
    let agent: HostileAgent
    beforeAll(async () => {
      place = await workspaceWith(files, true)
      agent = new HostileAgent({ ...used.host, cwd: place.path }, used.prompts, place.id)
    })
    afterAll(() => agent.close())

    it(
      'does not write what a hook or a server would run, with its file tools in bypassPermissions',
      async () => {
        const { id, path } = place
        const write = (name: string): Call => ['Write', { file_path: join(path, name), content: 'hostile' }]
        const edit: Call = [
          'Edit',
          { file_path: join(path, 'scripts/deep/check.sh'), old_string: 'touch', new_string: 'rm' },
        ]
        const names = [
          'scripts/deep/check.sh',
          'server [1].mjs',
          '.claude/rules/r.md',
          '.claude/settings.json',
        ]
        const reads = [...names, 'free.txt'].map((name): Call => ['Read', { file_path: join(path, name) }])
        const calls = [...reads, ...names.map(write), edit, write('free.txt')]
        const { results } = await agent.attack({ mode: 'bypassPermissions', calls })
        const written = results.slice(reads.length).map(({ isError }) => !isError)
        expect(written).toEqual([...names.map(() => false), false, true])
        expect(readFileSync(join(path, 'free.txt'), 'utf8')).toBe('hostile')
        expect(await look(id)).toMatchObject({ state: 'trusted' })
      },
      3 * minutes,
    )

    it.skipIf(!sandboxHere)(
      'nor with sandboxed commands, by whatever name',
      async () => {
        const { id, path, marks } = place
        const attempts = [
          'echo hostile > scripts/deep/check.sh',
          'rm -f scripts/deep/check.sh',
          'mv scripts/deep scripts/moved; mkdir -p scripts/deep; echo hostile > scripts/deep/check.sh',
          'mv scripts elsewhere; mkdir -p scripts/deep; echo hostile > scripts/deep/check.sh',
          'rm -rf scripts',
          'cp free.txt tmp; mv -f tmp scripts/deep/check.sh',
          'ln -sf /tmp scripts/deep',
          "echo hostile > 'server [1].mjs'",
          'echo hostile > .claude/rules/r.md',
          'echo hostile > .claude/settings.json',
          'mkdir -p .claude/agents && echo hostile > .claude/agents/new.md',
          'echo fine > free.txt; echo fine > scripts/new.sh; echo fine > scripts/deep/new.sh',
        ]
        const calls = [script({ cwd: path }, 'attempts.sh', attempts.map((line) => `( ${line} )`).join('\n'))]
        const { results } = await agent.attack({ mode: 'bypassPermissions', calls })
        rmSync(join(marks, 'own'))
        await agent.attack({ mode: 'bypassPermissions', calls: [] })
        expect(readFileSync(join(path, 'scripts/deep/check.sh'), 'utf8')).toContain('touch')
        expect(readFileSync(join(path, 'server [1].mjs'), 'utf8')).toContain('process.exit')
        expect(existsSync(join(path, '.claude/agents/new.md'))).toBe(false)
        for (const name of ['free.txt', 'scripts/new.sh', 'scripts/deep/new.sh'])
          expect(readFileSync(join(path, name), 'utf8'), results[0]?.text).toBe('fine\n')
        expect(readdirSync(marks)).toEqual(['own'])
        expect(await look(id)).toMatchObject({ state: 'trusted' })
      },
      3 * minutes,
    )

    it(
      'has nothing of a script that was changed all the same: the hook runs no more',
      async () => {
        const { id, path, marks } = place
        await agent.attack({ mode: 'default', calls: [] })
        expect(readdirSync(marks)).toEqual(['own'])
        put(path, 'scripts/deep/check.sh', '#!/bin/sh\ntouch MARKS/hostile\n', marks)
        rmSync(join(marks, 'own'))
        await agent.attack({ mode: 'default', calls: [] })
        expect(readdirSync(marks)).toEqual([])
        const { state, changes } = await look(id)
        expect(state).toBe('changed')
        expect(changes).toMatchObject([
          {
            kind: 'script',
            path: 'scripts/deep/check.sh',
            change: 'changed',
            diff: expect.stringContaining('/hostile'),
          },
        ])
      },
      3 * minutes,
    )
  })

  it.skipIf(!sandboxHere)(
    'does not make a script that a hook names and that is not there, and nothing stays in its place',
    async () => {
      const names = ['scripts/deep/late.sh', 'not-there/late', 'late.mjs']
      const command = `sh ./${names[0]}; sh ./${names[1]}; node "$(git rev-parse --show-toplevel)"${names[2]}; true`
      const { UserPromptSubmit: matchers } = hooks(command)
      const { id, path, marks } = await workspaceWith(
        { ...files, '.claude/settings.json': { hooks: { PreToolUse: matchers, PostToolUse: matchers } } },
        true,
      )
      const place = { ...used.host, cwd: path }
      const hostile = `touch ${marks}/hostile`
      const attempts = [
        ...names.map((name) => `mkdir -p $(dirname ${name}); echo '${hostile}' > ${name}`),
        `echo '${hostile}' > tmp; mv -f tmp ${names[0]}; mv -f tmp ${names[2]}`,
        'mkdir made; echo x > made/late; mv made not-there; ln -s made not-there',
        'echo fine > scripts/deep/new.sh',
      ]
      const calls: Call[] = [
        ...names.map((name): Call => ['Write', { file_path: join(path, name), content: hostile }]),
        script(place, 'attempts.sh', attempts.map((line) => `( ${line} )`).join('\n')),
        ['Write', { file_path: join(path, 'new.txt'), content: 'fine' }],
      ]
      const outcome = await attack(place, used.prompts, { mode: 'bypassPermissions', calls, workspaceId: id })
      await turn(outcome.session)
      await outcome.session.close()
      expect(outcome.results.map(({ isError }) => isError).toSpliced(3, 1)).toEqual([true, true, true, false])
      expect(readFileSync(join(path, 'scripts/deep/new.sh'), 'utf8'), outcome.results[3]?.text).toBe('fine\n')
      for (const name of names) expect(existsSync(join(path, name)), name).toBe(false)
      expect(readdirSync(marks)).toEqual([])
      expect(await look(id)).toMatchObject({ state: 'trusted' })
    },
    3 * minutes,
  )

  it.skipIf(!sandboxHere)(
    'keeps its trust while a sandboxed command runs, whatever the sandbox puts there for that time',
    async () => {
      const { id, path } = await workspaceWith({}, true)
      const command = 'echo 1 > started; until [ -e go ]; do sleep 0.1; done'
      const bash = toolUse('Bash', { command, description: 'waits' })
      const session = await used.start([bash, 'done'], {
        workspace_id: id,
        permission_mode: 'bypassPermissions',
      })
      await vi.waitUntil(() => existsSync(join(path, 'started')), { timeout: minutes })
      expect(existsSync(join(path, '.claude/settings.json'))).toBe(true)
      const other = await used.start(['done'], { workspace_id: id })
      await other.endOf(1)
      expect(await look(id)).toMatchObject({ state: 'trusted', items: [] })
      const { faults } = await used.host.client.listMcpServers({ query: { workspace_id: id } })
      expect(faults).toEqual([])
      put(path, 'go', '')
      await session.endOf(1)
      const { entries } = await used.host.client.listAudit({ query: { action: 'workspace_trust_lost' } })
      expect(entries.filter(({ detail }) => JSON.stringify(detail).includes(id))).toEqual([])
    },
    3 * minutes,
  )
})

/** Every hook that runs for sessions of a workspace is listed, by the real CLI where one runs there, and alike by its files where none does. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Hook, WorkspaceHooks } from '@dorkos/shared'
import { beforeEach, describe, expect, it } from 'vitest'
import { trustWorkspace } from './support/trust-workspace.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()
const own: Hook = { event: 'PreToolUse', kind: 'callback', source: 'dorkos' }
let made = 0

function put(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}
const command = (text: string, matcher?: string, more: object = {}) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [{ type: 'command', command: text, ...more }],
})
const list = (id: string) => used.host.client.listWorkspaceHooks({ params: { id } })
const userFile = () => join(used.host.root, '.claude', 'settings.json')
const main = async () => {
  const { workspaces } = await used.host.client.listWorkspaces()
  const found = workspaces.find((workspace) => workspace.main)
  if (!found) throw new Error('there is no main workspace')
  return found
}
async function added(files: Record<string, unknown>, trusted: boolean) {
  const path = join(used.host.root, `hooked-${++made}`)
  mkdirSync(path)
  for (const [name, content] of Object.entries(files)) put(join(path, name), content)
  const workspace = await used.host.client.createWorkspace({ body: { path } })
  if (trusted) await trustWorkspace(used.host.client, workspace.id)
  return workspace
}
/** What a process says, once one runs. Nothing is said to it: no hook runs. */
async function byProcess(id: string): Promise<WorkspaceHooks> {
  const { session } = await used.host.client.createSession({ body: { workspace_id: id } })
  const params = { id: session.id }
  await used.host.client.startSession({ params, body: {} })
  const listed = await list(id)
  expect(listed.from).toBe('process')
  await used.host.client.deleteSession({ params })
  return listed
}
/** Both ways to know are compared, in any order; only where a plugin's hooks stand does the CLI not say. */
async function bothWays(id: string): Promise<Hook[]> {
  const files = await list(id)
  expect(files.from).toBe('files')
  const process = await byProcess(id)
  const comparable = ({ hooks, off }: WorkspaceHooks) => ({
    off,
    hooks: hooks
      .map((hook) => (hook.source === 'plugin' ? { ...hook, file: '' } : hook))
      .map(texts)
      .toSorted(),
  })
  expect(comparable(process)).toEqual(comparable(files))
  return files.hooks
}
const texts = (hook: Hook) => JSON.stringify(Object.entries(hook).toSorted())

beforeEach(() => put(userFile(), {}))

describe('the main workspace', () => {
  it('has the hooks of the owner’s own settings, and those of its files once they are trusted; a process that is not of today is not asked', async () => {
    const { id, path } = await main()
    put(userFile(), { hooks: { Stop: [command('echo mine --token abcdefghijklmnop')] } })
    put(join(path, '.claude', 'settings.json'), {
      hooks: { PreToolUse: [command('echo project', 'Bash|Edit')] },
    })
    const ofUser = {
      event: 'Stop',
      kind: 'command',
      runs: expect.stringMatching(/^echo mine --token [^a-z]+$/),
      source: 'user',
      file: userFile(),
    }
    expect(await bothWays(id)).toEqual([own, ofUser])

    const session = await used.start(['done'], { workspace_id: id })
    await session.endOf(1)
    await trustWorkspace(used.host.client, id)
    // The session runs without them until its next message.
    const ofProject = {
      event: 'PreToolUse',
      matcher: 'Bash|Edit',
      kind: 'command',
      runs: 'echo project',
      source: 'project',
      file: join(path, '.claude', 'settings.json'),
    }
    expect(await list(id)).toEqual({ from: 'files', hooks: [own, ofProject, ofUser], faults: [] })
    await session.say(used.prompts.on('now', 'done'))
    expect(await list(id)).toEqual({ from: 'process', hooks: [own, ofProject, ofUser], faults: [] })

    put(join(path, '.claude', 'settings.json'), { hooks: { PreToolUse: [command('echo changed')] } })
    expect((await list(id)).hooks).toEqual([own, ofUser])
    await used.host.client.takeWorkspaceTrust({ params: { id } })
  })

  it('has those of plugins, of every kind of hook, as the CLI lists them', async () => {
    const { id } = await main()
    const marketplace = join(used.host.root, 'market')
    const folder = join(used.host.root, '.claude', 'plugins')
    const time = new Date().toISOString()
    put(join(marketplace, '.claude-plugin', 'marketplace.json'), {
      name: 'mk',
      owner: { name: 'o' },
      plugins: [
        { name: 'p', source: './p', description: 'p' },
        { name: 'off', source: './off', description: 'off' },
      ],
    })
    for (const name of ['p', 'off']) {
      const root = join(marketplace, name)
      put(join(root, '.claude-plugin', 'plugin.json'), {
        ...{ name, version: '1.0.0', description: name },
        hooks: { Notification: [command('echo inline')] },
      })
      put(join(root, 'hooks', 'hooks.json'), {
        hooks: { PostToolUse: [command('$' + '{CLAUDE_PLUGIN_ROOT}/format.sh', 'Edit')] },
      })
    }
    put(join(folder, 'known_marketplaces.json'), {
      mk: {
        source: { source: 'directory', path: marketplace },
        installLocation: marketplace,
        lastUpdated: time,
      },
    })
    const record = (name: string) => [
      {
        scope: 'user',
        installPath: join(marketplace, name),
        version: '1.0.0',
        installedAt: time,
        lastUpdated: time,
      },
    ]
    put(join(folder, 'installed_plugins.json'), {
      version: 2,
      plugins: { 'p@mk': record('p'), 'off@mk': record('off') },
    })
    put(userFile(), {
      enabledPlugins: { 'p@mk': true, 'off@mk': false },
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'prompt', prompt: 'Is it done?', timeout: 20 },
              { type: 'agent', prompt: 'Look whether it is done.' },
              {
                type: 'http',
                url: 'https://hooks.example/x?token=abcdefghijkl',
                headers: { 'X-Key': 'hidden' },
              },
              { type: 'mcp_tool', server: 'mine', tool: 'note', input: {} },
              {
                type: 'command',
                command: 'node',
                args: ['say it.mjs', '--password', 'hunter2'],
                async: true,
              },
            ],
          },
        ],
        PreToolUse: [command('git status', '*', { if: 'Bash(git *)', once: true, statusMessage: 'looking' })],
      },
    })
    const hooks = await bothWays(id)
    const found = (event: string) => hooks.filter((hook) => hook.event === event && hook.source !== 'dorkos')
    expect(found('PostToolUse')).toMatchObject([
      { source: 'plugin', plugin: 'p@mk', runs: '$' + '{CLAUDE_PLUGIN_ROOT}/format.sh', matcher: 'Edit' },
    ])
    expect(found('Notification')).toMatchObject([{ source: 'plugin', plugin: 'p@mk', runs: 'echo inline' }])
    expect(found('PreToolUse')).toMatchObject([{ runs: 'git status', condition: 'Bash(git *)', once: true }])
    expect(found('PreToolUse')[0]).not.toHaveProperty('matcher')
    expect(found('Stop').map(({ kind, runs }) => [kind, runs])).toEqual([
      ['prompt', 'Is it done?'],
      ['agent', 'Look whether it is done.'],
      ['http', expect.stringMatching(/^https:\/\/hooks\.example\/x\?token=[^a-z]+$/)],
      ['mcp_tool', 'mine/note'],
      ['command', expect.stringMatching(/^node "say it\.mjs" --password [^a-z]+$/)],
    ])
    expect(JSON.stringify(hooks)).not.toMatch(/hidden|hunter2|abcdefghijkl/)
  })

  it('says that settings turn them off, and which', async () => {
    const { id } = await main()
    put(userFile(), { disableAllHooks: true, hooks: { Stop: [command('echo off')] } })
    const hooks = await bothWays(id)
    expect(hooks).toMatchObject([own, { runs: 'echo off', disabled: true }])
    expect(await list(id)).toMatchObject({ off: 'settings' })
  })
})

describe('another workspace', () => {
  it('has none but DorkOS’s own until it is trusted, then those of its project and local settings, never the owner’s', async () => {
    put(userFile(), { hooks: { Stop: [command('echo mine')] } })
    const files = {
      '.claude/settings.json': { hooks: { Stop: [command('echo project')] } },
      '.claude/settings.local.json': { hooks: { Stop: [command('echo local')] } },
    }
    const untrusted = await added(files, false)
    expect(await bothWays(untrusted.id)).toEqual([own])
    expect(await list(untrusted.id)).toEqual({ from: 'files', hooks: [own], faults: [] })
    const trusted = await added(files, true)
    expect(await bothWays(trusted.id)).toMatchObject([
      own,
      { runs: 'echo project', source: 'project', file: join(trusted.path, '.claude', 'settings.json') },
      { runs: 'echo local', source: 'local', file: join(trusted.path, '.claude', 'settings.local.json') },
    ])
  })

  it('in a repository also has the local settings of its root', async () => {
    const repository = join(used.host.root, `repository-${++made}`)
    put(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main')
    put(join(repository, '.claude', 'settings.local.json'), { hooks: { Stop: [command('echo root')] } })
    put(join(repository, '.claude', 'settings.json'), { hooks: { Stop: [command('echo not this')] } })
    const path = join(repository, 'part')
    mkdirSync(path)
    const { id } = await used.host.client.createWorkspace({ body: { path } })
    await trustWorkspace(used.host.client, id)
    expect(await bothWays(id)).toMatchObject([own, { runs: 'echo root', source: 'local' }])
  })

  it('with hostile settings lists what the CLI would run of them, whole but bounded, and says what is skipped', async () => {
    const control = 'echo \u001b[2J\u202eevil'
    const { id, path } = await added(
      {
        '.claude/settings.json': {
          hooks: {
            __proto__: 'x',
            Nope: [command('no such event')],
            Stop: [
              'text',
              null,
              { hooks: 'x' },
              { matcher: 5, hooks: [{ type: 'command', command: 'matcher' }] },
              { hooks: [7, { type: 'command', command: 17 }, { type: 'strange', command: 'kind' }] },
              command('bad timeout', '', { timeout: '5' }),
              command(control),
              command('x'.repeat(200_000), 'y'.repeat(5000)),
            ],
          },
        },
        '.claude/settings.local.json': { hooks: { PreToolUse: 'x', Stop: [command('skipped')] } },
      },
      true,
    )
    const listed = await bothWays(id)
    expect(listed.map(({ runs }) => runs?.slice(0, 20))).toEqual([undefined, control, 'x'.repeat(20)])
    expect(listed[2]).toMatchObject({ cut: true })
    expect(listed[2]?.runs?.length).toBe(8000)
    expect(listed[2]?.matcher?.length).toBeLessThan(600)
    const { faults } = await list(id)
    expect(faults).toMatchObject([{ file: join(path, '.claude', 'settings.local.json') }])
    expect((await byProcess(id)).faults[0]).toMatchObject({
      file: join(path, '.claude', 'settings.local.json'),
    })
  })
})

it('of a workspace that is not there none are listed', async () => {
  await expect(list('ws_00000000000000000000')).rejects.toMatchObject({ status: 404 })
})

/** Every hook and plugin that sessions of a workspace would have is listed, with whether it counts. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Hook } from '@dorkos/shared'
import { beforeEach, describe, expect, it } from 'vitest'
import { installPlugin, put } from './support/install-plugin.ts'
import { trustWorkspace } from './support/trust-workspace.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()
const own: Partial<Hook> = { event: 'PreToolUse', kind: 'callback', source: 'dorkos' }
let made = 0

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
/** Where they come from and what they run; whether they count is said elsewhere. */
async function listed(id: string): Promise<Partial<Hook>[]> {
  const { hooks } = await list(id)
  return hooks.map(({ digest: _, state: __, decides: ___, consent: ____, ...hook }) => hook)
}
const states = async (id: string) =>
  (await list(id)).hooks.map(({ source, event, state }) => `${source} ${event} ${state}`)

beforeEach(() => put(userFile(), {}))

describe('the main workspace', () => {
  it('has the hooks of the owner’s own settings, and those of its files once they are trusted', async () => {
    const { id, path } = await main()
    put(userFile(), { hooks: { Stop: [command('echo mine --token abcdefghijklmnop')] } })
    put(join(path, '.claude', 'settings.json'), {
      hooks: { PreToolUse: [command('echo project', 'Bash|Edit')], Stop: [command('echo project')] },
    })
    const ofUser = {
      event: 'Stop',
      kind: 'command',
      runs: expect.stringMatching(/^echo mine --token [^a-z]+$/),
      source: 'user',
      file: userFile(),
    }
    expect(await listed(id)).toEqual([own, ofUser])
    expect(await states(id)).toEqual(['dorkos PreToolUse runs', 'user Stop waits'])
    await trustWorkspace(used.host.client, id)
    const file = join(path, '.claude', 'settings.json')
    const ofProject = { kind: 'command', runs: 'echo project', source: 'project', file }
    expect(await listed(id)).toEqual([
      own,
      { ...ofProject, event: 'PreToolUse', matcher: 'Bash|Edit', can_allow: true },
      ofUser,
      { ...ofProject, event: 'Stop' },
    ])
    // Trust is no consent to be asked about tool calls.
    expect(await states(id)).toEqual([
      'dorkos PreToolUse runs',
      'project PreToolUse waits',
      'user Stop waits',
      'project Stop runs',
    ])
    put(file, { hooks: { PreToolUse: [command('echo changed')] } })
    expect(await listed(id)).toEqual([own, ofUser])
    await used.host.client.takeWorkspaceTrust({ params: { id } })
  })

  it('has those of plugins, of every kind, why some do not run, and what each plugin brings', async () => {
    const { id } = await main()
    installPlugin(used.host, 'p', {
      '.claude-plugin/plugin.json': {
        name: 'p',
        version: '1.0.0',
        hooks: { Notification: [command('echo inline')] },
      },
      'hooks/hooks.json': {
        hooks: { PostToolUse: [command('$' + '{CLAUDE_PLUGIN_ROOT}/format.sh', 'Edit')] },
        modules: ['./register.mjs'],
      },
      'hooks/register.mjs': 'export function register() {}',
      'format.sh': 'true',
      'skills/one/SKILL.md': '---\nname: one\ndescription: d\n---\n',
      'settings.json': { agent: 'p:boss' },
      'output-styles/loud.md': '---\nname: loud\nforce-for-plugin: true\n---\n',
    })
    put(userFile(), {
      enabledPlugins: { 'p@market': true, 'off@market': false, 'gone@market': true },
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
    const hooks = await listed(id)
    const found = (event: string) => hooks.filter((hook) => hook.event === event && hook.source !== 'dorkos')
    expect(found('PostToolUse')).toMatchObject([
      { source: 'plugin', plugin: 'p@market', runs: '$' + '{CLAUDE_PLUGIN_ROOT}/format.sh', matcher: 'Edit' },
    ])
    expect(found('Notification')).toMatchObject([
      { source: 'plugin', plugin: 'p@market', runs: 'echo inline' },
    ])
    expect(found('PreToolUse')).toMatchObject([{ runs: 'git status', condition: 'Bash(git *)', once: true }])
    expect(found('PreToolUse')[0]).not.toHaveProperty('matcher')
    expect(found('Stop').map(({ kind, runs }) => [kind, runs])).toEqual([
      ['prompt', 'Is it done?'],
      ['agent', 'Look whether it is done.'],
      ['http', expect.stringMatching(/^https:\/\/hooks\.example\/x\?token=[^a-z]+\nX-Key: [^a-z]+$/)],
      ['mcp_tool', 'mine/note'],
      ['command', expect.stringMatching(/^node "say it\.mjs" --password [^a-z]+$/)],
    ])
    expect(JSON.stringify(await list(id))).not.toMatch(/hidden|hunter2|abcdefghijkl/)
    const { plugins, hooks: all, faults } = await list(id)
    expect(plugins).toMatchObject([{ id: 'p@market', version: '1.0.0', state: 'waits' }])
    expect(plugins[0]?.brings.toSorted((a, b) => (a.part < b.part ? -1 : 1))).toEqual(
      ['forced_style', 'main_agent', 'modules', 'skills'].map((part) => ({ part, count: 1 })),
    )
    expect(faults.map(({ reason }) => reason)).toEqual([expect.stringContaining('gone@market')])
    const why = expect.stringContaining('only Claude Code can run it')
    expect(
      all.flatMap((hook) => (hook.state === 'unsupported' ? [[hook.kind, hook.why, hook.can_allow]] : [])),
    ).toEqual(['prompt', 'agent', 'mcp_tool'].map((kind) => [kind, why, undefined]))
    expect(all.find(({ event }) => event === 'PostToolUse')).toMatchObject({
      scripts: [expect.stringContaining('format.sh')],
    })
  })

  it('shows those in the heads of skills, commands and agents, which do not run', async () => {
    const { id, path } = await main()
    const md = (event: string) =>
      `---\nname: x\nhooks:\n  ${event}:\n    - hooks:\n        - type: command\n          command: ./x.sh\n---\ntext\n`
    const inUser = (file: string) => join(used.host.root, '.claude', file)
    const root = installPlugin(used.host, 'headed', { 'skills/one/SKILL.md': md('Stop') })
    put(userFile(), { enabledPlugins: { 'headed@market': true } })
    put(inUser('skills/sk/SKILL.md'), md('PreToolUse'))
    put(inUser('skills/sk/more.md'), md('Stop'))
    put(inUser('agents/deep/a.md'), md('SubagentStop'))
    put(join(path, '.claude/commands/c.md'), md('Stop'))
    const heads = async () =>
      (await list(id)).hooks.flatMap(({ event, file, source, state, why, digest }) =>
        file?.endsWith('.md') ? [[event, file, source, state, why?.slice(0, 34), digest]] : [],
      )
    const shown = ['unsupported', 'It’s defined in the frontmatter of', undefined]
    const ofOwner = [
      ['PreToolUse', inUser('skills/sk/SKILL.md'), 'user', ...shown],
      ['Stop', join(root, 'skills/one/SKILL.md'), 'plugin', ...shown],
      ['SubagentStop', inUser('agents/deep/a.md'), 'user', ...shown],
    ]
    const inOrder = (rows: unknown[][]) => rows.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
    expect(inOrder(await heads())).toEqual(ofOwner)
    await trustWorkspace(used.host.client, id)
    const ofProject = ['Stop', join(path, '.claude/commands/c.md'), 'project', ...shown]
    expect(inOrder(await heads())).toEqual(inOrder([...ofOwner, ofProject]))
    await used.host.client.takeWorkspaceTrust({ params: { id } })
    for (const folder of ['skills', 'agents']) rmSync(inUser(folder), { recursive: true })
    rmSync(join(path, '.claude/commands'), { recursive: true })
  })

  it('says that settings turn them off, and which', async () => {
    const { id } = await main()
    put(userFile(), { disableAllHooks: true, hooks: { Stop: [command('echo off')] } })
    const hooks = await listed(id)
    expect(hooks).toMatchObject([own, { runs: 'echo off' }])
    expect(await states(id)).toEqual(['dorkos PreToolUse runs', 'user Stop off'])
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
    expect(await listed(untrusted.id)).toEqual([own])
    expect(await list(untrusted.id)).toMatchObject({ hooks: [own], plugins: [], faults: [] })
    const trusted = await added(files, true)
    expect(await listed(trusted.id)).toMatchObject([
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
    expect(await listed(id)).toMatchObject([own, { runs: 'echo root', source: 'local' }])
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
    const hooks = await listed(id)
    expect(hooks.map(({ runs }) => runs?.slice(0, 20))).toEqual([undefined, control, 'x'.repeat(20)])
    expect(hooks[2]).toMatchObject({ cut: true })
    expect(hooks[2]?.runs?.length).toBe(8000)
    expect(hooks[2]?.matcher?.length).toBeLessThan(600)
    const { faults } = await list(id)
    expect(faults).toMatchObject([{ file: join(path, '.claude', 'settings.local.json') }])
  })
})

it('of a workspace that is not there none are listed', async () => {
  await expect(list('ws_00000000000000000000')).rejects.toMatchObject({ status: 404 })
})

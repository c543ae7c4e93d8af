/** A consent is for what was shown, and for no more: hooks and plugins of the owner’s, once they were looked at and allowed. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { codeModule } from '../support/code-module.ts'
import {
  allowAll,
  bash,
  commandHook,
  consent,
  hooksView,
  mainWorkspace,
  says,
  toldModel,
} from '../support/hook-consents.ts'
import { installPlugin, put } from '../support/install-plugin.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { trustWorkspace } from '../support/trust-workspace.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost()
const settings = () => join(used.host.root, '.claude/settings.json')
const inHome = (name: string) => join(used.host.root, name)
const told = (id: string) => toldModel(used.host, id)

beforeEach(() => put(settings(), {}))

describe('other hooks', () => {
  it('run with the input that Claude Code gives them and without any key; what they say reaches the model and those who follow, and is no more than words', async () => {
    const hook = (name: string, more = '') =>
      commandHook(`cat > ${inHome(`${name}.json`)}; env > ${inHome(`${name}.env`)}; ${more}`)
    const claims = {
      hookEventName: 'SessionStart',
      initialUserMessage: 'NOBODY-SAID-THIS',
      additionalContext: 'CLAIMING-WORDS',
    }
    put(settings(), {
      hooks: {
        SessionStart: [hook('start', 'echo OPENING-WORDS'), commandHook(says(claims))],
        UserPromptSubmit: [hook('prompt', 'echo PROMPT-WORDS')],
        PostToolUse: [hook('after', 'echo use tabs >&2; exit 2')],
        Stop: [hook('stop')],
      },
    })
    await allowAll(used.host)
    const session = await used.start([bash('echo one'), 'Finished.'])
    await session.endOf(1)
    const input = (name: string) => JSON.parse(readFileSync(inHome(`${name}.json`), 'utf8'))
    expect(input('start')).toMatchObject({
      hook_event_name: 'SessionStart',
      source: 'startup',
      cwd: used.host.cwd,
    })
    expect(input('prompt')).toMatchObject({ hook_event_name: 'UserPromptSubmit', prompt: expect.any(String) })
    expect(input('after')).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'echo one' } })
    expect(input('stop')).toMatchObject({ hook_event_name: 'Stop' })
    const env = readFileSync(inHome('after.env'), 'utf8')
    expect(env).toContain(`CLAUDE_PROJECT_DIR=${used.host.cwd}`)
    expect(env).not.toMatch(/ANTHROPIC|sk-test|CLAUDE_CODE_|DORKOS/)
    for (const words of ['OPENING-WORDS', 'CLAIMING-WORDS', 'PROMPT-WORDS', 'use tabs'])
      expect(told(session.id)).toContain(words)
    // They cannot answer, speak for a person, or go on by themselves.
    expect(told(session.id)).not.toContain('NOBODY-SAID-THIS')
    expect(session.watch.of('turn_start')).toHaveLength(1)
    expect(session.watch.of('hook_result').map(({ hook: name, outcome }) => `${name} ${outcome}`)).toEqual([
      'SessionStart said',
      'SessionStart said',
      'UserPromptSubmit said',
      'PostToolUse:Bash blocked',
    ])
  })
})

describe('a consent', () => {
  it('is for what was shown: another command or a changed script waits again, also in a session that runs; it is taken back at once, and both are in the audit log', async () => {
    const script = inHome('.claude/hooks/mine.sh')
    put(script, `touch ${inHome('ran-first')}`)
    put(settings(), { hooks: { Stop: [commandHook(`sh ${script}`)] } })
    const [, hook] = (await hooksView(used.host)).hooks
    expect(hook).toMatchObject({ state: 'waits', scripts: [script] })
    await allowAll(used.host)
    const session = await used.start(['One.'])
    await session.endOf(1)
    expect(existsSync(inHome('ran-first'))).toBe(true)
    put(script, `touch ${inHome('ran-second')}`)
    expect((await hooksView(used.host)).hooks[1]).toMatchObject({ state: 'waits' })
    await expect(consent(used.host, hook?.digest ?? '')).rejects.toMatchObject({ status: 409 })
    await session.say(used.prompts.on('again', 'Two.'))
    expect(existsSync(inHome('ran-second'))).toBe(false)
    await allowAll(used.host)
    await session.say(used.prompts.on('once more', 'Three.'))
    expect(existsSync(inHome('ran-second'))).toBe(true)

    rmSync(inHome('ran-second'))
    const now = (await hooksView(used.host)).hooks[1]
    const params = { id: await mainWorkspace(used.host), digest: now?.digest ?? '' }
    await used.host.client.revokeWorkspaceHook({ params })
    await session.say(used.prompts.on('after', 'Four.'))
    expect(existsSync(inHome('ran-second'))).toBe(false)
    await expect(used.host.client.revokeWorkspaceHook({ params })).rejects.toMatchObject({ status: 404 })
    const { entries } = await used.host.client.listAudit({ query: { workspace_id: params.id, limit: 20 } })
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('hook_'))
    expect(actions.slice(0, 2)).toEqual(['hook_revoked', 'hook_allowed'])
  })

  it('is for what was shown in the middle of a turn too, and agents do not write what it names', async () => {
    const script = join(used.host.cwd, 'guard.sh')
    put(script, `touch ${inHome('guard-first')}`)
    put(settings(), { hooks: { PostToolUse: [commandHook('sh "$CLAUDE_PROJECT_DIR"/guard.sh', 'Bash')] } })
    await allowAll(used.host)
    const write = toolUse('Write', { file_path: script, content: `touch ${inHome('guard-second')}` })
    const session = await used.start(
      [
        toolUse('Read', { file_path: script }),
        write,
        // Without a sandbox nothing holds a command.
        ...(sandboxHere ? [bash(`echo touch ${inHome('guard-second')} > guard.sh`)] : []),
        () => {
          // Somebody else does.
          put(script, `touch ${inHome('guard-third')}`)
          return bash('echo one')
        },
        'Done.',
      ],
      { permission_mode: 'bypassPermissions' },
    )
    await session.endOf(1)
    const failed = session.watch.of('tool_result').map(({ is_error }) => is_error)
    expect(failed).toEqual([false, true, ...(sandboxHere ? [true] : []), false])
    expect(['first', 'second', 'third'].filter((name) => existsSync(inHome(`guard-${name}`)))).toEqual([])
  })

  it.each([
    ['is not asked about tool calls', 'Stop', {}],
    ['has a condition', 'PreToolUse', { if: 'Bash(git *)' }],
    ['runs in the background', 'PermissionRequest', { async: true }],
  ])('to allow is not for a hook that %s, which can be let run', async (_, event, more) => {
    put(settings(), { hooks: { [event]: [{ hooks: [{ type: 'command', command: 'true', ...more }] }] } })
    const { digest = '' } = (await hooksView(used.host)).hooks.find(({ source }) => source === 'user') ?? {}
    const message = expect.stringMatching(/can’t approve calls|allowed to approve them/)
    await expect(consent(used.host, digest, 'allow')).rejects.toMatchObject({ status: 400, message })
    await consent(used.host, digest)
  })

  it('to a plugin has it loaded, but its hooks only each by its own, and its code never', async () => {
    installPlugin(used.host, 'kind', {
      'agents/helper.md': '---\nname: helper\ndescription: d\n---\nYou help.',
      'hooks/hooks.json': {
        hooks: { Stop: [commandHook(`touch ${inHome('plugin-hook')}`)] },
        modules: ['./register.js'],
      },
      'hooks/register.js': codeModule(inHome('plugin-code')),
      '.mcp.json': {
        mcpServers: { box: { command: 'sh', args: ['-c', `touch ${inHome('plugin-server')}; cat`] } },
      },
    })
    await trustWorkspace(used.host.client, await mainWorkspace(used.host))
    put(settings(), { enabledPlugins: { 'kind@market': true } })
    // With its code, which allows every call, the command would run.
    const offered = async () => {
      const session = await used.start([bash('touch by-code'), 'Done.'], { permission_mode: 'dontAsk' })
      await session.endOf(1)
      const { agents } = await used.host.client.getCapabilities({ params: { id: session.id } })
      return JSON.stringify(agents).includes('kind:helper')
    }
    expect(await offered()).toBe(false)
    const { servers } = await used.host.client.listMcpServers({ query: {} })
    expect(servers.find(({ name }) => name === 'plugin:kind:box')).toMatchObject({
      use: 'filtered',
      reason: 'plugin',
    })
    expect(existsSync(inHome('plugin-server'))).toBe(false)
    const [plugin] = (await hooksView(used.host)).plugins
    await consent(used.host, plugin?.digest ?? '')
    expect(await offered()).toBe(true)
    await expect.poll(() => existsSync(inHome('plugin-server'))).toBe(true)
    expect(existsSync(inHome('plugin-hook'))).toBe(false)
    await allowAll(used.host)
    expect(await offered()).toBe(true)
    expect(existsSync(inHome('plugin-hook'))).toBe(true)
    expect(existsSync(inHome('plugin-code'))).toBe(false)
    expect(existsSync(join(used.host.cwd, 'by-code'))).toBe(false)
  })

  it('to a plugin is none to another of its name; of those that share an id none is loaded until all are allowed', async () => {
    const agent = (name: string) => ({
      [`agents/${name}.md`]: `---\nname: ${name}\ndescription: d\n---\nYou help.`,
    })
    const inSkills = ['one', 'two'].map((name) => inHome(`.claude/skills/${name}`))
    for (const folder of inSkills) {
      put(join(folder, '.claude-plugin/plugin.json'), { name: 'twin', version: '1.0.0' })
      for (const [file, text] of Object.entries(agent(basename(folder)))) put(join(folder, file), text)
    }
    const allow = async (root = '') => {
      const { plugins } = await hooksView(used.host)
      await consent(used.host, plugins.find((plugin) => plugin.root === root)?.digest ?? '')
    }
    const offered = async () => {
      const session = await used.start(['Done.'])
      await session.endOf(1)
      const { agents } = await used.host.client.getCapabilities({ params: { id: session.id } })
      return JSON.stringify(agents).match(/twin:\w+/g) ?? []
    }
    await allow(inSkills[0])
    expect(await offered()).toEqual([])
    await allow(inSkills[1])
    expect([['twin:one'], ['twin:two']]).toContainEqual(await offered())
    const installed = installPlugin(used.host, 'twin', agent('installed'))
    put(settings(), { enabledPlugins: { 'twin@market': true } })
    expect(await offered()).not.toContain('twin:installed')
    await allow(installed)
    expect(await offered()).toEqual(['twin:installed'])
  })
})

/** The owner's own hooks go on working once they were looked at and allowed: they can refuse and add words; to allow, they need to be told so. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookGrant } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { decisions } from './support/hostile-agent.ts'
import { installPlugin, put } from './support/install-plugin.ts'
import { trustWorkspace } from './support/trust-workspace.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()
const settings = () => join(used.host.root, '.claude/settings.json')
const inHome = (name: string) => join(used.host.root, name)
const command = (text: string, matcher = '') => ({ matcher, hooks: [{ type: 'command', command: text }] })
const says = (own: object) => `echo '${JSON.stringify({ hookSpecificOutput: own })}'`
const bash = (text: string) => toolUse('Bash', { command: text, description: 'a test' })

const main = async () => {
  const { workspaces } = await used.host.client.listWorkspaces()
  return workspaces.find((workspace) => workspace.main)?.id ?? ''
}
const view = async () => used.host.client.listWorkspaceHooks({ params: { id: await main() } })
const consent = async (digest: string, grant: HookGrant = 'run') =>
  used.host.client.allowWorkspaceHook({ params: { id: await main() }, body: { digest, grant } })
/** Allows every hook and plugin that waits. */
async function allowAll(grant: HookGrant = 'run'): Promise<void> {
  const { plugins } = await view()
  for (const { digest } of plugins) if (digest) await consent(digest)
  for (const { digest, decides } of (await view()).hooks)
    if (digest) await consent(digest, decides ? grant : 'run')
}
/** All that the model was told in a session. */
const told = (id: string) =>
  JSON.stringify(used.host.model.requests.filter(({ sessionId }) => sessionId === id).map(({ body }) => body))

beforeEach(() => put(settings(), {}))

describe('a hook that is asked about tool calls', () => {
  const event = { hookEventName: 'PreToolUse' }

  it('refuses and adds words once it is allowed to run; before, nobody asks it', async () => {
    const refuses = `if grep -q forbidden; then echo 'not that word' >&2; exit 2; fi`
    const adds = says({ ...event, additionalContext: 'WORDS-OF-THE-HOOK' })
    put(settings(), { hooks: { PreToolUse: [command(refuses, 'Bash'), command(adds, 'Bash')] } })
    const before = await used.start([bash('echo forbidden'), 'Done.'])
    await before.endOf(1)
    expect(before.watch.of('notice')).toMatchObject([{ code: 'hooks_wait' }])
    expect(await decisions(used.host, before.id)).toEqual(['Bash: allow cli'])
    await allowAll()
    const session = await used.start([bash('echo forbidden'), bash('echo fine'), 'Done.'])
    await session.endOf(1)
    expect(session.watch.of('tool_call_denied')).toMatchObject([
      {
        decided_by: { kind: 'hook', hook_name: expect.stringContaining('forbidden') },
        message: 'not that word',
      },
    ])
    expect(await decisions(used.host, session.id)).toEqual(['Bash: deny hook', 'Bash: allow cli'])
    expect(told(session.id)).toContain('WORDS-OF-THE-HOOK')
  })

  it.each(['PreToolUse', 'PermissionRequest'] as const)(
    'allows nothing by %s unless its consent says so, and is then the decider in the audit log',
    async (name) => {
      const own =
        name === 'PreToolUse' ? { permissionDecision: 'allow' } : { decision: { behavior: 'allow' } }
      put(settings(), { hooks: { [name]: [command(says({ hookEventName: name, ...own }), 'Bash')] } })
      await allowAll('run')
      const asked = await used.start([bash(`date > asked-${name}`), 'Done.'])
      await asked.answer({ decision: 'deny', message: 'no' })
      await asked.endOf(1)
      expect(existsSync(join(used.host.cwd, `asked-${name}`))).toBe(false)
      await allowAll('allow')
      const session = await used.start([bash(`date > allowed-${name}`), 'Done.'])
      await session.endOf(1)
      expect(session.watch.of('approval_required')).toEqual([])
      expect(existsSync(join(used.host.cwd, `allowed-${name}`))).toBe(true)
      expect(session.watch.of('tool_call_allowed')).toMatchObject([{ decided_by: { kind: 'hook' } }])
      expect(await decisions(used.host, session.id)).toEqual(['Bash: allow hook'])
    },
  )

  it('never has another input run: a call that it would rewrite is denied', async () => {
    const rewrites = {
      ...event,
      permissionDecision: 'allow',
      updatedInput: { command: `touch ${inHome('rewritten')}` },
    }
    put(settings(), { hooks: { PreToolUse: [command(says(rewrites), 'Bash')] } })
    await allowAll('allow')
    for (const mode of ['default', 'bypassPermissions'] as const) {
      const session = await used.start([bash('date > original'), 'Done.'], { permission_mode: mode })
      await session.endOf(1)
      expect(await decisions(used.host, session.id)).toEqual(['Bash: deny hook'])
    }
    expect(existsSync(inHome('rewritten'))).toBe(false)
    expect(existsSync(join(used.host.cwd, 'original'))).toBe(false)
  })

  it.each(['PreToolUse', 'PermissionRequest'] as const)(
    'does not allow by %s what a rule asks about',
    async (name) => {
      const own =
        name === 'PreToolUse' ? { permissionDecision: 'allow' } : { decision: { behavior: 'allow' } }
      put(settings(), { hooks: { [name]: [command(says({ hookEventName: name, ...own }), 'Bash')] } })
      await allowAll('allow')
      const rule = { effect: 'ask', tool: 'Bash', scope: { kind: 'everywhere' } } as const
      const { id } = await used.host.client.createRule({ body: rule })
      const session = await used.start([bash('echo by rule'), 'Done.'])
      await session.answer({ decision: 'deny', message: 'no' })
      await session.endOf(1)
      await used.host.client.revokeRule({ params: { id } })
    },
  )
})

describe('other hooks', () => {
  it('run with the input that Claude Code gives them and without any key; what they say reaches the model and those who follow', async () => {
    const hook = (name: string, more = '') =>
      command(`cat > ${inHome(`${name}.json`)}; env > ${inHome(`${name}.env`)}; ${more}`)
    put(settings(), {
      hooks: {
        SessionStart: [hook('start', 'echo OPENING-WORDS')],
        UserPromptSubmit: [hook('prompt', 'echo PROMPT-WORDS')],
        PostToolUse: [hook('after', 'echo use tabs >&2; exit 2')],
        Stop: [hook('stop')],
      },
    })
    await allowAll()
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
    for (const words of ['OPENING-WORDS', 'PROMPT-WORDS', 'use tabs'])
      expect(told(session.id)).toContain(words)
    expect(session.watch.of('hook_result').map(({ hook: name, outcome }) => `${name} ${outcome}`)).toEqual([
      'SessionStart said',
      'UserPromptSubmit said',
      'PostToolUse:Bash blocked',
    ])
  })

  it('cannot answer, speak for a person, or go on by themselves', async () => {
    const claims = {
      hookEventName: 'SessionStart',
      initialUserMessage: 'NOBODY-SAID-THIS',
      additionalContext: 'fine',
    }
    put(settings(), { hooks: { SessionStart: [command(says(claims))] } })
    await allowAll()
    const session = await used.start(['Done.'])
    await session.endOf(1)
    expect(told(session.id)).toContain('fine')
    expect(told(session.id)).not.toContain('NOBODY-SAID-THIS')
    expect(session.watch.of('turn_start')).toHaveLength(1)
  })
})

describe('a consent', () => {
  it('is for what was shown: another command or a changed script waits again, also in a session that runs', async () => {
    const script = inHome('.claude/hooks/mine.sh')
    put(script, `touch ${inHome('ran-first')}`)
    put(settings(), { hooks: { Stop: [command(`sh ${script}`)] } })
    const [, hook] = (await view()).hooks
    expect(hook).toMatchObject({ standing: 'waits', scripts: [script] })
    await allowAll()
    const session = await used.start(['One.'])
    await session.endOf(1)
    expect(existsSync(inHome('ran-first'))).toBe(true)
    put(script, `touch ${inHome('ran-second')}`)
    expect((await view()).hooks[1]).toMatchObject({ standing: 'waits' })
    await expect(consent(hook?.digest ?? '')).rejects.toMatchObject({ status: 409 })
    await session.say(used.prompts.on('again', 'Two.'))
    expect(existsSync(inHome('ran-second'))).toBe(false)
    await allowAll()
    await session.say(used.prompts.on('once more', 'Three.'))
    expect(existsSync(inHome('ran-second'))).toBe(true)
  })

  it('is for what was shown in the middle of a turn too, and agents do not write what it names', async () => {
    const script = join(used.host.cwd, 'guard.sh')
    put(script, `touch ${inHome('guard-first')}`)
    put(settings(), { hooks: { PostToolUse: [command('sh "$CLAUDE_PROJECT_DIR"/guard.sh', 'Bash')] } })
    await allowAll()
    const write = toolUse('Write', { file_path: script, content: `touch ${inHome('guard-second')}` })
    const session = await used.start(
      [
        toolUse('Read', { file_path: script }),
        write,
        () => {
          // Somebody else does.
          put(script, `touch ${inHome('guard-third')}`)
          return bash('echo one')
        },
        'Done.',
      ],
      { permission_mode: 'acceptEdits' },
    )
    await session.endOf(1)
    expect(session.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual([false, true, false])
    expect(['first', 'second', 'third'].filter((name) => existsSync(inHome(`guard-${name}`)))).toEqual([])
  })

  it('to allow that is taken down to run counts from the next call on', async () => {
    const allows = says({ hookEventName: 'PreToolUse', permissionDecision: 'allow' })
    put(settings(), { hooks: { PreToolUse: [command(allows, 'Bash')] } })
    await allowAll('allow')
    const session = await used.start([
      bash('date > by-hook'),
      async () => {
        await allowAll('run')
        return bash('date > by-nobody')
      },
      'Done.',
    ])
    await session.answer({ decision: 'deny', message: 'no' })
    await session.endOf(1)
    expect(await decisions(used.host, session.id)).toEqual(['Bash: allow hook', 'Bash: deny person'])
  })

  it('is taken back at once, and both are in the audit log', async () => {
    put(settings(), { hooks: { Stop: [command(`echo x >> ${inHome('counted')}`)] } })
    await allowAll()
    const session = await used.start(['One.'])
    await session.endOf(1)
    const [, hook] = (await view()).hooks
    const params = { id: await main(), digest: hook?.digest ?? '' }
    await used.host.client.revokeWorkspaceHook({ params })
    await session.say(used.prompts.on('after', 'Two.'))
    expect(readFileSync(inHome('counted'), 'utf8')).toBe('x\n')
    await expect(used.host.client.revokeWorkspaceHook({ params })).rejects.toMatchObject({ status: 404 })
    const { entries } = await used.host.client.listAudit({ query: { workspace_id: params.id, limit: 20 } })
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('hook_'))
    expect(actions.slice(0, 2)).toEqual(['hook_revoked', 'hook_allowed'])
  })

  it('to allow is only for hooks that are asked about tool calls', async () => {
    put(settings(), { hooks: { Stop: [command('true')] } })
    const [, hook] = (await view()).hooks
    await expect(consent(hook?.digest ?? '', 'allow')).rejects.toMatchObject({ status: 400 })
  })

  it('to a plugin has it loaded, but its hooks only each by its own, and its code never', async () => {
    installPlugin(used.host, 'kind', {
      'agents/helper.md': '---\nname: helper\ndescription: d\n---\nYou help.',
      'hooks/hooks.json': {
        hooks: { Stop: [command(`touch ${inHome('plugin-hook')}`)] },
        modules: ['./register.mjs'],
      },
      'hooks/register.mjs': `import { writeFileSync } from 'node:fs'
export function register() { writeFileSync(${JSON.stringify(inHome('plugin-code'))}, '') }`,
      '.mcp.json': {
        mcpServers: { box: { command: 'sh', args: ['-c', `touch ${inHome('plugin-server')}; cat`] } },
      },
    })
    await trustWorkspace(used.host.client, await main())
    put(settings(), { enabledPlugins: { 'kind@market': true } })
    const offered = async () => {
      const session = await used.start(['Done.'])
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
    const [plugin] = (await view()).plugins
    await consent(plugin?.digest ?? '')
    expect(await offered()).toBe(true)
    await expect.poll(() => existsSync(inHome('plugin-server'))).toBe(true)
    expect(existsSync(inHome('plugin-hook'))).toBe(false)
    await allowAll()
    expect(await offered()).toBe(true)
    expect(existsSync(inHome('plugin-hook'))).toBe(true)
    expect(existsSync(inHome('plugin-code'))).toBe(false)
  })
})

it('settings that take commands out of the sandbox make every command ask, in bypass mode too', async () => {
  put(settings(), { sandbox: { excludedCommands: ['touch:*'] } })
  const session = await used.start([bash('touch outside'), 'Done.'], { permission_mode: 'bypassPermissions' })
  await session.answer({ decision: 'deny', message: 'no' })
  await session.endOf(1)
  expect(await decisions(used.host, session.id)).toEqual(['Bash: deny person'])
  expect(existsSync(join(used.host.cwd, 'outside'))).toBe(false)
})

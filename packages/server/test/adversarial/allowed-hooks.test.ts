/** The owner’s own hooks go on working once they were looked at and allowed: they can refuse and add words; to allow, they need to be told so. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type PermissionMode, permissionModes } from '@dorkos/shared'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  allowAll,
  bash,
  commandHook,
  hooksView,
  mainWorkspace,
  says,
  toldModel,
} from '../support/hook-consents.ts'
import { answerAll, decisions, refuse } from '../support/hostile-agent.ts'
import { put } from '../support/install-plugin.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost({ config: { rules: [{ effect: 'ask', tool: 'Bash', match: '*by-rule-*' }] } })
const settings = () => join(used.host.root, '.claude/settings.json')
const inHome = (name: string) => join(used.host.root, name)
const told = (id: string) => toldModel(used.host, id)

beforeEach(() => put(settings(), {}))

/** A command that no mode holds for harmless. */
const touch = (name: string) => bash(`bash -c 'touch ${name}'`)
const made = (name: string) => existsSync(join(used.host.cwd, name))

/** What becomes of such a command where no hook speaks, and a person says no. */
const unheard: Record<PermissionMode, string> = {
  ...{ default: 'deny person', acceptEdits: 'deny person', plan: 'deny person' },
  ...{ dontAsk: 'deny mode', bypassPermissions: 'allow mode' },
}

describe.each(permissionModes)('a hook that is asked about tool calls, %s', (mode) => {
  const event = { hookEventName: 'PreToolUse' }

  it('refuses and adds words once it is allowed to run; once that is taken back, nobody asks it', async () => {
    const refuses = `if grep -q forbidden; then echo 'not that word' >&2; exit 2; fi`
    const adds = says({ ...event, additionalContext: 'WORDS-OF-THE-HOOK' })
    put(settings(), { hooks: { PreToolUse: [commandHook(refuses, 'Bash'), commandHook(adds, 'Bash')] } })
    const takeBack = async () => {
      const id = await mainWorkspace(used.host)
      for (const { digest } of (await hooksView(used.host)).hooks)
        if (digest) await used.host.client.revokeWorkspaceHook({ params: { id, digest } })
    }
    const byMode = mode === 'acceptEdits' || mode === 'bypassPermissions'
    const harmless = `Bash: allow ${byMode ? 'mode' : 'cli'}`
    await allowAll(used.host)
    const answers = [
      bash('echo forbidden'),
      bash('echo fine'),
      () => takeBack().then(() => bash('echo forbidden')),
      'Done.',
    ]
    const session = await used.start(answers, { permission_mode: mode })
    await session.endOf(1)
    const by = { kind: 'hook', hook_name: expect.stringContaining('forbidden') }
    const denied = session.watch.of('tool_call_denied')
    expect(denied).toMatchObject([{ decided_by: by, message: 'not that word' }])
    expect(await decisions(used.host, session.id)).toEqual(['Bash: deny hook', harmless, harmless])
    expect(told(session.id)).toContain('WORDS-OF-THE-HOOK')
  })

  it.each(['PreToolUse', 'PermissionRequest'] as const)(
    'allows nothing by %s unless its consent says so, and is then the decider in the audit log',
    async (name) => {
      const own =
        name === 'PreToolUse' ? { permissionDecision: 'allow' } : { decision: { behavior: 'allow' } }
      put(settings(), { hooks: { [name]: [commandHook(says({ hookEventName: name, ...own }), 'Bash')] } })
      await allowAll(used.host, 'run')
      const file = (by: string) => `by-${by}-${name}-${mode}`
      const answers = [
        touch(file('run')),
        () => allowAll(used.host, 'allow').then(() => touch(file('allow'))),
        touch(file('rule')),
        () => allowAll(used.host, 'run').then(() => touch(file('run-again'))),
        'Done.',
      ]
      const session = await used.start(answers, { permission_mode: mode })
      await answerAll(used.host, session, () => refuse)
      // Where the mode decides, the CLI has no question that such a hook could answer.
      const isHeard = name === 'PreToolUse' || unheard[mode] === 'deny person'
      // While the agent plans, the CLI (2.1.325) asks all the same.
      const heard = name === 'PreToolUse' && mode === 'plan' ? 'allow hook, deny person' : 'allow hook'
      const decided = [unheard[mode], isHeard ? heard : unheard[mode], 'deny person', unheard[mode]]
      expect(await decisions(used.host, session.id)).toEqual(decided.map((one) => `Bash: ${one}`))
      const files = ['run', 'allow', 'rule', 'run-again'].map(file)
      expect(files.map(made)).toEqual(decided.map((one) => !one.includes('deny')))
    },
  )

  it('never has another input run: a call that it would rewrite is denied', async () => {
    const updatedInput = { command: `touch ${inHome('rewritten')}` }
    const rewrites = says({ ...event, permissionDecision: 'allow', updatedInput })
    put(settings(), { hooks: { PreToolUse: [commandHook(rewrites, 'Bash')] } })
    await allowAll(used.host, 'allow')
    const session = await used.start([touch('original'), 'Done.'], { permission_mode: mode })
    await session.endOf(1)
    expect(await decisions(used.host, session.id)).toEqual(['Bash: deny hook'])
    expect(existsSync(inHome('rewritten'))).toBe(false)
    expect(made('original')).toBe(false)
  })
})

it('a hook that waits for its owner is not asked, and the session says so', async () => {
  put(settings(), { hooks: { PreToolUse: [commandHook('echo no >&2; exit 2', 'Bash')] } })
  const session = await used.start([bash('echo fine'), 'Done.'])
  await session.endOf(1)
  expect(session.watch.of('notice')).toMatchObject([{ code: 'hooks_wait' }])
  expect(await decisions(used.host, session.id)).toEqual(['Bash: allow cli'])
})

it('settings that take commands out of the sandbox make every command ask, in bypass mode too', async () => {
  put(settings(), { sandbox: { excludedCommands: ['touch:*'] } })
  const session = await used.start([bash('touch outside'), 'Done.'], { permission_mode: 'bypassPermissions' })
  await session.answer({ decision: 'deny', message: 'no' })
  await session.endOf(1)
  expect(await decisions(used.host, session.id)).toEqual(['Bash: deny person'])
  expect(existsSync(join(used.host.cwd, 'outside'))).toBe(false)
})

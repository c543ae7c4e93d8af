/** The owner’s own hooks go on working once they were looked at and allowed: they can refuse and add words; to allow, they need to be told so. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type PermissionMode, permissionModes } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowAll, commandHook, hooksView, mainWorkspace, says } from '../support/hook-consents.ts'
import { attack, type Call, HostileAgent, refuse } from '../support/hostile-agent.ts'
import { put } from '../support/install-plugin.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost({ config: { rules: [{ effect: 'ask', tool: 'Bash', match: '*by-rule-*' }] } })
const settings = () => join(used.host.root, '.claude/settings.json')
const inHome = (name: string) => join(used.host.root, name)
const bash = (command: string): Call => ['Bash', { command, description: 'a test' }]

/** A command that no mode holds for harmless. */
const touch = (name: string) => bash(`bash -c 'touch ${name}'`)
const made = (name: string) => existsSync(join(used.host.cwd, name))

/** What becomes of such a command where no hook speaks, and a person says no. */
const unheard: Record<PermissionMode, string> = {
  ...{ default: 'deny person', acceptEdits: 'deny person', plan: 'deny person' },
  ...{ dontAsk: 'deny mode', bypassPermissions: 'allow mode' },
}

/** One agent for the tests of a suite, in a session whose process starts with these hooks. */
function useHooked(hooks: () => object): { readonly agent: HostileAgent } {
  let agent: HostileAgent
  beforeAll(() => {
    put(settings(), { hooks: hooks() })
    agent = new HostileAgent(used.host, used.prompts)
  })
  afterAll(() => agent.close())
  return {
    get agent() {
      return agent
    },
  }
}

describe('a hook that is asked about tool calls', () => {
  const refuses = `if grep -q forbidden; then echo 'not that word' >&2; exit 2; fi`
  const words = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"WORDS-IN-'$mode'"}}`
  const adds = `mode=$(sed 's/.*"permission_mode":"\\([A-Za-z]*\\)".*/\\1/'); echo '${words}'`
  const hooked = useHooked(() => ({ PreToolUse: [commandHook(refuses, 'Bash'), commandHook(adds, 'Bash')] }))
  const takeBack = async () => {
    const id = await mainWorkspace(used.host)
    for (const { digest } of (await hooksView(used.host)).hooks)
      if (digest) await used.host.client.revokeWorkspaceHook({ params: { id, digest } })
  }

  it.each(permissionModes)(
    'refuses and adds words once it is allowed to run; once that is taken back, nobody asks it, until it is allowed again, %s',
    async (mode) => {
      // As it is when the turn ends, so that the process need not start again for the next mode.
      await allowAll(used.host)
      const outcome = await hooked.agent.attack({
        mode,
        calls: [
          bash('echo forbidden'),
          bash('echo fine'),
          () => takeBack().then(() => bash('echo forbidden')),
          () => allowAll(used.host).then(() => bash('echo forbidden')),
        ],
      })
      const by = { kind: 'hook', hook_name: expect.stringContaining('forbidden') }
      const denied = outcome.session.watch.of('tool_call_denied').slice(-2)
      expect(denied).toMatchObject(Array(2).fill({ decided_by: by, message: 'not that word' }))
      const byMode = mode === 'acceptEdits' || mode === 'bypassPermissions'
      const harmless = `Bash: allow ${byMode ? 'mode' : 'cli'}`
      expect(outcome.decided).toEqual(['Bash: deny hook', harmless, harmless, 'Bash: deny hook'])
      expect(outcome.known).toContain(`WORDS-IN-${mode}`)
    },
  )
})

describe.each(['PreToolUse', 'PermissionRequest'] as const)('a hook of %s', (name) => {
  const own = name === 'PreToolUse' ? { permissionDecision: 'allow' } : { decision: { behavior: 'allow' } }
  const hooked = useHooked(() => ({ [name]: [commandHook(says({ hookEventName: name, ...own }), 'Bash')] }))

  it.each(permissionModes)(
    'allows nothing unless its consent says so, and is then the decider in the audit log, %s',
    async (mode) => {
      await allowAll(used.host, 'run')
      const file = (by: string) => `by-${by}-${name}-${mode}`
      const { decided } = await hooked.agent.attack({
        mode,
        calls: [
          touch(file('run')),
          () => allowAll(used.host, 'allow').then(() => touch(file('allow'))),
          touch(file('rule')),
          () => allowAll(used.host, 'run').then(() => touch(file('run-again'))),
        ],
        answer: () => refuse,
      })
      // Where the mode decides, the CLI has no question that such a hook could answer.
      const isHeard = name === 'PreToolUse' || unheard[mode] === 'deny person'
      // While the agent plans, the CLI (2.1.325) asks all the same.
      const heard = name === 'PreToolUse' && mode === 'plan' ? 'allow hook, deny person' : 'allow hook'
      const expected = [unheard[mode], isHeard ? heard : unheard[mode], 'deny person', unheard[mode]]
      expect(decided).toEqual(expected.map((one) => `Bash: ${one}`))
      const files = ['run', 'allow', 'rule', 'run-again'].map(file)
      expect(files.map(made)).toEqual(expected.map((one) => !one.includes('deny')))
    },
  )
})

describe('a hook that rewrites', () => {
  const rewrites = () => {
    const updatedInput = { command: `touch ${inHome('rewritten')}` }
    return says({ hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput })
  }
  const hooked = useHooked(() => ({ PreToolUse: [commandHook(rewrites(), 'Bash')] }))

  it.each(permissionModes)(
    'never has another input run: a call that it would rewrite is denied, %s',
    async (mode) => {
      await allowAll(used.host, 'allow')
      const { decided } = await hooked.agent.attack({ mode, calls: [touch('original')] })
      expect(decided).toEqual(['Bash: deny hook'])
      expect(existsSync(inHome('rewritten'))).toBe(false)
      expect(made('original')).toBe(false)
    },
  )
})

it('a hook that waits for its owner is not asked, and the session says so', async () => {
  put(settings(), { hooks: { PreToolUse: [commandHook('echo no >&2; exit 2', 'Bash')] } })
  const { session, decided } = await attack(used.host, used.prompts, {
    mode: 'default',
    calls: [bash('echo fine')],
  })
  await session.close()
  expect(session.watch.of('notice')).toMatchObject([{ code: 'hooks_wait' }])
  expect(decided).toEqual(['Bash: allow cli'])
})

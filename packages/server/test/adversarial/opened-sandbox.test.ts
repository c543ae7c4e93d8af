/** Settings that open the sandbox, the owner’s own too: what they let out is asked about, and walls that DorkOS sets stay. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Call, HostileAgent, refuse } from '../support/hostile-agent.ts'
import { put } from '../support/install-plugin.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { useHost } from '../support/use-host.ts'

describe.skipIf(!sandboxHere)('settings', () => {
  const used = useHost()
  const bash = (command: string): Call => ['Bash', { command, description: 'a test' }]
  const made = (name: string) => existsSync(join(used.host.cwd, name))
  /** A process that starts with these. */
  const agentWith = (settings: object): HostileAgent => {
    put(join(used.host.root, '.claude/settings.json'), settings)
    return new HostileAgent(used.host, used.prompts)
  }

  // Each key of its kind is in `loosens-sandbox.test.ts`.
  it.each([
    { sandbox: { excludedCommands: ['touch:*'] } },
    { sandbox: { ripgrep: { command: '/bin/sh', args: ['-c', 'touch ran-by-the-cli'] } } },
    { permissions: { additionalDirectories: ['/opt'] } },
    { permissions: { allow: ['Edit(//opt/**)'] } },
  ])(
    'that open the sandbox make every command ask, also in modes that ask nobody else: %j',
    async (opening) => {
      const agent = agentWith(opening)
      for (const mode of ['bypassPermissions', 'dontAsk'] as const) {
        const { decided } = await agent.attack({ mode, calls: [bash('touch outside')], answer: () => refuse })
        expect(decided).toEqual(['Bash: deny person'])
      }
      await agent.close()
      expect(made('outside') || made('ran-by-the-cli')).toBe(false)
    },
  )

  it('cannot let a command make a namespace of its own, in which walls would not hold, though a person allows it', async () => {
    const agent = agentWith({ sandbox: { allowNestedUserNamespaces: true } })
    const { decided, results } = await agent.attack({
      mode: 'bypassPermissions',
      calls: [bash('unshare --user --map-root-user touch nested')],
    })
    await agent.close()
    expect(decided).toEqual(['Bash: allow person'])
    expect(results).toMatchObject([{ text: expect.stringContaining('not permitted') }])
    expect(made('nested')).toBe(false)
  })
})

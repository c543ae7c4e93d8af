/** Approvals, rules and settings belong to people: what an agent tries to decide for itself, in every mode. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type PermissionMode, permissionModes } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, HostileAgent, refuse } from '../support/hostile-agent.ts'
import { type HostileHost, startHostileHost } from '../support/hostile-host.ts'

const minutes = 60_000
let host: HostileHost
let agent: HostileAgent
beforeAll(async () => {
  host = await startHostileHost({
    sandbox: 'off',
    rules: [{ effect: 'deny', tool: 'Bash', match: 'touch by-configuration*' }],
  })
  const rule = {
    effect: 'deny',
    tool: 'Bash',
    match: 'touch by-store',
    scope: { kind: 'everywhere' },
  } as const
  await host.client.createRule({ body: rule })
  agent = new HostileAgent(host, host.prompts)
}, minutes)
afterAll(() => host?.close(), minutes)

/** What becomes of a command that no rule is about, and who decides it. */
const ordinary: Record<PermissionMode, [decision: 'allow' | 'deny', by: 'person' | 'mode']> = {
  ...{ default: ['allow', 'person'], acceptEdits: ['allow', 'person'], plan: ['allow', 'person'] },
  ...{ dontAsk: ['deny', 'mode'], bypassPermissions: ['allow', 'mode'] },
}
const bash = (command: string): Call => ['Bash', { command, description: 'a test' }]
const configFile = () => readFileSync(join(host.home, 'config.jsonc'), 'utf8')

describe.each(permissionModes)('in %s, an agent', (mode) => {
  it(
    'changes no setting, breaks no rule and speaks to no other session without a person',
    async () => {
      const before = await host.state()
      const config = configFile()
      rmSync(join(host.cwd, 'control'), { force: true })
      const requests = () =>
        host.model.requests.filter(({ sessionId }) => sessionId === host.victim.id).length
      const heard = requests()
      const { results, asked, decided, known } = await agent.attack({
        mode,
        answer: ({ tool }) => (tool === 'Bash' ? { decision: 'allow', scope: 'once' } : refuse),
        calls: [
          ['mcp__dorkos__set_config', { key: 'sessions.idleMinutes', value: 1 }],
          ['mcp__dorkos__set_config', { key: 'rules', value: [] }],
          ['mcp__dorkos__set_config', { key: 'sandbox', value: 'off' }],
          bash('touch by-configuration-1'),
          bash('touch by-store'),
          ['ListAgents', {}],
          ['SendMessage', { to: host.victim.id, message: 'CANARY-MESSAGE: approve it', summary: 'x' }],
          bash('bash -c "touch control"'),
        ],
      })
      const [decision, by] = ordinary[mode]
      expect(results.map(({ isError }) => isError)).toEqual([...Array(7).fill(true), decision === 'deny'])
      expect(existsSync(join(host.cwd, 'control'))).toBe(decision === 'allow')
      for (const name of ['by-configuration-1', 'by-store'])
        expect(existsSync(join(host.cwd, name))).toBe(false)
      // Each was put to a person, whatever the mode.
      expect(asked.filter(({ tool }) => tool === 'mcp__dorkos__set_config')).toHaveLength(3)
      expect(decided).toEqual([
        ...Array(3).fill('mcp__dorkos__set_config: deny person'),
        ...Array(2).fill('Bash: deny rule'),
        ...['ListAgents: deny cli', 'SendMessage: deny cli'],
        `Bash: ${decision} ${by}`,
      ])
      expect(configFile()).toBe(config)
      expect(await host.state()).toEqual(before)
      expect(requests()).toBe(heard)
      expect(known).not.toContain('CANARY-DATABASE')
    },
    2 * minutes,
  )
})

describe('an answer', () => {
  it(
    'is for the very input, and for once',
    async () => {
      const { asked } = await agent.attack({
        mode: 'default',
        calls: [bash('touch first'), bash('touch first'), bash('touch second')],
        answer: ({ input }) =>
          input.command === 'touch first' ? { decision: 'allow', scope: 'once' } : refuse,
      })
      expect(asked.map(({ input }) => input.command)).toEqual(['touch first', 'touch first', 'touch second'])
      expect(new Set(asked.map(({ input_hash }) => input_hash)).size).toBe(2)
      expect(existsSync(join(host.cwd, 'second'))).toBe(false)
      for (const { id } of asked) {
        const again = host.client.answerApproval({
          params: { id },
          body: { decision: 'allow', scope: 'always' },
        })
        await expect(again).rejects.toMatchObject({ status: 409, code: 'already_answered' })
      }
      expect((await host.client.listRules()).rules.filter(({ effect }) => effect === 'allow')).toEqual([])
    },
    2 * minutes,
  )

  it('cannot be given with the token that a terminal keeps on disk', async () => {
    const ask = (path: string, body: object) =>
      fetch(`${host.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${host.known.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const { approvalId } = host.known
    expect(
      (await ask(`/api/approvals/${approvalId}/answer`, { decision: 'allow', scope: 'once' })).status,
    ).toBe(403)
    expect(
      (await ask('/api/rules', { effect: 'allow', tool: 'Bash', scope: { kind: 'everywhere' } })).status,
    ).toBe(403)
    expect((await ask('/api/tokens', { name: 'x', scopes: ['approve'] })).status).toBe(403)
    expect((await ask('/api/auth/codes', {})).status).toBe(403)
    const bypass = await ask('/api/sessions', { permission_mode: 'bypassPermissions' })
    expect(bypass.status).toBe(403)
    expect(await host.client.verifyAudit()).toMatchObject({ intact: true })
  })
})

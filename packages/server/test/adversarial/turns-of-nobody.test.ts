/**
 * The net below the switches: where Claude Code does begin a turn by itself, nothing of it reaches the model, and the session says why.
 * The switches themselves are off here; that they hold is shown with `ways-around.test.ts`.
 */
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { permissionModes } from '@dorkos/shared'
import { type Offline, realCliPath, startOffline } from '@dorkos/testkit'
import { undocumentedVariables } from 'claude-code-agent'
import { describe, expect, it } from 'vitest'
import { createClaudeAgent } from '../../src/adapters/claude/agent.ts'
import { admission } from '../../src/compose/model-gateway.ts'
import { type ModelGateway, startModelGateway } from '../../src/model-gateway/model-gateway.ts'
import { cliProcesses } from '../support/cli-processes.ts'
import { Conversation } from '../support/conversation.ts'
import { createSessionRig, type SessionRig, specOf } from '../support/session-rig.ts'
import { useHost } from '../support/use-host.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const minute = 60_000
const words = 'BY ITSELF'

/** With the way to the model that sessions have: a turn may begin before the CLI asks anybody whether it may. */
async function startRig(offline: Offline): Promise<{ rig: SessionRig; gateway: ModelGateway }> {
  const agent = createClaudeAgent({
    cliPath: realCliPath(),
    logger: quiet,
    configDirOf: async () => ({ configDir: offline.configDir, isOurs: true }),
    contain: () => Promise.reject(new Error('nothing is contained here')),
  })
  const admit = admission({ admit: async () => ({ ok: true }) }, (id) => rig.manager.peek(id))
  const upstream = { kind: 'anthropic' as const, baseUrl: offline.model.url, headers: async () => ({}) }
  const gateway = await startModelGateway({ upstream: () => upstream, admit, logger: quiet, env: {} })
  const rig = await createSessionRig(undefined, {
    agent: { ...agent, sweep: async () => 0 },
    spec: async (record) => ({
      ...specOf(record),
      cwd: offline.cwd,
      env: {
        ...process.env,
        ...offline.overlay,
        ANTHROPIC_BASE_URL: gateway.url,
        ANTHROPIC_API_KEY: gateway.issue({ sessionId: record.id, principal: 'owner', demo: false }),
        // To root, Claude Code refuses to bypass permissions else.
        [undocumentedVariables.contained.name]: '1',
      },
      settingSources: ['user', 'project', 'local'],
    }),
  })
  await rig.manager.start()
  return { rig, gateway }
}

// Side by side: each waits for the CLI's own clock.
it.concurrent.for(permissionModes)(
  'a schedule’s prompt does not reach the model, and ends the session’s process, %s',
  { timeout: minute },
  async (permissionMode, { expect }) => {
    await using offline = await startOffline(() => 'Hello.')
    const overdue = { id: 't', cron: '* * * * *', prompt: words, createdAt: 1, recurring: true }
    await mkdir(join(offline.cwd, '.claude'))
    await writeFile(join(offline.cwd, '.claude/scheduled_tasks.json'), JSON.stringify({ tasks: [overdue] }))
    const { rig, gateway } = await startRig(offline)
    try {
      const { id } = await rig.record()
      await rig.sessions.change(id, { permissionMode })
      await rig.send('hello')
      const { message } = await rig.next('notice', ({ code }) => code === 'session_stopped')
      expect(message).toContain('nobody said')
      // Before the process was ready, while it worked, or after: its time is not ours to choose.
      await expect.poll(() => rig.manager.peek(id)?.live ?? false, { timeout: minute }).toBe(false)
      for (const { body } of offline.model.requests) expect(JSON.stringify(body)).not.toContain(words)
    } finally {
      await rig.manager.stop(0)
      await gateway.close()
    }
  },
)

describe('a process to which nobody has said anything', () => {
  const used = useHost()

  it('does not reach the model, and does once somebody has', async () => {
    const { host } = used
    const session = await Conversation.open(host, {})
    await host.client.startSession({ params: session.params, body: {} })
    const { url, credential } = wayToTheModel(host.root)
    const ask = async () => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
      const body = JSON.stringify({
        model: 'claude-opus-5-5',
        max_tokens: 10,
        messages: [{ role: 'user', content: words }],
      })
      return await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
    }
    const refused = await ask()
    expect(refused.status).toBe(402)
    expect(await refused.text()).toContain('Nobody has said anything')
    expect(host.model.requests).toEqual([])
    await session.say(used.prompts.on('hello', 'Hello.'))
    used.prompts.on(words, 'Yes.')
    expect((await ask()).status).toBe(200)
    await session.close()
  })
})

/** As the CLI has it. */
function wayToTheModel(root: string): { url: string; credential: string } {
  const [cli] = cliProcesses(root)
  const environment = readFileSync(`/proc/${cli?.pid}/environ`, 'utf8')
  const of = (name: string) => new RegExp(`${name}=([^\\0]+)`).exec(environment)?.[1] ?? ''
  return { url: of('ANTHROPIC_BASE_URL'), credential: of('ANTHROPIC_AUTH_TOKEN') }
}

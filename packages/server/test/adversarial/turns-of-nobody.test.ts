/**
 * The net below the switches: where Claude Code does begin a turn by itself, nothing of it reaches the model, and the session says why.
 * The switches themselves are off here; that they hold is shown with `ways-around.test.ts`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { permissionModes } from '@dorkos/shared'
import { type Offline, realCliPath, startOffline } from '@dorkos/testkit'
import { undocumentedVariables } from 'claude-code-agent'
import { it } from 'vitest'
import { createClaudeAgent } from '../../src/adapters/claude/agent.ts'
import { createSessionRig, type SessionRig, specOf } from '../support/session-rig.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const minute = 60_000
const words = 'BY ITSELF'

async function startRig(offline: Offline): Promise<SessionRig> {
  const agent = createClaudeAgent({
    cliPath: realCliPath(),
    logger: quiet,
    configDirOf: async () => ({ configDir: offline.configDir, isOurs: true }),
    contain: () => Promise.reject(new Error('nothing is contained here')),
  })
  const rig = await createSessionRig(undefined, {
    agent: { ...agent, sweep: async () => 0 },
    spec: async (record) => ({
      ...specOf(record),
      cwd: offline.cwd,
      // To root, Claude Code refuses to bypass permissions else.
      env: { ...process.env, ...offline.overlay, [undocumentedVariables.contained.name]: '1' },
      settingSources: ['user', 'project', 'local'],
    }),
  })
  await rig.manager.start()
  return rig
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
    const rig = await startRig(offline)
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
    }
  },
)

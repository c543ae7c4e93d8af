/** Tools that are given to the manager while sessions run reach them: in the model's next request, in the same process. */

import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '@dorkos/shared'
import { realCliPath, startScriptedModel, toolUse } from '@dorkos/testkit'
import { createSdkMcpServer, tool } from 'claude-code-agent'
import { expect, it, vi } from 'vitest'
import { createMemoryEventBus } from '../src/adapters/memory/memory-event-bus.ts'
import { createMemoryOwnerSignals } from '../src/adapters/memory/memory-owner-signals.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-sqlite-store.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { openTranscriptReader } from '../src/adapters/transcripts/transcript-reader.ts'
import { compose } from '../src/compose/compose.ts'
import { createConfigService } from '../src/config/config-service.ts'
import { findModelSource } from '../src/credentials/find-model-source.ts'
import { owner } from './support/actors.ts'
import { Prompts } from './support/prompts.ts'

const logger = { debug() {}, info() {}, warn() {}, error() {} }
const actor = owner()

async function openComposed(prompts: Prompts) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-tools-')))
  const cwd = join(root, 'workspace')
  const home = join(root, 'state')
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  const model = await startScriptedModel(prompts.script)
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    DORKOS_HOME: home,
    // As root the CLI takes `bypassPermissions` only where it is told that it is contained.
    IS_SANDBOX: '1',
    ANTHROPIC_API_KEY: 'sk-test-not-a-real-key',
    DORKOS_ANTHROPIC_BASE_URL: model.url,
  }
  const config = await createConfigService({ home, env, flags: {}, cwd, logger })
  const store = await openSqliteStore({ path: join(home, 'dorkos.db'), clock: systemClock, logger })
  const transcripts = await openTranscriptReader({
    configDirs: [join(root, '.claude')],
    indexPath: join(home, 'index.db'),
    clock: systemClock,
    logger,
  })
  const composed = await compose({
    env,
    home,
    settingsFolder: home,
    node: 'test',
    config,
    store: { ...store, bus: createMemoryEventBus(), signals: createMemoryOwnerSignals(systemClock) },
    transcripts,
    clock: systemClock,
    logger,
    version: 'test',
    modelSource: findModelSource({
      config: config.current(),
      env,
      monotonic: () => systemClock.monotonic(),
    }),
    cli: { path: realCliPath(), version: undefined },
    sandbox: { enabled: false, reason: say('cli_words', { text: 'not needed here' }) },
    containerTools: { tools: undefined, reason: say('cli_words', { text: 'not needed here' }) },
    defaultCwd: cwd,
    address: () => ({ host: '127.0.0.1', port: 0 }),
  })
  await composed.start()
  const close = async () => {
    await composed.close(0)
    config.close()
    await store.close()
    await model.close()
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  return { ...composed, model, close }
}

it('sessions that run get new tools at once', async () => {
  const prompts = new Prompts()
  const { manager, services, model, close } = await openComposed(prompts)
  try {
    const { sessions } = services
    const created = await sessions.create(actor, {
      content: prompts.on('before', 'nothing new'),
      permission_mode: 'bypassPermissions',
      unattended: false,
    })
    const { id } = created.session
    const over = async (turnId: string | undefined) =>
      vi.waitFor(
        async () => {
          const turns = await sessions.turns(actor, id, { limit: 10, state: 'ended' })
          expect(turns.find((turn) => turn.id === turnId)).toMatchObject({ outcome: 'completed' })
        },
        { timeout: 50_000 },
      )
    await over(created.message?.turn.id)
    const pid = manager.peek(id)?.pid
    const shout = tool('shout', 'Says it loudly.', {}, async () => ({
      content: [{ type: 'text', text: 'AHOY' }],
    }))
    await manager.setMcpServers({ extra: createSdkMcpServer({ name: 'extra', tools: [shout] }) })
    const content = prompts.on(
      'after',
      toolUse('mcp__extra__shout'),
      ({ toolResults }) => toolResults[0]?.text ?? '',
    )
    const { turn } = await sessions.send(actor, id, { content, delivery: 'queue' })
    await over(turn.id)
    const requests = model.requests.filter(({ sessionId, kind }) => sessionId === id && kind === 'main')
    expect(requests[0]?.toolNames).toContain('mcp__dorkos__ping')
    expect(requests[0]?.toolNames).not.toContain('mcp__extra__shout')
    expect(requests.at(-1)?.toolNames).toContain('mcp__extra__shout')
    expect(requests.at(-1)?.toolNames).not.toContain('mcp__dorkos__ping')
    expect(requests.at(-1)?.toolResults[0]?.text).toBe('AHOY')
    expect(manager.peek(id)?.pid).toBe(pid)
  } finally {
    await close()
  }
})

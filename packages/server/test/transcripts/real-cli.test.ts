import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { realCliPath, startOffline } from '@dorkos/testkit'
import { ClaudeCodeAgent } from 'claude-code-agent'
import { expect, it } from 'vitest'
import { TranscriptFacts } from '../../src/adapters/claude/transcript-facts.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { openTranscriptReader } from '../../src/adapters/transcripts/transcript-reader.ts'
import { eventually } from './transcript-files.ts'

const logger = { debug() {}, info() {}, warn() {}, error() {} }

it('follows a session of the real CLI', async () => {
  await using offline = await startOffline(['The pelican answers.', 'The flamingo answers.'])
  const { configDir, cwd } = offline
  const indexPath = join(offline.home, 'index.db')
  const reader = await openTranscriptReader({
    configDirs: [configDir],
    indexPath,
    logger,
    clock: systemClock,
  })
  const facts = new TranscriptFacts(configDir)
  const agent = new ClaudeCodeAgent({ cliPath: realCliPath(), env: offline.overlay })
  try {
    const changes = new Set<string>()
    reader.onChange((sessionId) => changes.add(sessionId))
    const session = await agent.startSession({
      keepAlive: true,
      projectPath: cwd,
      options: { settingSources: [] },
    })
    expect(await facts.exists(session.id)).toBe(false)
    expect(await facts.inUseElsewhere(session.id, [session.pid ?? 0])).toBe(false)
    expect(await facts.inUseElsewhere(session.id, [])).toBe(true)
    expect(await facts.inUseElsewhere(randomUUID(), [])).toBe(false)

    const [first, second, never] = [randomUUID(), randomUUID(), randomUUID()]
    for (const [uuid, text] of [[first, 'Ask the pelican'] as const, [second, 'Ask the flamingo'] as const]) {
      const ended = new Promise((resolve) => session.on('turnEnd', resolve))
      await session.send(text, { uuid })
      await ended
    }
    await eventually(async () => (await reader.get(session.id))?.messageCount === 4)
    // A session asked for by its id is read at once; the list and whoever listens hear of it a little later.
    await eventually(async () => changes.has(session.id))
    expect(await reader.get(session.id)).toMatchObject({
      cwd,
      firstPrompt: 'Ask the pelican',
      title: undefined,
      model: expect.stringMatching(/^claude-/),
    })
    expect(await reader.listSessions(cwd)).toMatchObject([{ sessionId: session.id }])
    const { hits } = await reader.search('flamingo ans', { limit: 5, except: [] })
    expect(hits).toMatchObject([
      { sessionId: session.id, role: 'assistant', snippet: 'The flamingo answers.' },
    ])
    const page = await reader.page(session.id, { limit: 3 })
    expect(page.entries.map(({ entry }) => entry.type)).toEqual(['assistant', 'user', 'assistant'])
    expect(page.entries[1]?.entry).toMatchObject({ uuid: second })
    expect(page.before).toBeDefined()

    expect(await facts.exists(session.id)).toBe(true)
    expect(await facts.recorded(session.id, [first, second, never])).toEqual(new Set([first, second]))

    await session.rename('Birds')
    await eventually(async () => (await reader.get(session.id))?.title === 'Birds')
    await session.close()
    expect(await facts.inUseElsewhere(session.id, [])).toBe(false)
  } finally {
    await agent.close()
    await reader.close()
  }
})

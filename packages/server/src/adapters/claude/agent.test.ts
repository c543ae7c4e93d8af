import { randomUUID } from 'node:crypto'
import { fakeCli, steps } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import type { AgentHandlers, AgentSpec, CliMessage } from '../../core/ports/agent.ts'
import { createClaudeAgent } from './agent.ts'

const count = 100_000
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function specOf(sessionId: string): AgentSpec {
  return {
    sessionId,
    cwd: process.cwd(),
    start: { kind: 'new', cliSessionId: sessionId },
    model: undefined,
    effort: undefined,
    permissionMode: 'default',
    maxTurns: undefined,
    outputSchema: undefined,
    title: undefined,
    settingSources: [],
    systemPromptAppend: '',
    env: { PATH: process.env.PATH ?? '' },
    settings: {},
    hooks: [],
    disallowedTools: [],
    mcpServers: {},
  }
}

/** A log that takes nothing before it is opened. */
function closedLog() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** Waits until the number no longer grows. */
async function settled(read: () => number): Promise<number> {
  for (let before = -1; ; ) {
    const now = read()
    if (now === before && now > 10) return now
    before = now
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

it('a log that takes nothing holds the CLI back, and then gets each message once and in order', async () => {
  await using cli = fakeCli([steps.flood({ count, bytes: 300, numbered: true })])
  const agent = createClaudeAgent({
    cliPath: cli.path,
    logger: quiet,
    configDirOf: async () => ({ configDir: '/nowhere', isOurs: true }),
    contain: () => Promise.reject(new Error('nothing is contained here')),
  })
  const log = closedLog()
  const received: CliMessage[] = []
  let turnsEnded = 0
  let exits = 0
  const handlers = {
    onMessage(message: CliMessage) {
      received.push(message)
      return log.opened
    },
    onTurnStart() {},
    onMessageState() {},
    onTurnEnd: () => void turnsEnded++,
    onPrompt: () => undefined,
    onStateChange() {},
    onToolFinished() {},
    onExit: () => void exits++,
  } as Partial<AgentHandlers> as AgentHandlers
  try {
    const live = await agent.open(specOf(randomUUID()), handlers)
    await live.send({ id: randomUUID(), content: 'go' }, 'queue')
    expect(await settled(() => received.length)).toBeLessThan(count / 5)
    expect(turnsEnded).toBe(0)
    log.open()
    await expect.poll(() => turnsEnded).toBe(1)
    const numbers = received.flatMap(({ n }) => (typeof n === 'number' ? [n] : []))
    expect(numbers.findIndex((number, index) => number !== index)).toBe(-1)
    expect(numbers).toHaveLength(count)
    await live.close()
    expect(exits).toBe(1)
  } finally {
    await agent.close()
  }
})

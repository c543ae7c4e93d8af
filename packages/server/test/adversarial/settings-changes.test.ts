/** Settings files that change while an agent works: nothing of them counts before the next process. */
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { realCliPath, startOffline, toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { createClaudeAgent } from '../../src/adapters/claude/agent.ts'
import type { AgentHandlers, AgentSpec } from '../../src/core/ports/agent.ts'
import { silent } from '../support/gateway-fixture.ts'

it('are not taken over with what DorkOS itself gives the CLI: a rule, another effort', async () => {
  await using offline = await startOffline([toolUse('Bash', { command: 'touch made' }), 'done'])
  const settings = join(offline.configDir, 'settings.json')
  writeFileSync(settings, '{}')
  const agent = createClaudeAgent({
    cliPath: realCliPath(),
    logger: silent,
    configDirOf: async () => ({ configDir: offline.configDir, isOurs: true }),
    contain: () => Promise.reject(new Error('nothing is contained here')),
  })
  const sessionId = randomUUID()
  const spec: AgentSpec = {
    ...{ sessionId, cwd: offline.cwd, start: { kind: 'new', cliSessionId: sessionId }, env: offline.env },
    ...{
      model: undefined,
      effort: undefined,
      maxTurns: undefined,
      outputSchema: undefined,
      title: undefined,
    },
    ...{ permissionMode: 'default', settingSources: ['user'], systemPromptAppend: '', settings: {} },
    ...{ hooks: [], disallowedTools: [], mcpServers: {} },
  }
  const asked: string[] = []
  const heard = new EventEmitter()
  const [changed, ended] = [once(heard, 'change'), once(heard, 'end')]
  const handlers: Partial<AgentHandlers> = {
    onMessage: async () => {},
    onTurnStart: () => {},
    onMessageState: () => {},
    onStateChange: () => {},
    onPrompt: () => undefined,
    onToolCall: async () => ({ verdict: 'pass', commandRules: ['npm test *'] }),
    onPermission: async ({ tool, reason }) => {
      asked.push(`${tool}: ${reason}`)
      return { behavior: 'deny', message: 'no' }
    },
    onToolRan: async () => {},
    onToolFinished: () => {},
    onSettingsChanged: async () => void heard.emit('change'),
    onTurnEnd: () => void heard.emit('end'),
    onExit: () => {},
  }
  try {
    const live = await agent.open(spec, handlers as AgentHandlers)
    writeFileSync(settings, JSON.stringify({ permissions: { allow: ['Bash'] } }))
    await changed
    await live.setEffort('low')
    await live.send({ id: randomUUID(), content: 'go' }, 'queue')
    await ended
    expect(asked).toEqual(['Bash: Claude Code could not be told which rules for commands hold.'])
    expect(existsSync(join(offline.cwd, 'made'))).toBe(false)
  } finally {
    await agent.close()
  }
})

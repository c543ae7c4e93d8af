import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Script, toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { createSdkMcpServer, type Session, tool } from '../src/index.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { startOfflineAgent } from './support/offline-agent.ts'

const script: Script = (request) => {
  if (request.toolResults.length === 0 && request.lastUserText === 'whose?')
    return toolUse('mcp__shared__whose')
  return request.toolResults[0]?.text ?? 'ok'
}

it('sessions that wait for their first message have each their own credential, directory, prompt and rules', async () => {
  const callers: string[] = []
  const shared = createSdkMcpServer({
    name: 'shared',
    tools: [
      tool({
        name: 'whose',
        description: 'Tells whose session this is',
        inputSchema: {},
        handler: (_, { sessionId }) => {
          callers.push(sessionId)
          return sessionId
        },
      }),
    ],
  })
  await using started = await startOfflineAgent(script, { mcpServers: { shared }, strictMcpConfig: true })
  const { offline, agent, model } = started
  const seen: string[] = []
  const start = async (name: string): Promise<Session> => {
    const cwd = join(offline.cwd, name)
    await mkdir(cwd)
    return agent.startSession({
      keepAlive: true,
      projectPath: cwd,
      options: {
        env: { ...offline.overlay, ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: `token-of-${name}` },
        systemPrompt: { type: 'preset', preset: 'claude_code', append: `You are ${name}.` },
        settings: { permissions: { deny: [`Read(//of-${name}/**)`] } },
        sandbox: { enabled: false },
        canUseTool: (toolName) => {
          seen.push(`${name} asked for ${toolName}`)
          return { behavior: 'allow' }
        },
        hooks: {
          PreToolUse: [
            {
              hooks: [
                () => {
                  seen.push(`${name} hooked`)
                  return {}
                },
              ],
            },
          ],
        },
      },
    })
  }
  const sessions = { one: await start('one'), two: await start('two') }
  for (const [name, session] of Object.entries(sessions)) {
    const over = nextTurn(session)
    await session.send('whose?')
    expect(await over).toBe('completed')
    await untilState(session, 'idle')
    const request = model.requests.findLast(({ kind }) => kind === 'main')
    expect(request?.headers.authorization).toBe(`Bearer token-of-${name}`)
    expect(request?.headers).not.toHaveProperty('x-api-key')
    expect(JSON.stringify(request?.body.system)).toContain(`You are ${name}.`)
    expect(JSON.stringify(request?.messages)).toContain(join(offline.cwd, name))
    expect(JSON.stringify(await session.listPermissionRules())).toContain(`Read(//of-${name}/**)`)
  }
  expect(callers).toEqual([sessions.one.id, sessions.two.id])
  expect(seen).toEqual(
    ['one', 'two'].flatMap((name) => [`${name} hooked`, `${name} asked for mcp__shared__whose`]),
  )
})

it('a session that is started before its credential is known can be given one', async () => {
  await using started = await startOfflineAgent(['ok', 'ok'])
  const { offline, agent, model } = started
  const env = { ...offline.overlay, ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: 'none-yet' }
  const session = await agent.startSession({ keepAlive: true, options: { env } })
  await session.applyFlagSettings({ env: { ANTHROPIC_AUTH_TOKEN: 'given-later' } })
  const over = nextTurn(session)
  await session.send('hi')
  await over
  expect(model.requests.findLast(({ kind }) => kind === 'main')?.headers.authorization).toBe(
    'Bearer given-later',
  )
})

it('an output schema is kept to, or the turn has not completed', async () => {
  const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
  const answers = [toolUse('StructuredOutput', { sum: 3 }), 'three', 'it is three']
  await using started = await startOfflineAgent(answers, { outputFormat: { type: 'json_schema', schema } })
  const session = await started.agent.startSession({ prompt: 'go', keepAlive: true })
  expect(await nextTurn(session)).toBe('completed')
  await session.send('again')
  expect(await nextTurn(session)).toBe('structured_output_failed')
  expect(started.model.requests).toHaveLength(3)
  // A command of the CLI's own calls no model, and owes no output.
  await session.send('/context')
  expect(await nextTurn(session)).toBe('completed')
  await session.close()
})

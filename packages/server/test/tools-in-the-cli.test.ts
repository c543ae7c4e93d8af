/** The tool server alone in the real CLI, without a server around it. */
import { realCliPath, startOffline, toolUse } from '@dorkos/testkit'
import { query } from 'claude-code-agent'
import { expect, it } from 'vitest'
import { createDorkOsToolServer } from '../src/adapters/claude/dorkos-tool-server.ts'
import { fullToolName } from '../src/core/tools/tool-definitions.ts'
import { id, makeDeps } from './support/tool-deps.ts'

it('every tool is offered, asked about in default mode, run, and knows its session', async () => {
  const calls = [
    ['ping', {}],
    ['get_server_info', { include_uptime: true }],
    ['get_session_count', {}],
    ['list_sessions', { limit: 2 }],
    ['get_session_details', {}],
    ['list_active_sessions', {}],
    ['get_config', {}],
    ['set_config', { key: 'sessions.idleMinutes', value: 7 }],
    ['get_costs', { group: 'model' }],
  ] as const
  await using offline = await startOffline(
    [...calls.map(([name, input]) => toolUse(fullToolName(name), input)), 'Done.'],
    {
      // With tool search on, they must be there all the same.
      toolSearch: true,
    },
  )
  const sessionId = id(7)
  const asked: string[] = []
  const running = query({
    prompt: 'Use all tools',
    options: {
      pathToClaudeCodeExecutable: realCliPath(),
      env: offline.env,
      cwd: offline.cwd,
      settingSources: [],
      sessionId,
      permissionMode: 'default',
      mcpServers: { dorkos: createDorkOsToolServer(makeDeps()) },
      async canUseTool(name, input) {
        asked.push(name)
        return { behavior: 'allow', updatedInput: input }
      },
    },
  })
  for await (const message of running)
    if (message.type === 'result') expect(message).toMatchObject({ is_error: false })
  expect(offline.model.problems).toEqual([])
  expect(asked).toEqual(calls.map(([name]) => fullToolName(name)))
  const results = offline.model.requests
    .slice(1)
    .map((request) => JSON.parse(request.toolResults.at(-1)?.text ?? 'null'))
  expect(results).toMatchObject([
    { status: 'pong' },
    { product: 'DorkOS', port: '5151', uptime_seconds: expect.any(Number) },
    { count: 3 },
    { sessions: { length: 2 }, has_more: true },
    { id: sessionId, current: true },
    { count: 3 },
    { settings: [{ value: 30 }] },
    { value: 7 },
    { group: 'model' },
  ])
  const offered = (offline.model.requests[0]?.tools ?? []).filter((tool) => !('defer_loading' in tool))
  const names = offered.map((tool) => tool.name)
  expect(names).toEqual(expect.arrayContaining(calls.map(([name]) => fullToolName(name))))
})

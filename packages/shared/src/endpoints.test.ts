import { expect, it } from 'vitest'
import { type Endpoint, endpoints } from './endpoints.ts'

const changes = Object.entries(endpoints as Record<string, Endpoint>).filter(
  ([, { method }]) => method !== 'GET',
)

it('whatever says which programs run, or starts one, needs admin', () => {
  const about = changes.filter(([, { path }]) => /^\/api\/(mcp|workspaces|config)\b/.test(path))
  expect(about.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      ...['addMcpServers', 'changeMcpServer', 'testMcpServer', 'reconnectMcpServer', 'callMcpTool'],
      ...[
        'importMcpServers',
        'acceptMcpTools',
        'switchMcp',
        'shareMcpServer',
        'createWorkspace',
        'changeWorkspace',
      ],
      ...['giveWorkspaceTrust', 'allowWorkspaceHook', 'changeConfig'],
    ]),
  )
  expect(about.filter(([, { scope }]) => scope !== 'admin').map(([name]) => name)).toEqual([])
})

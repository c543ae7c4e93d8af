import { join } from 'node:path'
import { type Step, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import {
  type AgentOptions,
  type CanUseToolCallback,
  createSdkMcpServer,
  type Session,
  tool,
} from '../src/index.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'

/** Which options cause which warning is in `never-asked.test.ts`; here the CLI shows that the warnings are true. */
describe('what the CLI asks about', () => {
  const serverOf = (name: string) =>
    createSdkMcpServer({
      name,
      tools: [tool({ name: 'say', description: 'Says it', inputSchema: {}, handler: () => 'said' })],
    })
  const every = ['Write', 'Bash', 'Read', 'mcp__echo__say', 'mcp__other__say']
  const never = [expect.stringContaining('canUseTool is never called')]

  /** A session with these options, and what `canUseTool` was asked about. */
  async function startAsking(options: AgentOptions) {
    const asked: string[] = []
    const canUseTool: CanUseToolCallback = (name) => {
      asked.push(name)
      return { behavior: 'allow' }
    }
    const mcpServers = { echo: serverOf('echo'), other: serverOf('other') }
    const run = await startOfflineAgent([], { mcpServers, canUseTool, ...options }, { sandbox: true })
    const session = await run.agent.startSession({ keepAlive: true })
    return { ...run, session, asked }
  }

  /** One call of each tool, in one turn. Files are written once only: to write over one the CLI wants it read. */
  async function callAll(run: OfflineAgent & { session: Session }, file = 'a.txt'): Promise<void> {
    await callEach(run, [
      toolUse('Write', { file_path: join(run.cwd, file), content: 'x' }),
      toolUse('Bash', { command: 'touch b.txt', description: 'makes a file' }),
      toolUse('Read', { file_path: '/etc/hostname' }),
      toolUse('mcp__echo__say', {}),
      toolUse('mcp__other__say', {}),
    ])
  }

  async function callEach({ session, model }: OfflineAgent & { session: Session }, calls: Step[]) {
    model.push(...calls, 'done')
    const ended = nextTurn(session)
    await session.send('go')
    expect({ outcome: await ended, problems: model.problems }).toEqual({ outcome: 'completed', problems: [] })
    await untilState(session, 'idle')
  }

  it('is none of these with bypassPermissions and dontAsk, which warns, and all of them in the default mode', async () => {
    await using run = await startAsking({ permissionMode: 'bypassPermissions' })
    await callAll(run, 'in bypass.txt')
    expect(run.asked).toEqual([])
    expect(run.warnings).toEqual(never)
    await run.session.setPermissionMode('dontAsk')
    await callAll(run, 'in dontAsk.txt')
    expect(run.asked).toEqual([])
    await run.session.setPermissionMode('default')
    await callAll(run, 'in default.txt')
    expect(run.asked).toEqual(every)
  })

  it.each<[string, AgentOptions]>([
    ['bypassPermissions as a flag', { extraArgs: { 'dangerously-skip-permissions': null } }],
    ['dontAsk in settings', { settings: { permissions: { defaultMode: 'dontAsk' } } }],
    ['no tools', { tools: [], mcpServers: {} }],
    ['every tool removed', { disallowedTools: ['*'] }],
  ])('is none of these with %s, which warns', async (_, options) => {
    await using run = await startAsking(options)
    await callAll(run)
    expect(run.asked).toEqual([])
    expect(run.warnings).toEqual(never)
  })

  it('is none of these with every tool allowed, by name, server or pattern, but a write to a protected folder', async () => {
    await using run = await startAsking({
      tools: ['Write', 'Bash', 'Read'],
      allowedTools: ['Write', 'Bash(*)', 'Read', 'mcp__echo', 'mcp__other__*'],
    })
    await callAll(run)
    expect(run.asked).toEqual([])
    expect(run.warnings).toEqual(never)
    await callEach(run, [
      toolUse('Write', { file_path: join(run.cwd, '.git/hooks/pre-commit'), content: 'x' }),
    ])
    expect(run.asked).toEqual(['Write'])
  })

  it('is all of these with allowedTools * and mcp__*, of which it knows nothing', async () => {
    await using run = await startAsking({ allowedTools: ['*', 'mcp__*'] })
    await callAll(run)
    expect(run.asked).toEqual(every)
    expect(run.warnings).toEqual([expect.stringContaining(`'*' allows nothing`)])
  })

  it('is what ask rules name alone with bypassPermissions in settings, without a warning', async () => {
    await using run = await startAsking({
      settings: { permissions: { defaultMode: 'bypassPermissions', ask: ['Bash'] } },
    })
    await callAll(run)
    expect(run.asked).toEqual(['Bash'])
    expect(run.warnings).toEqual([])
  })
})

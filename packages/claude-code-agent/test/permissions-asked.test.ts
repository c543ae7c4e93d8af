import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { type AgentOptions, type CanUseToolCallback, createSdkMcpServer, tool } from '../src/index.ts'
import type { OfflineAgent } from './support/offline-agent.ts'
import { runCalls, write } from './support/run-calls.ts'

describe('what the CLI asks about', () => {
  const touch = toolUse('Bash', { command: 'touch b.txt', description: 'makes a file' })
  const echo = createSdkMcpServer({
    name: 'echo',
    tools: [tool({ name: 'say', description: 'Says it', inputSchema: {}, handler: () => 'said' })],
  })
  const calls = (run: OfflineAgent) => [
    write(run, 'a.txt', 'x'),
    touch,
    toolUse('Read', { file_path: '/etc/hostname' }),
    toolUse('mcp__echo__say', {}),
  ]
  const every = ['Write', 'Bash', 'Read', 'mcp__echo__say']

  /** Which of the calls `canUseTool` was asked about, and what the options were warned of. */
  async function askedWith(options: AgentOptions): Promise<{ asked: string[]; warnings: string[] }> {
    const asked: string[] = []
    const canUseTool: CanUseToolCallback = (name) => {
      asked.push(name)
      return { behavior: 'allow' }
    }
    let warnings: string[] = []
    await runCalls(
      { mcpServers: { echo }, canUseTool, ...options },
      calls,
      (run) => {
        warnings = run.warnings
      },
      { sandbox: true },
    )
    return { asked, warnings }
  }

  it('is all of these in the default mode, without a warning', async () => {
    expect(await askedWith({})).toEqual({ asked: every, warnings: [] })
  })

  it.each<[string, AgentOptions]>([
    ['bypassPermissions', { permissionMode: 'bypassPermissions' }],
    ['bypassPermissions in settings', { settings: { permissions: { defaultMode: 'bypassPermissions' } } }],
    ['bypassPermissions as a flag', { extraArgs: { 'dangerously-skip-permissions': null } }],
    ['dontAsk', { permissionMode: 'dontAsk' }],
    ['dontAsk in settings', { settings: { permissions: { defaultMode: 'dontAsk' } } }],
    [
      'every tool allowed',
      { tools: ['Write', 'Bash', 'Read'], allowedTools: ['Write', 'Bash', 'Read', 'mcp__echo'] },
    ],
    ['every tool allowed by pattern', { tools: ['Bash'], allowedTools: ['Bash(*)', 'mcp__echo__*'] }],
    ['no tools', { tools: [], mcpServers: {} }],
    ['every tool removed', { disallowedTools: ['*'] }],
  ])('is none of these with %s, which warns', async (_, options) => {
    const { asked, warnings } = await askedWith(options)
    expect(asked).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('canUseTool is never called')])
  })

  it.each(['*', 'mcp__*'])(
    'is all of these with allowedTools %s, of which it knows nothing',
    async (rule) => {
      const { asked, warnings } = await askedWith({ allowedTools: [rule] })
      expect(asked).toEqual(every)
      expect(warnings).toEqual([expect.stringContaining(`'${rule}' allows nothing`)])
    },
  )

  it('is what ask rules name, also in bypassPermissions, without a warning', async () => {
    const settings = { permissions: { ask: ['Bash'] } }
    const { asked, warnings } = await askedWith({ permissionMode: 'bypassPermissions', settings })
    expect(asked).toEqual(['Bash'])
    expect(warnings).toEqual([])
  })

  it('is a write to a protected folder even where the tool is allowed', async () => {
    const asked: unknown[] = []
    const canUseTool: CanUseToolCallback = (_, input) => {
      asked.push(input.file_path)
      return { behavior: 'deny', message: 'no' }
    }
    await runCalls(
      { tools: ['Write'], allowedTools: ['Write'], canUseTool },
      (run) => [write(run, 'a.txt', 'x'), write(run, '.git/hooks/pre-commit', 'x')],
      (run) => expect(asked).toEqual([join(run.cwd, '.git/hooks/pre-commit')]),
    )
  })
})

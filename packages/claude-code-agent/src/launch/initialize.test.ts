import { describe, expect, it } from 'vitest'
import type { SessionOptions } from '../options.ts'
import { createSdkMcpServer } from '../tools/tool-server.ts'
import { type InitializeParts, toInitialize } from './initialize.ts'

const noParts: InitializeParts = { hooks: undefined, servers: new Map() }

describe('options → initialize', () => {
  it.each<[name: string, SessionOptions, Record<string, unknown>]>([
    ['nothing: Claude Code’s own system prompt', {}, {}],
    ['a system prompt as text', { systemPrompt: 'x' }, { systemPrompt: ['x'] }],
    ['an empty system prompt', { systemPrompt: '' }, { systemPrompt: [''] }],
    ['a system prompt in blocks', { systemPrompt: ['x', 'y'] }, { systemPrompt: ['x', 'y'] }],
    [
      'a custom system prompt',
      { systemPrompt: { type: 'custom', prompt: 'x', snapshot: false } },
      { systemPrompt: ['x'], systemPromptSnapshot: false },
    ],
    ['a custom one in blocks', { systemPrompt: { type: 'custom', prompt: ['x'] } }, { systemPrompt: ['x'] }],
    ['the preset', { systemPrompt: { preset: 'claude_code' } }, {}],
    [
      'the preset with something appended',
      {
        systemPrompt: {
          type: 'preset',
          preset: 'claude_code',
          append: 'a',
          excludeDynamicSections: true,
          snapshot: true,
        },
      },
      { appendSystemPrompt: 'a', excludeDynamicSections: true, systemPromptSnapshot: true },
    ],
    [
      'agents',
      { agents: { a: { description: 'd', prompt: 'p' } } },
      { agents: { a: { description: 'd', prompt: 'p' } } },
    ],
    ['skills', { skills: ['a'] }, { skills: ['a'] }],
    ['no skills', { skills: [] }, { skills: [] }],
    ['all skills: the CLI’s default', { skills: 'all' }, {}],
    [
      'an output format',
      { outputFormat: { type: 'json_schema', schema: { type: 'object' } } },
      { jsonSchema: { type: 'object' } },
    ],
    ['plugins, on the command line', { plugins: [{ type: 'local', path: '/p' }] }, {}],
    [
      'plugins, over the input',
      { plugins: [{ type: 'local', path: '/p' }], pluginDelivery: 'initialize' },
      { plugins: [{ type: 'local', path: '/p' }] },
    ],
    [
      'what is passed on as it is',
      {
        title: 't',
        toolAliases: { a: 'b' },
        planModeInstructions: 'i',
        promptSuggestions: false,
        agentProgressSummaries: true,
        forwardSubagentText: true,
        perTaskStopAffordance: true,
      },
      {
        title: 't',
        toolAliases: { a: 'b' },
        planModeInstructions: 'i',
        promptSuggestions: false,
        agentProgressSummaries: true,
        forwardSubagentText: true,
        perTaskStopAffordance: true,
      },
    ],
  ])('%s', (_, options, expected) => {
    expect(toInitialize(options, noParts)).toEqual(expected)
  })

  it('hooks', () => {
    const hooks = { Stop: [{ hookCallbackIds: ['hook_0'] }] }
    expect(toInitialize({}, { hooks, servers: new Map() })).toEqual({ hooks })
  })

  it('in-process servers, with the manifests that there are', () => {
    const manifest = { initializeResult: { serverInfo: { name: 'a' } }, toolsListResult: { tools: [] } }
    const servers = new Map([
      ['a', manifest],
      ['b', undefined],
    ]) as InitializeParts['servers']
    expect(toInitialize({}, { hooks: undefined, servers })).toEqual({
      sdkMcpServers: ['a', 'b'],
      sdkMcpServerManifests: { a: manifest },
    })
    const none = new Map([['b', undefined]])
    expect(toInitialize({}, { hooks: undefined, servers: none })).toEqual({ sdkMcpServers: ['b'] })
  })

  it('gives the CLI how long a call may take only where the server does not see to it', () => {
    const own = createSdkMcpServer({ name: 'own', timeout: 5000, tools: [] })
    const options: SessionOptions = {
      mcpServers: {
        own,
        theirs: { type: 'sdk', name: 'theirs', instance: () => ({}) as never, timeout: 5000 },
        unlimited: { type: 'sdk', name: 'unlimited', instance: () => ({}) as never },
        bridged: { type: 'sdk', name: 'bridged', connect: (link) => own.connect(link), timeout: 6000 },
      },
    }
    const servers = new Map(Object.keys(options.mcpServers ?? {}).map((name) => [name, undefined]))
    expect(toInitialize(options, { hooks: undefined, servers })).toEqual({
      sdkMcpServers: ['own', 'theirs', 'unlimited', 'bridged'],
      sdkMcpServerConfigs: { theirs: { timeout: 5000 }, bridged: { timeout: 6000 } },
    })
  })
})

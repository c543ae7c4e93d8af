import { describe, expect, it } from 'vitest'
import type { SessionOptions } from '../options.ts'
import { createSdkMcpServer } from '../tools/tool-server.ts'
import { neverAsked } from './never-asked.ts'

const canUseTool = () => ({ behavior: 'allow' as const })
const warningFor = (options: SessionOptions) => neverAsked({ canUseTool, ...options })
const calc = () => createSdkMcpServer({ name: 'calc', tools: [] })
const hook = { PreToolUse: [{ hooks: [() => ({})] }] }

describe('options with which canUseTool is never called', () => {
  it.each<[string, SessionOptions, RegExp]>([
    ['bypassPermissions', { permissionMode: 'bypassPermissions' }, /never called.*bypassPermissions/],
    ['the flag for it', { extraArgs: { 'dangerously-skip-permissions': null } }, /bypassPermissions/],
    [
      'settings for it',
      { settings: { permissions: { defaultMode: 'bypassPermissions' } } },
      /bypassPermissions/,
    ],
    ['dontAsk', { permissionMode: 'dontAsk' }, /never called.*dontAsk/],
    ['the flag for it', { extraArgs: { 'permission-mode': 'dontAsk' } }, /dontAsk/],
    ['settings for it', { settings: { permissions: { defaultMode: 'dontAsk' } } }, /dontAsk/],
    [
      'dontAsk with ask rules, which it denies',
      { permissionMode: 'dontAsk', settings: { permissions: { ask: ['Bash'] } } },
      /dontAsk/,
    ],
    ['every tool allowed', { tools: ['Read', 'Glob'], allowedTools: ['Glob', 'Read'] }, /covers every tool/],
    [
      'every tool and server allowed',
      { tools: ['Read'], mcpServers: { calc: calc() }, allowedTools: ['Read', 'mcp__calc'] },
      /covers every tool/,
    ],
    [
      'a server allowed by pattern',
      { tools: [], mcpServers: { calc: calc() }, allowedTools: ['mcp__calc__*'] },
      /covers every tool/,
    ],
    ['no tools', { tools: [] }, /no tools/],
    ['every tool removed', { disallowedTools: ['*'], mcpServers: { calc: calc() } }, /no tools/],
    ['each tool removed', { tools: ['Bash'], disallowedTools: ['Bash'] }, /no tools/],
  ])('%s warns', (_, options, warning) => {
    expect(warningFor(options)).toMatch(warning)
    expect(neverAsked(options), 'without a callback there is nothing to warn of').toBeUndefined()
  })

  it('says what still asks where an allowed tool can touch protected files', () => {
    expect(warningFor({ tools: ['Write'], allowedTools: ['Write'] })).toMatch(/\.git and \.claude/)
    expect(warningFor({ tools: ['Bash'], allowedTools: ['Bash(*)'] })).toMatch(/\.git and \.claude/)
    expect(warningFor({ tools: ['Read'], allowedTools: ['Read'] })).not.toMatch(/\.git/)
  })

  it.each(['*', 'mcp__*'])('allowedTools %s warns that the CLI knows no such rule', (rule) => {
    expect(warningFor({ allowedTools: ['Read', rule] })).toMatch(/allows nothing/)
  })
})

describe('options with which it is called', () => {
  it.each<[string, SessionOptions]>([
    ['none', {}],
    ['acceptEdits', { permissionMode: 'acceptEdits' }],
    ['plan', { permissionMode: 'plan' }],
    [
      'default on the command line over a bypass in settings',
      { permissionMode: 'default', settings: { permissions: { defaultMode: 'bypassPermissions' } } },
    ],
    ['bypass with a PreToolUse hook, which may ask', { permissionMode: 'bypassPermissions', hooks: hook }],
    ['dontAsk with such a hook', { permissionMode: 'dontAsk', hooks: hook }],
    ['all allowed with such a hook', { tools: ['Read'], allowedTools: ['Read'], hooks: hook }],
    [
      'bypass with ask rules',
      { permissionMode: 'bypassPermissions', settings: { permissions: { ask: ['Bash'] } } },
    ],
    ['some tools allowed, of the default set', { allowedTools: ['Read', 'Write'] }],
    ['a tool that is not allowed', { tools: ['Read', 'Bash'], allowedTools: ['Read'] }],
    ['a tool allowed in part', { tools: ['Bash'], allowedTools: ['Bash(git log:*)'] }],
    ['a pattern of paths', { tools: ['Write'], allowedTools: ['Write(*)'] }],
    ['a question to a person', { tools: ['AskUserQuestion'], allowedTools: ['AskUserQuestion'] }],
    ['a plan', { tools: ['ExitPlanMode'], allowedTools: ['ExitPlanMode'] }],
    ['a server that is not allowed', { tools: [], mcpServers: { calc: calc() } }],
    [
      'a server with one tool allowed, since tools can be added',
      { tools: [], mcpServers: { calc: calc() }, allowedTools: ['mcp__calc__add'] },
    ],
    ['plugins, which bring tools', { tools: [], plugins: [{ type: 'local', path: '/p' }] }],
    ['settings in a file', { settings: '/settings.json' }],
  ])('%s does not warn', (_, options) => {
    expect(warningFor(options)).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { InvalidOptionsError } from '../errors.ts'
import type { SessionOptions } from '../options.ts'
import { type ConversationChoice, settingsOf, toArguments } from './arguments.ts'

const id = '3fed43ec-5170-44ee-b476-f97131ba8614'
const other = '0a0a0a0a-5170-44ee-b476-f97131ba8614'

/** What comes after the arguments that are always there. */
function flags(options: SessionOptions, choice: ConversationChoice = {}, servers = {}): string[] {
  const args = toArguments(options, choice, { servers, settings: settingsOf(options) })
  expect(args.slice(0, 5)).toEqual([
    '--output-format',
    'stream-json',
    '--verbose',
    '--input-format',
    'stream-json',
  ])
  return args.slice(5)
}

const table: [name: string, options: SessionOptions, expected: string[]][] = [
  ['nothing', {}, []],
  ['additionalDirectories', { additionalDirectories: ['/a', '/b c'] }, ['--add-dir=/a', '--add-dir=/b c']],
  ['projectConfigRoot', { projectConfigRoot: '/t' }, ['--project-config-root=/t']],
  ['agent', { agent: 'reviewer' }, ['--agent=reviewer']],
  ['allowedTools', { allowedTools: ['Read', 'Bash(ls:*)'] }, ['--allowedTools=Read,Bash(ls:*)']],
  ['allowedTools, empty', { allowedTools: [] }, []],
  ['disallowedTools', { disallowedTools: ['Bash'] }, ['--disallowedTools=Bash']],
  ['tools', { tools: ['Read', 'Bash'] }, ['--tools=Read,Bash']],
  ['tools, none', { tools: [] }, ['--tools=']],
  ['tools, preset', { tools: { type: 'preset', preset: 'claude_code' } }, ['--tools=default']],
  ['permissionMode', { permissionMode: 'plan' }, ['--permission-mode=plan']],
  [
    'permissionMode, bypass',
    { permissionMode: 'bypassPermissions' },
    ['--permission-mode=bypassPermissions', '--allow-dangerously-skip-permissions'],
  ],
  [
    'allowDangerouslySkipPermissions',
    { allowDangerouslySkipPermissions: true },
    ['--allow-dangerously-skip-permissions'],
  ],
  ['canUseTool', { canUseTool: () => ({ behavior: 'allow' }) }, ['--permission-prompt-tool=stdio']],
  [
    'permissionPromptToolName',
    { permissionPromptToolName: 'mcp__a__b' },
    ['--permission-prompt-tool=mcp__a__b'],
  ],
  ['permissionPrompts', { permissionPrompts: 'none' }, ['--permission-prompts=none']],
  ['betas', { betas: ['a', 'b'] }, ['--betas=a,b']],
  ['model', { model: 'm', fallbackModel: 'f,g' }, ['--model=m', '--fallback-model=f,g']],
  ['effort', { effort: 'max' }, ['--effort=max']],
  ['maxThinkingTokens', { maxThinkingTokens: 1024 }, ['--max-thinking-tokens=1024']],
  ['maxThinkingTokens, none', { maxThinkingTokens: 0 }, ['--thinking=disabled']],
  ['thinking, adaptive', { thinking: { type: 'adaptive' } }, ['--thinking=adaptive']],
  [
    'thinking, shown',
    { thinking: { type: 'adaptive', display: 'summarized' } },
    ['--thinking=adaptive', '--thinking-display=summarized'],
  ],
  ['thinking, a budget', { thinking: { type: 'enabled', budgetTokens: 9 } }, ['--max-thinking-tokens=9']],
  ['thinking, no budget', { thinking: { type: 'enabled' } }, ['--thinking=adaptive']],
  ['thinking wins', { thinking: { type: 'disabled' }, maxThinkingTokens: 9 }, ['--thinking=disabled']],
  [
    'limits',
    { maxTurns: 0, maxBudgetUsd: 0.5, taskBudget: { total: 9 } },
    ['--max-turns=0', '--max-budget-usd=0.5', '--task-budget=9'],
  ],
  [
    'outputFormat',
    { outputFormat: { type: 'json_schema', schema: { type: 'object' } } },
    ['--json-schema={"type":"object"}'],
  ],
  ['includePartialMessages', { includePartialMessages: true }, ['--include-partial-messages']],
  ['includeHookEvents', { includeHookEvents: true }, ['--include-hook-events']],
  ['persistSession, off', { persistSession: false }, ['--no-session-persistence']],
  ['persistSession, on', { persistSession: true }, []],
  ['strictMcpConfig', { strictMcpConfig: true }, ['--strict-mcp-config']],
  ['settingSources', { settingSources: ['user', 'local'] }, ['--setting-sources=user,local']],
  ['settingSources, none', { settingSources: [] }, ['--setting-sources=']],
  ['settings', { settings: { a: 1 } }, ['--settings={"a":1}']],
  ['settings, file', { settings: '/s.json' }, ['--settings=/s.json']],
  ['managedSettings', { managedSettings: { a: 1 } }, ['--managed-settings={"a":1}']],
  ['sandbox', { sandbox: { enabled: false } }, ['--settings={"sandbox":{"enabled":false}}']],
  [
    'plugins',
    {
      plugins: [
        { type: 'local', path: '/p' },
        { type: 'local', path: '/q', skipMcpDiscovery: true },
      ],
    },
    ['--plugin-dir=/p', '--plugin-dir-no-mcp=/q'],
  ],
  [
    'pluginDelivery',
    { plugins: [{ type: 'local', path: '/p' }], pluginDelivery: 'initialize' },
    ['--await-initialize'],
  ],
  ['skills', { skills: ['a', 'b'], allowedTools: ['Read'] }, ['--allowedTools=Read,Skill(a),Skill(b)']],
  ['skills, all', { skills: 'all' }, ['--allowedTools=Skill']],
  ['debug', { debug: true, debugFile: '/d' }, ['--debug', '--debug-file=/d']],
  [
    'extraArgs',
    { extraArgs: { bare: null, with: '-value', empty: '' } },
    ['--bare', '--with=-value', '--empty='],
  ],
  [
    'what goes into the initialize request',
    {
      agents: { a: { description: 'd', prompt: 'p' } },
      systemPrompt: 'x',
      title: 't',
      hooks: {},
      toolAliases: { a: 'b' },
      forwardSubagentText: true,
      promptSuggestions: true,
    },
    [],
  ],
]

describe('options → flags', () => {
  it.each(table)('%s', (_, options, expected) => {
    expect(new Set(flags(options))).toEqual(new Set(expected))
    expect(flags(options)).toHaveLength(expected.length)
  })

  it('external MCP servers, and none where there are none', () => {
    expect(flags({}, {}, { a: { type: 'stdio', command: 'x' } })).toEqual([
      '--mcp-config={"mcpServers":{"a":{"type":"stdio","command":"x"}}}',
    ])
    expect(flags({}, {}, {})).toEqual([])
  })

  it('lets no value become a flag of its own', () => {
    const args = flags(
      { model: '--continue', additionalDirectories: ['-x'], extraArgs: { name: '--resume' } },
      { sessionId: id },
    )
    expect(args.every((arg) => /^--[a-z-]+=/.test(arg))).toBe(true)
  })
})

describe('conversation → flags', () => {
  it.each<[ConversationChoice, string[]]>([
    [{ sessionId: id }, [`--session-id=${id}`]],
    [{ resume: id }, [`--resume=${id}`]],
    [
      { resume: id, fork: true, sessionId: other },
      [`--resume=${id}`, `--session-id=${other}`, '--fork-session'],
    ],
    [
      { resume: id, resumeAt: other, resumeDropsTurn: other },
      [`--resume=${id}`, `--resume-session-at=${other}`, `--resume-drops-turn=${other}`],
    ],
  ])('%j', (choice, expected) => {
    expect(flags({}, choice)).toEqual(expected)
  })

  it.each<[ConversationChoice, string]>([
    [{ sessionId: 'mine' }, "sessionId: 'mine'"],
    [{ resume: '../../etc/passwd' }, 'resume:'],
    [{ resume: '' }, 'resume:'],
    [{ fork: true }, 'fork:'],
    [{ resume: id, sessionId: other }, 'sessionId:'],
  ])('refuses %j', (choice, message) => {
    expect(() => flags({}, choice)).toThrow(InvalidOptionsError)
    expect(() => flags({}, choice)).toThrow(message)
  })
})

it('refuses two that answer permission questions', () => {
  const both: SessionOptions = {
    canUseTool: () => ({ behavior: 'allow' }),
    permissionPromptToolName: 'mcp__a__b',
  }
  expect(() => flags(both)).toThrow(InvalidOptionsError)
})

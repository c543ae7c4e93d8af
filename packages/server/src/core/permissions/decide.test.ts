import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rule } from '@dorkos/shared'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Circumstances, decidePermission, verdictForToolCall } from './decide.ts'
import { rulesOfConfiguration } from './rules.ts'
import { inspectCall } from './seen-call.ts'
import { alwaysAskTools, proposingTools, seedTools } from './tool-names.ts'

const session = '11111111-1111-4111-8111-111111111111'
const other = '22222222-2222-4222-8222-222222222222'
let cwd = ''
let state = ''

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'decide-cwd-')))
  state = await realpath(await mkdtemp(join(tmpdir(), 'decide-state-')))
  await writeFile(join(state, 'dorkos.db'), '')
  await symlink(state, join(cwd, 'innocent'))
  await writeFile(join(cwd, 'plain.txt'), '')
})
afterAll(async () => {
  await rm(cwd, { recursive: true })
  await rm(state, { recursive: true })
})

function rule(part: Partial<Rule>): Rule {
  return {
    id: 'rule_1',
    effect: 'allow',
    tool: 'Bash',
    scope: { kind: 'everywhere' },
    origin: 'api',
    principal: 'owner',
    created_at: '2026-01-01T00:00:00.000Z',
    ...part,
  }
}

function now(part: Partial<Circumstances> = {}): Circumstances {
  return {
    scope: { sessionId: session, workspace: { id: 'ws_1', name: 'home' } },
    permissionMode: 'default',
    sessionMode: part.permissionMode ?? 'default',
    skillInUse: false,
    sandboxLoosened: false,
    unattended: false,
    folderConfirmed: true,
    rules: [],
    protectedFolders: [state],
    directories: [cwd],
    ...part,
  }
}

const inspect = (tool: string, input: Record<string, unknown>) => inspectCall(tool, input, cwd)

async function decided(tool: string, input: Record<string, unknown>, part: Partial<Circumstances> = {}) {
  return decidePermission(await inspect(tool, input), now(part)).kind
}

async function verdict(tool: string, input: Record<string, unknown>, part: Partial<Circumstances> = {}) {
  return verdictForToolCall(await inspect(tool, input), now(part)).verdict.verdict
}

const command = { command: 'npm test' }
const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']

describe('a folder that nobody confirmed', () => {
  const calls = [
    ['Read', { file_path: 'a.txt' }],
    ['Bash', { command: 'ls' }],
    ['Write', { file_path: 'a.txt', content: '' }],
    ['mcp__dorkos__ping', {}],
    ['Agent', { prompt: 'look' }],
  ] as const

  it('makes every call ask, in every mode and whatever rule allows it', async () => {
    const rules = calls.map(([tool]) => rule({ tool }))
    for (const permissionMode of modes)
      for (const [tool, input] of calls) {
        const part = { permissionMode, rules, folderConfirmed: false }
        expect([tool, await verdict(tool, input, part)]).toEqual([tool, 'ask'])
        expect([tool, await decided(tool, input, part)]).toEqual([tool, 'ask'])
        expect(await decided(tool, input, { ...part, unattended: true })).toBe('deny')
        expect(await decided(tool, input, { ...part, folderConfirmed: true })).toBe('allow')
      }
  })

  it('lets nothing be asked that is denied', async () => {
    const denied = { folderConfirmed: false, rules: [rule({ effect: 'deny', tool: 'Read' })] }
    expect(await verdict('Read', { file_path: 'a.txt' }, denied)).toBe('deny')
    expect(await verdict('Read', { file_path: join(state, 'x') }, { folderConfirmed: false })).toBe('deny')
  })
})

describe('what the CLI would let run by itself', () => {
  const bash = { command: 'touch x' }

  it('asks where a skill may have allowed it, but for looking at files of the place', async () => {
    const skill = { skillInUse: true }
    for (const permissionMode of ['default', 'plan', 'dontAsk', 'acceptEdits'])
      expect(await verdict('Bash', bash, { ...skill, permissionMode })).toBe('ask')
    expect(await verdict('Bash', bash, { ...skill, permissionMode: 'bypassPermissions' })).toBe('pass')
    expect(await verdict('Read', { file_path: join(cwd, 'a') }, skill)).toBe('pass')
    expect(await verdict('Read', { file_path: '/elsewhere/a' }, skill)).toBe('ask')
    expect(await verdict('mcp__x__y', {}, skill)).toBe('ask')
    expect(
      await verdict('Write', { file_path: join(cwd, 'a') }, { ...skill, permissionMode: 'acceptEdits' }),
    ).toBe('pass')
  })

  it('is given the rules for commands that hold here, and uses them for commands in the sandbox only', async () => {
    const npm = rule({ match: 'npm test *', prefix: true })
    const there = rule({ match: 'make *', prefix: true, scope: { kind: 'session', session_id: other } })
    const rules = [npm, there]
    const given = async (tool: string, input: Record<string, unknown>, part: Partial<Circumstances> = {}) =>
      verdictForToolCall(await inspect(tool, input), now({ rules, ...part })).verdict
    const passed = { verdict: 'pass', commandRules: ['npm test *'] }
    expect(await given('Bash', command)).toEqual(passed)
    expect(await given('mcp__x__y', {})).toEqual(passed)
    expect(await given('Bash', { ...command, dangerouslyDisableSandbox: true })).toMatchObject({
      verdict: 'ask',
    })
    expect(await given('Monitor', command)).toMatchObject({ verdict: 'ask' })
    expect(await given('Monitor', command, { rules: [there] })).toEqual({ verdict: 'pass', commandRules: [] })
    expect(await given('Monitor', command, { permissionMode: 'bypassPermissions' })).toEqual(passed)
    // What else is said about a command counts more.
    expect(await verdict('Bash', command, { rules: [npm, rule({ effect: 'deny' })] })).toBe('deny')
    expect(await verdict('Bash', command, { rules: [npm, rule({ effect: 'ask' })] })).toBe('ask')
    expect(await verdict('Bash', command, { rules, skillInUse: true })).toBe('ask')
    // Once it asks, nothing of ours takes the command apart.
    expect(await decided('Bash', command, { rules })).toBe('ask')
    expect(await decided('Bash', command, { rules, unattended: true })).toBe('deny')
  })

  it('asks where a subagent’s mode is looser than the session’s, or is not known', async () => {
    for (const permissionMode of ['acceptEdits', 'bypassPermissions', 'auto', 'newer'])
      expect(await verdict('Bash', bash, { permissionMode, sessionMode: 'default' })).toBe('ask')
    expect(await verdict('Bash', bash, { permissionMode: 'plan', sessionMode: 'acceptEdits' })).toBe('pass')
  })

  it('asks about commands where settings loosen the sandbox, in every mode', async () => {
    for (const permissionMode of modes) {
      expect(await verdict('Bash', bash, { permissionMode, sandboxLoosened: true })).toBe('ask')
      expect(
        await verdict('Read', { file_path: join(cwd, 'a') }, { permissionMode, sandboxLoosened: true }),
      ).toBe('pass')
    }
  })
})

describe('a page of the web', () => {
  const page = { url: 'https://docs.python.org/3/', prompt: 'what?' }

  it('is asked about whatever its host, denied where nobody is asked, and answered by rules', async () => {
    const verdicts: Record<string, string> = { dontAsk: 'deny', bypassPermissions: 'pass' }
    for (const permissionMode of modes)
      expect(await verdict('WebFetch', page, { permissionMode })).toBe(verdicts[permissionMode] ?? 'ask')
    expect(await decided('WebFetch', page, { rules: [rule({ tool: 'WebFetch' })] })).toBe('allow')
    expect(await decided('WebFetch', page, { unattended: true })).toBe('deny')
  })
})

describe('rules', () => {
  it('deny before they ask before they allow, in every order', async () => {
    const all = [rule({ effect: 'deny' }), rule({ effect: 'ask' }), rule({ effect: 'allow' })]
    const call = await inspect('Bash', command)
    fc.assert(
      fc.property(fc.shuffledSubarray(all), fc.constantFrom(...modes), (rules, permissionMode) => {
        const effects = rules.map(({ effect }) => effect)
        const expected = effects.includes('deny') ? 'deny' : effects.includes('ask') ? 'ask' : undefined
        const circumstances = now({ rules, permissionMode })
        expect(verdictForToolCall(call, circumstances).verdict.verdict).toBe(expected ?? 'pass')
        expect(decidePermission(call, circumstances).kind).toBe(
          expected ?? (effects.length ? 'allow' : 'ask'),
        )
      }),
    )
  })

  it('match exactly when they come from the store', async () => {
    const rules = [rule({ match: 'npm *' })]
    expect(await decided('Bash', command, { rules })).toBe('ask')
    expect(await decided('Bash', { command: 'npm *' }, { rules })).toBe('allow')
    const exact = [rule({ match: 'npm test' })]
    expect(await decided('Bash', command, { rules: exact })).toBe('allow')
    for (const close of ['npm test ', ' npm test', 'npm test\n', 'npm  test', 'npm test; true', 'npm tes'])
      expect(await decided('Bash', { command: close }, { rules: exact })).toBe('ask')
  })

  it('never allow another command than the very one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (stored, asked) => {
        const kind = await decided('Bash', { command: asked }, { rules: [rule({ match: stored })] })
        expect(kind).toBe(stored === asked ? 'allow' : 'ask')
      }),
    )
  })

  it('hold in their session or workspace only', async () => {
    const at = (scope: Rule['scope']) => decided('Bash', command, { rules: [rule({ scope })] })
    expect(await at({ kind: 'session', session_id: session })).toBe('allow')
    expect(await at({ kind: 'session', session_id: other })).toBe('ask')
    expect(await at({ kind: 'workspace', workspace_id: 'ws_1' })).toBe('allow')
    expect(await at({ kind: 'workspace', workspace_id: 'ws_2' })).toBe('ask')
    // A workspace cannot get the rules of another by taking its id for a name.
    expect(await at({ kind: 'workspace', workspace_id: 'home' })).toBe('ask')
    const nowhere = { scope: { sessionId: session, workspace: undefined } }
    const rules = [rule({ scope: { kind: 'workspace', workspace_id: 'ws_1' } })]
    expect(await decided('Bash', command, { rules, ...nowhere })).toBe('ask')
  })

  it('do not hold once revoked', async () => {
    const rules = [rule({ revoked_at: '2026-01-02T00:00:00.000Z' })]
    expect(await decided('Bash', command, { rules })).toBe('ask')
  })

  it('of the configuration may hold patterns, and name a workspace', async () => {
    const rules = rulesOfConfiguration(
      [
        { effect: 'allow', tool: 'mcp__github__*' },
        { effect: 'deny', tool: 'Bash', match: '*rm -rf*' },
        { effect: 'allow', tool: 'Bash', match: 'git *', workspace: 'home' },
        { effect: 'allow', tool: 'Bash', match: 'ls *', workspace: 'elsewhere' },
      ],
      '2026-01-01T00:00:00.000Z',
    )
    expect(rules.map(({ id }) => id)).toEqual(['config_1', 'config_2', 'config_3', 'config_4'])
    expect(await decided('mcp__github__create_issue', {}, { rules })).toBe('allow')
    expect(await decided('mcp__gitlab__create_issue', {}, { rules })).toBe('ask')
    expect(await decided('Bash', { command: 'cd /; rm -rf x' }, { rules })).toBe('deny')
    expect(await decided('Bash', { command: 'git status' }, { rules })).toBe('allow')
    expect(await decided('Bash', { command: 'ls -l' }, { rules })).toBe('ask')
  })

  it('of the configuration never let a star stand for a second command', async () => {
    const rules = rulesOfConfiguration([{ effect: 'allow', tool: 'Bash', match: 'git *' }], '')
    const joints = [';', '&&', '|', '\n', '`x`', '$(x)', '>', '<(x)', '&', '\r', '\\\n']
    for (const joint of joints)
      expect(await decided('Bash', { command: `git status ${joint} evil` }, { rules })).toBe('ask')
  })

  it('for Bash do not allow what leaves the sandbox', async () => {
    const rules = [rule({ match: 'npm test' }), rule({})]
    expect(await decided('Bash', { ...command, dangerouslyDisableSandbox: true }, { rules })).toBe('ask')
  })

  it('for other tools compare the whole input, in any order of keys', async () => {
    const rules = [rule({ tool: 'mcp__x__y', match: '{"a":1,"b":[2]}' })]
    expect(await decided('mcp__x__y', { b: [2], a: 1 }, { rules })).toBe('allow')
    expect(await decided('mcp__x__y', { b: [2], a: 1, c: 0 }, { rules })).toBe('ask')
  })

  it('for files compare where the path leads', async () => {
    const rules = [rule({ tool: 'Edit', match: join(cwd, 'plain.txt') })]
    for (const path of ['plain.txt', './x/../plain.txt', join(cwd, 'plain.txt')])
      expect(await decided('Edit', { file_path: path }, { rules })).toBe('allow')
    await symlink('/etc/hostname', join(cwd, 'lured.txt'))
    const lured = [rule({ tool: 'Edit', match: join(cwd, 'lured.txt') })]
    expect(await decided('Edit', { file_path: 'lured.txt' }, { rules: lured })).toBe('ask')
    const denying = rulesOfConfiguration([{ effect: 'deny', tool: '*', match: '/etc/*' }], '')
    expect(await decided('Edit', { file_path: 'lured.txt' }, { rules: denying })).toBe('deny')
  })
})

describe('what is put to a person', () => {
  it.each(['AskUserQuestion', 'ExitPlanMode', 'elicitation', ...alwaysAskTools])(
    'is %s, whatever is allowed, in every mode',
    async (tool) => {
      const rules = [rule({ tool }), ...rulesOfConfiguration([{ effect: 'allow', tool: '*' }], '')]
      for (const permissionMode of modes) {
        expect(await decided(tool, {}, { rules, permissionMode })).toBe('ask')
        expect(await decided(tool, {}, { rules, permissionMode, unattended: true })).toBe('deny')
      }
    },
  )

  it('is a tool that always asks before the CLI can run it, in every mode', async () => {
    for (const tool of alwaysAskTools)
      for (const permissionMode of modes) expect(await verdict(tool, {}, { permissionMode })).toBe('ask')
  })

  it('is not what only proposes something, whatever the mode; a rule against it counts', async () => {
    for (const tool of proposingTools) {
      for (const permissionMode of modes)
        expect(await decided(tool, { message: 'x' }, { permissionMode })).toBe('allow')
      expect(await decided(tool, {}, { rules: [rule({ effect: 'deny', tool })] })).toBe('deny')
      expect(await decided(tool, {}, { rules: [rule({ effect: 'ask', tool })] })).toBe('ask')
      expect(await decided(tool, {}, { folderConfirmed: false })).toBe('ask')
    }
  })

  it('is not a seed tool in modes that ask less', async () => {
    for (const tool of seedTools) {
      expect(await decided(tool, {}, { permissionMode: 'acceptEdits' })).toBe('allow')
      expect(await decided(tool, {}, { permissionMode: 'bypassPermissions' })).toBe('allow')
      for (const permissionMode of ['default', 'plan', 'dontAsk', 'nonsense'])
        expect(await decided(tool, {}, { permissionMode })).toBe('ask')
    }
    expect(await decided('mcp__dorkos__get_config', {}, { permissionMode: 'acceptEdits' })).toBe('ask')
  })

  it('is denied with words where nobody watches, unless a rule answers', async () => {
    const call = await inspect('Bash', command)
    expect(decidePermission(call, now({ unattended: true }))).toMatchObject({
      kind: 'deny',
      by: { kind: 'unattended' },
      message: expect.stringContaining('Nobody watches'),
    })
    expect(decidePermission(call, now({ unattended: true, rules: [rule({})] })).kind).toBe('allow')
  })
})

describe('the state folder', () => {
  const ways = (): [string, Record<string, unknown>][] => [
    ['Read', { file_path: join(state, 'dorkos.db') }],
    ['Read', { file_path: state }],
    ['Write', { file_path: join(state, 'not', 'there', 'yet') }],
    ['Edit', { file_path: ` ${join(state, 'dorkos.db')}` }],
    ['NotebookEdit', { notebook_path: join(cwd, 'innocent', 'x.ipynb') }],
    ['Read', { file_path: 'innocent/dorkos.db' }],
    ['Read', { file_path: join(cwd, 'x', '..', 'innocent') }],
    ['Grep', { pattern: 'secret', path: state }],
    ['Glob', { pattern: `${state}/**` }],
    ['Glob', { pattern: '*', path: 'innocent' }],
    ['mcp__files__read', { path: join(state, 'config.jsonc') }],
    ['Read', { file_path: `/proc/self/root${state}/dorkos.db` }],
  ]

  it('is closed to file tools in every mode, however it is named', async () => {
    for (const [tool, input] of ways())
      for (const permissionMode of modes) {
        const rules = [rule({ tool })]
        expect([tool, input, await verdict(tool, input, { permissionMode, rules })]).toEqual([
          tool,
          input,
          'deny',
        ])
        expect(await decided(tool, input, { permissionMode, rules })).toBe('deny')
      }
  })

  it('is found behind a tilde', async () => {
    const protectedFolders = [join(homedir(), '.dorkos-test')]
    expect(await verdict('Read', { file_path: '~/.dorkos-test/x' }, { protectedFolders })).toBe('deny')
    expect(await verdict('Read', { file_path: '~/.dorkos-tester' }, { protectedFolders })).toBe('pass')
  })

  it('does not close what is beside it', async () => {
    expect(await verdict('Read', { file_path: `${state}-backup` })).toBe('pass')
    expect(await verdict('Read', { file_path: 'plain.txt' })).toBe('pass')
  })
})

describe('in bypass mode, file tools', () => {
  const bypass = { permissionMode: 'bypassPermissions' }
  const write = (path: string, mode = bypass, tool = 'Write') =>
    verdict(tool, { [tool === 'NotebookEdit' ? 'notebook_path' : 'file_path']: path, content: '' }, mode)

  it('write in the workspace unasked, and nowhere else', async () => {
    await symlink('/etc', join(cwd, 'etc'))
    await symlink('/tmp/not-there-yet', join(cwd, 'dangling'))
    for (const tool of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']) {
      for (const path of [
        'plain.txt',
        'new/deep.txt',
        'CLAUDE.md',
        '.claude/worktrees/w/src/a.ts',
        join(cwd, 'x'),
      ])
        expect(await write(path, bypass, tool), path).toBe('pass')
      for (const path of ['/etc/passwd', '../x', 'etc/new', 'dangling', '~/x', `${cwd}-beside/x`])
        expect(await write(path, bypass, tool), path).toBe('ask')
    }
    expect(await verdict('Read', { file_path: '/etc/passwd' }, bypass)).toBe('pass')
    expect(await verdict('Write', { file_path: '/srv/a' }, { ...bypass, directories: [cwd, '/srv'] })).toBe(
      'pass',
    )
    expect(await write('/proc/self/cwd/x').catch(() => 'deny')).toBe('deny')
  })

  it('do not write what programs obey, wherever it is', async () => {
    await symlink('.claude/settings.json', join(cwd, 'innocent.json'))
    const paths = [
      ...[
        '.claude/settings.json',
        '.claude/settings.local.json',
        '.claude/hooks/x.sh',
        '.claude/skills/a/SKILL.md',
      ],
      ...['.mcp.json', '.git/config', '.git/hooks/pre-commit', '.git', 'sub/.git/config', 'sub/.mcp.json'],
      ...[
        '.Claude/Settings.json',
        'x/../.claude/agents/a.md',
        'innocent.json',
        '.vscode/tasks.json',
        '.husky/pre-commit',
      ],
      ...[
        '~/.bashrc',
        '~/.bash_profile',
        '~/.profile',
        '~/.zshenv',
        '~/.zprofile',
        '~/.ssh/authorized_keys',
        '~/.claude.json',
      ],
    ]
    for (const path of paths) {
      expect(await write(path), path).toBe('deny')
      // There the CLI asks a person itself.
      for (const permissionMode of ['default', 'acceptEdits'])
        expect(await write(path, { permissionMode }), path).toBe('pass')
    }
  })

  it('are asked about, denied where nobody watches, and allowed by a rule', async () => {
    const outside = { file_path: '/srv/report.txt', content: '' }
    expect(await decided('Write', outside, bypass)).toBe('ask')
    expect(await decided('Write', outside, { ...bypass, unattended: true })).toBe('deny')
    const rules = [rule({ tool: 'Write', match: '/srv/report.txt' })]
    expect(await decided('Write', outside, { ...bypass, rules })).toBe('allow')
  })
})

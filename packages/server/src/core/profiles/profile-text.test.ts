import { describe, expect, it } from 'vitest'
import { readProfileText } from './profile-text.ts'

const read = (head: string, body = 'Do the work.', file = 'helper.md') =>
  readProfileText(`---\n${head}\n---\n${body}\n`, file)

const faultsOf = (head: string, body?: string) => read(head, body).faults

describe('a profile’s file', () => {
  it('says what it says', () => {
    const { written, faults } = read(
      [
        'description: Reads things',
        'tools: Read, Grep',
        'model: sonnet',
        'permissions: { mode: plan, rules: [{ effect: deny, tool: Bash }] }',
        'limits: { max_turns: 3, budget_usd: 1.5 }',
      ].join('\n'),
    )
    expect(faults).toEqual([])
    expect(written).toMatchObject({
      description: 'Reads things',
      body: 'Do the work.',
      prompt: 'replace',
      tools: ['Read', 'Grep'],
      model: 'sonnet',
      permissions: { mode: 'plan', rules: [{ effect: 'deny', tool: 'Bash' }] },
      limits: { max_turns: 3, budget_usd: 1.5 },
    })
  })

  it('may be one of Claude Code’s agents, in the spelling of those', () => {
    const head =
      'name: helper\ndescription: x\ndisallowedTools: Bash\npermissionMode: plan\nmaxTurns: 4\nmcpServers: [github]'
    expect(read(head).written).toMatchObject({
      disallowed_tools: ['Bash'],
      permissions: { mode: 'plan' },
      limits: { max_turns: 4 },
      mcp_servers: ['github'],
    })
  })

  it('has agents of its own, or names them', () => {
    const own =
      'description: x\nagents:\n  looker:\n    description: looks\n    prompt: Look.\n    maxTurns: 2\n    disallowedTools: Bash'
    expect(read(own).written?.agents).toMatchObject({ looker: { max_turns: 2, disallowed_tools: ['Bash'] } })
    expect(read('description: x\nagents: [reviewer, researcher]').written?.agents).toEqual([
      'reviewer',
      'researcher',
    ])
  })
})

describe('7. what is wrong in it is reported with its line', () => {
  it.each([
    ['a key that is not known', 'description: x\ncolour: red', 3, 'colour'],
    ['one within another', 'description: x\nlimits:\n  budget: 3', 4, 'limits.budget'],
    [
      'one of an agent',
      'description: x\nagents:\n  a:\n    description: y\n    prompt: z\n    wings: 2',
      7,
      'agents.a.wings',
    ],
    ['a value of the wrong kind', 'description: x\nlimits:\n  max_turns: many', 4, 'limits.max_turns'],
    ['the same in the other spelling', 'description: x\nmaxTurns: many', 3, 'limits.max_turns'],
    [
      'a key in both spellings',
      'description: x\ndisallowed_tools: [Bash]\ndisallowedTools: Edit',
      4,
      'disallowedTools',
    ],
    ['a mode that is not known', 'description: x\npermissionMode: auto', 3, 'permissions.mode'],
    [
      'a rule',
      'description: x\npermissions:\n  rules:\n    - effect: allow\n      tool: Bash\n      when: always',
      7,
      'permissions.rules.0.when',
    ],
    ['another name than the file’s', 'description: x\nname: other', 3, 'name'],
    ['hooks', 'description: x\nhooks: {}', 3, 'hooks'],
    ['a prompt of its own accord', 'description: x\ninitialPrompt: go', 3, 'initialPrompt'],
    ['a worktree', 'description: x\nworktree: own', 3, 'worktree'],
    [
      'isolation of an agent',
      'description: x\nagents:\n  a:\n    description: y\n    prompt: z\n    isolation: worktree',
      7,
      'agents.a.isolation',
    ],
    ['a prototype', 'description: x\n__proto__: { a: 1 }', 3, '__proto__'],
  ])('%s', (_, head, line, path) => {
    expect(faultsOf(head)).toContainEqual(expect.objectContaining({ line, path }))
  })

  it.each([
    ['no head', 'Do the work.'],
    ['a head that is a list', '---\n- a\n---\nx'],
    ['no description', '---\nmodel: opus\n---\nx'],
    ['no prompt', '---\ndescription: x\n---\n'],
    ['YAML that is none', '---\ndescription: [x\n---\nx'],
    ['a key given twice', '---\ndescription: x\ndescription: y\n---\nx'],
    ['a tag of its own', '---\ndescription: !!js/function "x"\n---\nx'],
    [
      'gigabytes of aliases',
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`)}]`)
        .join('\n')}\n---\nx`,
    ],
    ['more than it may hold', `---\ndescription: x\n---\n${'y'.repeat(300_000)}`],
  ])('%s', (_, text) => {
    const { written, faults } = readProfileText(text, 'helper.md')
    expect(written).toBeUndefined()
    expect(faults.length).toBeGreaterThan(0)
    for (const { line } of faults) expect(line).toBeGreaterThan(0)
  })

  it('all of it at once', () => {
    expect(faultsOf('description: 3\nwings: 2\nlimits: { budget_usd: -1 }').map(({ path }) => path)).toEqual(
      expect.arrayContaining(['description', 'wings', 'limits.budget_usd']),
    )
  })
})

import type { Approval } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { askApproval } from './ask-approval.ts'
import { editable, readEdited } from './edit-input.ts'
import { createStyle } from './style.ts'

function approval(fields: Partial<Approval> = {}): Approval {
  return {
    id: 'appr_0123456789',
    kind: 'tool',
    session_id: '00000000-0000-4000-8000-000000000000',
    workspace_id: 'ws_0123456789',
    principal: 'owner',
    tool: 'Bash',
    input: { command: 'ls -la', description: 'List' },
    input_hash: 'x',
    risk: 'execute',
    proposed_rule: { tool: 'Bash', match: 'ls -la', scope: 'workspace' },
    state: 'pending',
    created_at: '2026-01-01T00:00:00.000Z',
    deadline: '2026-01-01T04:00:00.000Z',
    ...fields,
  }
}

/** A person who types these lines, one for each question. */
async function typed(lines: (string | undefined)[], about: Approval) {
  const prompts: string[] = []
  let shown = ''
  const answer = await askApproval(
    {
      asker: {
        async ask(prompt) {
          prompts.push(prompt)
          if (lines.length === 0) throw new Error(`asked once more: ${prompt}`)
          return lines.shift()
        },
      },
      notify: (text) => {
        shown += text
      },
      style: createStyle(false),
      signal: new AbortController().signal,
    },
    about,
  )
  return { answer, prompts, shown, left: lines }
}

describe('a tool call', () => {
  it.each([
    ['y', { decision: 'allow', scope: 'once' }],
    ['Y', { decision: 'allow', scope: 'once' }],
    ['s', { decision: 'allow', scope: 'session' }],
    ['', undefined],
    [undefined, undefined],
  ])('is answered by %j', async (line, answer) => {
    expect((await typed([line], approval())).answer).toEqual(answer)
  })

  it('is allowed by nothing but the letters that are offered', async () => {
    for (const line of ['yy', 'ok', 'sure', 'allow', 'y n', '1']) {
      const { answer, shown } = await typed([line, ''], approval())
      expect(answer).toBeUndefined()
      expect(shown).toContain('Type one of the letters')
    }
  })

  it('cannot be allowed for longer where no rule can be made', async () => {
    const { proposed_rule, ...bare } = approval()
    const { answer, prompts } = await typed(['s', 'a', 'y'], bare)
    expect(prompts[0]).not.toContain('[s]')
    expect(answer).toEqual({ decision: 'allow', scope: 'once' })
  })

  it('says what a lasting answer would let pass', async () => {
    const choices = async (fields: Partial<Approval>) => (await typed([''], approval(fields))).prompts[0]
    expect(await choices({})).toContain('[s] this session, exactly this command  [a] always…')
    const path = '/projects/a\u200b  b\n.txt'
    const edit = { tool: 'Edit', input: { file_path: path, old_string: 'a', new_string: 'b' } }
    const shown = '/projects/a\\u{200b}  b\\u{a}.txt'
    expect(
      await choices({ ...edit, proposed_rule: { tool: 'Edit', match: path, scope: 'workspace' } }),
    ).toContain(`[s] this session, any Edit of ${shown}  [a] always`)
    const other = { tool: 'mcp__x__y', match: '{}', scope: 'workspace' } as const
    expect(await choices({ proposed_rule: other })).toContain('[s] this session, exactly this  [a]')
  })

  it('is denied with words, or without', async () => {
    expect((await typed(['n', ' use rg '], approval())).answer).toEqual({
      decision: 'deny',
      message: 'use rg',
    })
    expect((await typed(['n', ''], approval())).answer).toEqual({ decision: 'deny' })
  })

  it('runs an edited input only after it was shown and confirmed', async () => {
    const { answer, shown } = await typed(['e', 'command', 'ls', 'y'], approval())
    expect(answer).toEqual({
      decision: 'allow',
      scope: 'once',
      updated_input: { command: 'ls', description: 'List' },
    })
    expect(shown).toContain('It would run:\n  command: ls')
    expect((await typed(['e', 'command', 'ls', '', ''], approval())).answer).toBeUndefined()
  })

  it('is shown whole, with nothing hidden in it', async () => {
    const command = `echo one\nrm -rf ~ \u200b#\x1b[1A\x1b[2K${'x'.repeat(3000)}END`
    const { shown } = await typed([''], approval({ input: { command } }))
    expect(shown).toContain('runs a command')
    expect(shown).toContain('    | rm -rf ~ \\u{200b}#\\u{1b}[1A\\u{1b}[2K')
    expect(shown).toContain('END')
    expect(shown).toContain('invisible characters')
    expect(shown).not.toContain('\x1b')
  })
})

describe('a lasting answer', () => {
  const issue = approval({
    tool: 'mcp__tracker__add',
    input: { project: 'a\u200b', title: 'one', labels: [1] },
    proposed_rule: {
      tool: 'mcp__tracker__add',
      match: '{}',
      scope: 'workspace',
      fields: ['project', 'title', 'labels'],
    },
  })

  it('is chosen, and said whole before it is given', async () => {
    const { answer, shown } = await typed(['a', '2', '1, 3', '2', 'y'], issue)
    expect(answer).toEqual({
      decision: 'allow',
      scope: 'always',
      covers: { kind: 'fields', fields: ['project', 'labels'] },
    })
    expect(shown).toContain(
      'From now on every tracker: add with project: "a\\u200b" and labels: [1] will run without asking in this workspace, until you revoke the rule.',
    )
  })

  it.each([
    [['1', '1'], { scope: 'session', covers: { kind: 'call' } }],
    [['3', '3'], { scope: 'everywhere', covers: { kind: 'tool' } }],
  ])('is for %j', async (lines, answer) => {
    expect((await typed(['a', ...lines, 'y'], issue)).answer).toEqual({ decision: 'allow', ...answer })
  })

  it('for commands that begin alike is only what Claude Code proposes', async () => {
    const proposed = { tool: 'Bash', match: 'npm test', scope: 'workspace' }
    const { answer, shown } = await typed(
      ['a', '2', '1', 'y'],
      approval({ proposed_rule: { ...proposed, prefix: 'npm test *' } }),
    )
    expect(answer).toEqual({ decision: 'allow', scope: 'session', covers: { kind: 'prefix' } })
    expect(shown).toContain('  2  commands like npm test *, as matched by Claude Code\n')
    expect((await typed(['a', '2', '', ''], approval({ proposed_rule: proposed }))).answer).toBeUndefined()
  })

  it('is not given by what was not offered, nor without the last word', async () => {
    for (const lines of [
      ['a', ''],
      ['a', '4', '2 3', 'all', ''],
      ['a', '2', '', ''],
      ['a', '2', '1,9', 'project', ''],
      ['a', '3', 'y', ''],
      ['a', '3', '2', ''],
      ['a', '3', '2', 'yes please'],
    ]) {
      const { answer, left } = await typed([...lines, '', ''], issue)
      expect(answer).toBeUndefined()
      expect(left.length).toBeLessThan(3)
    }
  })

  it('needs a workspace to hold in one', async () => {
    const { workspace_id, ...bare } = issue
    const { answer, shown } = await typed(['a', '3', '2', 'y'], bare)
    expect(shown).not.toContain('in this workspace')
    expect(answer).toMatchObject({ scope: 'everywhere' })
  })
})

describe('questions of the agent', () => {
  const question = approval({
    kind: 'question',
    tool: 'AskUserQuestion',
    input: {
      questions: [
        { question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue', description: 'like the sea' }] },
        { question: 'What for?', multiSelect: true, options: [{ label: 'A' }, { label: 'B' }] },
      ],
    },
  })

  it('are answered by numbers, several numbers, or other words', async () => {
    expect((await typed(['2', '1, 2'], question)).answer).toEqual({
      decision: 'allow',
      answers: { 'Which?': 'Blue', 'What for?': ['A', 'B'] },
    })
    expect((await typed(['green', '2'], question)).answer).toEqual({
      decision: 'allow',
      answers: { 'Which?': 'green', 'What for?': ['B'] },
    })
  })

  it('are asked again for a number that is not there, and for two where one is wanted', async () => {
    const { answer, shown } = await typed(['3', '1 2', '1', '1'], question)
    expect(answer).toMatchObject({ answers: { 'Which?': 'Red' } })
    expect(shown.match(/Type a number/g)).toHaveLength(2)
  })

  it('hide nothing, and pose as nothing of ours', async () => {
    const sly = {
      question: 'Really\u200b?\nApproval needed: Read\x1b[A',
      options: [{ label: 'Yes\u2060', description: 'o\u00adk' }],
    }
    const { shown } = await typed([''], approval({ ...question, input: { questions: [sly] } }))
    expect(shown).toContain('  | Really\\u{200b}?\n  | Approval needed: Read\\u{1b}[A\n')
    expect(shown).toContain('  1  Yes\\u{2060}: o\\u{ad}k\n')
    expect(shown).toContain('invisible characters')
  })

  it('can be declined, or left open', async () => {
    expect((await typed(['-'], question)).answer).toEqual({ decision: 'deny' })
    expect((await typed(['1', ''], question)).answer).toBeUndefined()
  })
})

describe('a plan', () => {
  const plan = approval({
    kind: 'plan',
    tool: 'ExitPlanMode',
    input: { plan: '# Plan\x1b[2J\n1.\u2060 Look' },
  })

  it.each([
    [['y'], { decision: 'allow', permission_mode: 'default' }],
    [['e'], { decision: 'allow', permission_mode: 'acceptEdits' }],
    [['n', 'smaller'], { decision: 'deny', message: 'smaller' }],
    [[''], undefined],
  ])('is answered by %j', async (lines, answer) => {
    const found = await typed([...lines], plan)
    expect(found.answer).toEqual(answer)
    expect(found.shown).toContain(
      '  | # Plan\\u{1b}[2J\n  | 1.\\u{2060} Look\n  ! It contains invisible characters',
    )
    expect(found.shown).toMatch(
      /If you accept edits, the agent edits, .* moves and deletes files .* without asking, including with mkdir, .*\brm\b/,
    )
  })
})

describe('a form of an MCP server', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', title: 'Your name' },
      age: { type: 'integer' },
      colour: { type: 'string', enum: ['red', 'blue'] },
      sure: { type: 'boolean' },
      days: { type: 'array', items: { enum: ['Mon', 'Tue', 'Wed'] }, maxItems: 2 },
      size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }], default: 's' },
      more: { type: 'object' },
    },
  }
  const form = approval({
    kind: 'elicitation',
    tool: 'elicitation',
    input: { server: 'x', message: 'Hi', schema },
  })

  it('is filled in field by field, by type', async () => {
    const lines = ['y', '', 'Ada', 'old', '36', '2', 'y', 'Mon, 3', '', '{"a": 1}']
    const { answer, shown } = await typed(lines, form)
    expect(answer).toEqual({
      decision: 'allow',
      answers: {
        name: 'Ada',
        age: 36,
        colour: 'blue',
        sure: true,
        days: ['Mon', 'Wed'],
        size: 's',
        more: { a: 1 },
      },
    })
    expect(shown).toContain('This is required.')
    expect(shown).toContain('a whole number')
  })

  it('takes several choices as a list, and no other', async () => {
    const { answer, shown, prompts } = await typed(
      ['y', 'Ada', '', '', '', 'Sun', '1,2,3', 'Tue', 'Small', ''],
      form,
    )
    expect(answer).toMatchObject({ answers: { days: ['Tue'], size: 's' } })
    expect(shown).toContain('This must be one of Mon, Tue, Wed.')
    expect(shown).toContain('This must have at most 2 entries.')
    expect(prompts.find((prompt) => prompt.startsWith('days'))).toContain('1 Mon, 2 Tue, 3 Wed')
  })

  it('leaves out what need not be given', async () => {
    const { answer } = await typed(['y', 'Ada', '', '', '', '', '', ''], form)
    expect(answer).toEqual({ decision: 'allow', answers: { name: 'Ada', size: 's' } })
    const bare = approval({ kind: 'elicitation', tool: 'elicitation', input: { schema: 'nonsense' } })
    expect((await typed(['y'], bare)).answer).toEqual({ decision: 'allow', answers: {} })
  })

  it('can be declined', async () => {
    expect((await typed(['n'], form)).answer).toEqual({ decision: 'deny' })
  })
})

describe('editing', () => {
  it('takes JSON where plain text cannot show what is there', () => {
    expect(editable('ls')).toEqual({ text: 'ls', isJson: false })
    expect(editable('a\nb\u200b')).toEqual({ text: '"a\\nb\\u200b"', isJson: true })
    expect(editable({ a: 1 })).toEqual({ text: '{"a":1}', isJson: true })
    expect(readEdited('"a\\nb"', true)).toBe('a\nb')
    expect(readEdited('{', true)).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { mcpName, toolTitle, verbText } from './tool-title.ts'

const title = (name: string, input: Record<string, unknown>) =>
  toolTitle({ name, input, inputJson: '' }, '/home/me/app', [
    { id: '7', content: 'Mend the roof', status: 'pending' },
  ])

describe('toolTitle', () => {
  it.each([
    ['Bash', { command: 'npm test' }, 'run', 'npm test'],
    ['Bash', { command: 'cd a\nrm -rf b' }, 'run', 'cd a …'],
    ['Edit', { file_path: '/home/me/app/src/a.ts' }, 'edit', 'src/a.ts'],
    ['Write', { file_path: '/home/me/application/a.ts' }, 'write', '/home/me/application/a.ts'],
    ['NotebookEdit', { notebook_path: '/home/me/app/n.ipynb' }, 'edit', 'n.ipynb'],
    ['Read', { file_path: '/home/me/app' }, 'read', '.'],
    ['Glob', { pattern: '**/*.ts' }, 'find', '**/*.ts'],
    ['WebSearch', { query: 'weather' }, 'searchWeb', 'weather'],
    ['AskUserQuestion', { questions: [{ question: 'Which?' }] }, 'ask', 'Which?'],
    ['AskUserQuestion', { questions: [{ question: 'Which?' }, { question: 'Why?' }] }, 'ask', '2 questions'],
    ['TaskUpdate', { taskId: '2', status: 'in_progress' }, 'changeTask', '#2 · in progress'],
    ['TaskUpdate', { taskId: '7', status: 'completed' }, 'changeTask', 'Mend the roof · completed'],
    ['Agent', { description: 'Look around', subagent_type: 'Explore' }, 'delegate', 'Look around'],
    ['SomethingNew', { x: 1 }, 'call', 'SomethingNew'],
    ['Bash', { command: { not: 'a string' } }, 'run', ''],
    ['AskUserQuestion', { questions: 'nonsense' }, 'ask', ''],
    ['toString', {}, 'call', 'toString'],
  ])('%s %j', (name, input, verb, target) => expect(title(name, input)).toMatchObject({ verb, target }))

  it('names the server of an MCP tool', () => {
    expect(title('mcp__github__create_issue', {})).toMatchObject({
      verb: 'call',
      target: 'create_issue',
      server: 'github',
    })
    expect(mcpName('mcp__my_server__a__b')).toEqual({ server: 'my_server', tool: 'a__b' })
    expect(mcpName('Bash')).toBeUndefined()
  })

  it('has a target while the input is still written', () => {
    const writing = {
      name: 'Write',
      input: undefined,
      inputJson: '{"file_path":"/home/me/app/a.md","content":"# He',
    }
    expect(toolTitle(writing, '/home/me/app').target).toBe('a.md')
  })

  it('says which lines and where', () => {
    expect(title('Read', { file_path: 'a', offset: 10, limit: 5 }).note).toBe('lines 10–14')
    expect(title('Grep', { pattern: 'x', path: '/home/me/app/src' }).note).toBe('in src')
  })
})

it('puts the verb as far as the call is', () => {
  expect(verbText('run', 'waiting')).toBe('Run')
  expect(verbText('run', 'running')).toBe('Running')
  expect(verbText('run', 'done')).toBe('Ran')
  expect(verbText('run', 'denied')).toBe('Run')
  expect(verbText('run', 'interrupted')).toBe('Ran')
})

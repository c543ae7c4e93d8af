import { expect, test } from 'vitest'
import { parseCommands, workspaceCommands } from './commands.ts'

test('sources are read from what the CLI says, the nearest first', () => {
  const commands = parseCommands([
    { name: 'compact', description: 'Frees context', argumentHint: '<what>', builtin: true },
    { name: 'mine', description: 'My own (user)', argumentHint: '' },
    { name: 'deploy', description: 'Deploys it (project)', argumentHint: 'environment' },
    { name: 'kit:do', description: 'Does it (plugin:kit@shop)', argumentHint: '' },
    { name: 'mcp__files__find', description: 'Finds', argumentHint: '' },
  ])
  expect(commands.map(({ name, source, description }) => [name, source, description])).toEqual([
    ['deploy', 'project', 'Deploys it'],
    ['mine', 'user', 'My own'],
    ['kit:do', 'plugin', 'Does it'],
    ['mcp__files__find', 'mcp', 'Finds'],
    ['compact', 'builtin', 'Frees context'],
  ])
})

test('what is no command is left out', () => {
  const hostile = [
    null,
    7,
    'x',
    {},
    { name: 3 },
    { name: 'with space' },
    { name: '/slash' },
    { name: '' },
    { name: '__internal' },
    { name: 'x'.repeat(300) },
    { name: 'ok', description: { a: 1 }, argumentHint: 5, aliases: ['o', 4, null] },
    { name: 'ok', description: 'twice' },
  ]
  expect(parseCommands(hostile)).toEqual([
    { name: 'ok', description: '', argumentHint: '', aliases: ['o'], source: 'user' },
  ])
})

test('long descriptions are cut and kept on one line', () => {
  const [command] = parseCommands([{ name: 'a', description: `b\n\n${'c'.repeat(2000)}` }])
  expect(command?.description.length).toBeLessThan(510)
  expect(command?.description).toMatch(/^b c/)
})

test('those of a workspace are ordered alike, without what cannot be typed', () => {
  const command = (name: string, source: 'project' | 'user' | 'builtin') => ({
    name,
    description: ` Makes\n${'tea '.repeat(200)}`,
    argument_hint: '[cups]',
    aliases: ['t'],
    source,
  })
  const commands = workspaceCommands({
    commands: [
      command('compact', 'builtin'),
      command('two words', 'project'),
      command('__own', 'builtin'),
      command('mine', 'user'),
      command('tea', 'project'),
      command('mine', 'builtin'),
    ],
    has_builtin: true,
  })
  expect(commands.map(({ name, source }) => [name, source])).toEqual([
    ['tea', 'project'],
    ['mine', 'user'],
    ['compact', 'builtin'],
  ])
  expect(commands[0]).toMatchObject({ argumentHint: '[cups]', aliases: ['t'] })
  expect(commands[0]?.description).toMatch(/^Makes tea .{490,}…$/)
})

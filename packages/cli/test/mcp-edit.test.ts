import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'
import { expectHarmless, type McpHost, startMcpHost } from './support/mcp-host.ts'

const editor = fileURLToPath(new URL('./support/fake-editor.mjs', import.meta.url))

/** What stands in the configuration file itself. */
function stored({ host }: McpHost): string {
  return readFileSync(join(host.offline.home, '.dorkos', 'config.jsonc'), 'utf8')
}

async function entryOf({ host }: McpHost, name: string) {
  const { servers } = await host.page.listMcpServers()
  return servers.find((one) => one.name === name)?.entry
}

interface Seen {
  file: string
  modes: string[]
  text: string
}

/** `plan`: what is saved each time the editor is opened. */
async function startEditing(
  mcp: McpHost,
  name: string,
  plan: (string | number | null | { after: string; text: string })[],
) {
  const { env, cwd, home } = mcp.host.offline
  const file = join(home, 'editor-plan.json')
  await writeFile(file, JSON.stringify(plan))
  const terminal = new FakeTerminal({ env: { ...env, EDITOR: `${process.execPath} ${editor} ${file}` }, cwd })
  const exit = terminal.run('mcp', 'edit', name)
  await mcp.giveCode(terminal)
  const seen = () =>
    existsSync(`${file}.seen`)
      ? readFileSync(`${file}.seen`, 'utf8')
          .trim()
          .split('\n')
          .map((line): Seen => JSON.parse(line))
      : []
  return { terminal, exit, seen }
}

it('changes single fields by flags, and leaves every secret as it is', async () => {
  await using mcp = await startMcpHost()
  await mcp.admin('add', 'db', '--env', 'KEY=k3y', '--env', 'OLD=0ld', '--', 'db-mcp', '--token', 's3cret')
  expect((await mcp.reader('edit', 'db', '--command', 'other')).code).toBe(1)
  expect(stored(mcp)).toContain('"db-mcp"')
  const changed = await mcp.admin(
    'edit',
    'db',
    '--command',
    'other',
    '--unset-env',
    'OLD',
    '--env',
    'NEW=n3w',
  )
  expect(changed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Changed db, .*config\.jsonc:\d+\n$/),
  })
  expect(await entryOf(mcp, 'db')).toEqual({
    type: 'stdio',
    command: 'other',
    args: ['--token', '•••'],
    env: { KEY: '•••', NEW: '•••' },
  })
  for (const value of ['k3y', 's3cret', 'n3w']) expect(stored(mcp)).toContain(`"${value}"`)
  expect(stored(mcp)).not.toContain('0ld')
  const json = await mcp.admin(
    'edit',
    'db',
    '--json',
    '--timeout',
    '1.5',
    '--sharing',
    'session',
    '--mode',
    'container',
  )
  expect(JSON.parse(json.stdout)).toMatchObject({
    name: 'db',
    entry: { timeout: 1500, sharing: 'session', modes: ['container'] },
  })
  const again = await mcp.admin('edit', 'db', '--timeout', '1.5')
  expect(again).toMatchObject({ code: 0, stdout: '', stderr: 'No changes.\n' })
  await mcp.admin('edit', 'db', '--timeout', 'default', '--', 'db2', '--token', '•••', '-v')
  expect(await entryOf(mcp, 'db')).toMatchObject({ command: 'db2', args: ['--token', '•••', '-v'] })
  expect((await entryOf(mcp, 'db'))?.timeout).toBeUndefined()
  expect(stored(mcp)).toContain('"s3cret"')
  expectHarmless(changed, json, again)
  for (const { stdout, stderr } of [changed, json]) expect(stdout + stderr).not.toMatch(/k3y|s3cret|n3w/)
})

it('keeps the headers of a server for the same host alone', async () => {
  await using mcp = await startMcpHost()
  const header = ['--header', 'Authorization: Bearer t0ken']
  await mcp.admin('add', 'docs', '--url', 'https://a.example.org/mcp', ...header)
  const moved = await mcp.admin('edit', 'docs', '--url', 'https://b.example.org/mcp')
  expect(moved).toMatchObject({ code: 2, stderr: expect.stringContaining('Enter the value itself') })
  expect((await entryOf(mcp, 'docs'))?.url).toBe('https://a.example.org/mcp')
  expect((await mcp.admin('edit', 'docs', '--url', 'https://a.example.org/v2')).code).toBe(0)
  expect(stored(mcp)).toContain('"Bearer t0ken"')
  const other = ['--header', 'authorization: Bearer 0ther']
  expect((await mcp.admin('edit', 'docs', '--url', 'https://b.example.org/mcp', ...other)).code).toBe(0)
  expect(stored(mcp)).not.toContain('t0ken')
  expect(await entryOf(mcp, 'docs')).toMatchObject({
    url: 'https://b.example.org/mcp',
    headers: { authorization: '•••' },
  })
  const refused = await mcp.admin('edit', 'docs', '--arg', 'x')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--arg doesn’t apply') })
  expect(await mcp.admin('edit', 'docs', '--unset-header', 'X-No')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it has authorization'),
  })
})

it('opens an editor on a private file, refuses what is no entry, and changes what is agreed to', async () => {
  await using mcp = await startMcpHost()
  await mcp.admin('add', 'db', '--env', 'KEY=k3y', '--', 'db-mcp')
  const { terminal, exit, seen } = await startEditing(mcp, 'db', [
    '{\n  "command": "other",\n  "env": {"KEY": "•••"\n',
    '{"command": "other", "timeout": "long"}',
    '{"command": "other", "args": ["•••"]}',
    '{"command": "other", "env": {"KEY": "•••", "MORE": "m0re"}}',
  ])
  await terminal.shown(/valid JSON: .*line 4, column 1\.[\s\S]*edit again/)
  terminal.type('')
  await terminal.shown(/timeout: [\s\S]*edit again/)
  terminal.type('')
  await terminal.shown(
    /- command: db-mcp\n\+ command: other\n\+ args: '•••'\n- env\.KEY\n[\s\S]*Save this change\?/,
  )
  terminal.type('y')
  await terminal.shown(/Enter the value itself[\s\S]*edit again/)
  expect(stored(mcp)).toContain('"db-mcp"')
  terminal.type('')
  await terminal.shown(/\+ env\.MORE: \(new value\)[\s\S]*Save this change\?/)
  terminal.type('y')
  expect(await exit).toBe(0)
  expect(terminal.stdout).toMatch(/^Changed db, .*config\.jsonc:\d+\n$/)
  for (const value of ['other', 'k3y', 'm0re']) expect(stored(mcp)).toContain(`"${value}"`)
  const [first, second] = seen()
  expect(first?.text).toBe('{\n  "command": "db-mcp",\n  "env": {\n    "KEY": "•••"\n  }\n}\n')
  expect(second?.text).toContain('"other"')
  for (const { file, modes } of seen()) {
    expect(modes).toEqual(['600', '700'])
    expect(file.startsWith(join(mcp.host.offline.home, '.dorkos'))).toBe(true)
    expect(existsSync(file)).toBe(false)
  }
  expect(terminal.screen).not.toMatch(/k3y|m0re/)
})

it.each<[string, string | number | null, number]>([
  ['nothing is saved', null, 0],
  ['the same is saved', '{"env": {"KEY": "•••"}, "command": "db-mcp"}', 0],
  ['the editor fails', 7, 1],
])('changes nothing where %s', async (_, saved, code) => {
  await using mcp = await startMcpHost()
  await mcp.admin('add', 'db', '--env', 'KEY=k3y', '--', 'db-mcp')
  const before = stored(mcp)
  const { terminal, exit, seen } = await startEditing(mcp, 'db', [saved])
  expect(await exit).toBe(code)
  expect(terminal.stderr).toMatch(code === 0 ? /No changes\.\n$/ : /ended with 7/)
  expect(stored(mcp)).toBe(before)
  expect(existsSync(seen()[0]?.file ?? '/')).toBe(false)
})

it('leaves Ctrl-C to the editor', async () => {
  await using mcp = await startMcpHost()
  await mcp.admin('add', 'db', '--', 'db-mcp')
  const after = join(mcp.host.offline.home, 'interrupted')
  const { terminal, exit, seen } = await startEditing(mcp, 'db', [{ after, text: '{"command": "other"}' }])
  await expect.poll(() => seen().length).toBe(1)
  terminal.interrupt()
  await writeFile(after, '')
  await terminal.shown(/Save this change\?/)
  terminal.interrupt()
  expect(await exit).toBe(3)
  expect(await entryOf(mcp, 'db')).toMatchObject({ command: 'db-mcp' })
})

it('changes nothing where a person does not agree, or somebody else was faster', async () => {
  await using mcp = await startMcpHost()
  await mcp.admin('add', 'db', '--', 'db-mcp')
  const declined = await startEditing(mcp, 'db', ['{"command": "other"}'])
  await declined.terminal.shown(/Save this change\?/)
  declined.terminal.type('')
  expect(await declined.exit).toBe(0)
  const late = await startEditing(mcp, 'db', ['{"command": "other"}'])
  await late.terminal.shown(/Save this change\?/)
  await mcp.admin('edit', 'db', '--command', 'theirs')
  late.terminal.type('y')
  expect(await late.exit).toBe(1)
  expect(late.terminal.stderr).toContain('changed by someone else')
  expect(await entryOf(mcp, 'db')).toMatchObject({ command: 'theirs' })
})

it('names the file of what others keep, and what is nowhere', async () => {
  await using mcp = await startMcpHost()
  const file = await mcp.write('.mcp.json', '{"mcpServers": {\n"theirs": {"command": "x"}}}')
  const theirs = await mcp.admin('edit', 'theirs', '--command', 'y')
  expect(theirs).toMatchObject({ code: 1, stderr: expect.stringContaining(`in ${file}:2: change it there`) })
  expect(readFileSync(file, 'utf8')).toContain('"x"')
  const nowhere = await mcp.admin('edit', 'nowhere', '--command', 'y')
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no server nowhere') })
})

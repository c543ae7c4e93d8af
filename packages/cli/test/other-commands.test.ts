import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hang, reply, startOffline, text, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'
import { type OfflineServer, startOfflineServer } from './support/offline-server.ts'

describe('without a server', () => {
  it('says what to do, and exits with 6', async () => {
    await using offline = await startOffline([])
    for (const args of [
      ['sessions', 'list'],
      ['attach', 'abc'],
      ['token', 'list'],
      ['open', '--print'],
    ]) {
      const terminal = new FakeTerminal({ ...offline, isTTY: false })
      expect(await terminal.run(...args)).toBe(6)
      expect(terminal.stderr).toContain('dorkos serve')
    }
  })
})

describe('arguments', () => {
  it.each([
    [['--version'], 0],
    [['--help'], 0],
    [['run', '--help'], 0],
    [['nonsense'], 2],
    [['run', 'x', '--permission-mode', 'yolo'], 2],
    [['run', 'x', '--budget', 'much'], 2],
    [['run', 'x', '--max-turns', '0'], 2],
    [['run', 'x', '--cwd', '/nowhere/at/all'], 2],
    [['run'], 2],
    [['attach'], 2],
    [['token', 'create', '--name', 'x'], 2],
    [['token', 'create', '--name', 'x', '--scopes', 'root'], 2],
    [['serve', '--prot', '1'], 2],
  ])('%j exits with %i', async (args, code) => {
    const terminal = new FakeTerminal({ env: { HOME: '/nowhere' }, cwd: '/', isTTY: false })
    expect(await terminal.run(...args)).toBe(code)
    expect(code === 0 ? terminal.stdout : terminal.stderr).not.toBe('')
  })
})

describe('sessions', () => {
  it('are listed, shown and exported', async () => {
    await using host = await startOfflineServer(['The answer \x1b[2J is 42.'])
    await host.terminal({ isTTY: false }).run('run', 'What is the answer?')
    const list = host.terminal({ isTTY: false })
    expect(await list.run('sessions', 'list')).toBe(0)
    expect(list.stdout).toMatch(/^ID +STATE[\s\S]*What is the answer\?/)
    const json = host.terminal({ isTTY: false })
    await json.run('sessions', 'list', '--json')
    const { id } = JSON.parse(json.stdout.split('\n')[0] ?? '')
    const show = host.terminal({ isTTY: false })
    expect(await show.run('sessions', 'show', id.slice(0, 6))).toBe(0)
    expect(show.stdout).toContain(id)
    expect(show.stdout).toContain('> What is the answer?')
    expect(show.stdout).toContain('The answer \\u{1b}[2J is 42.')
    expect(show.stdout).not.toContain('\x1b')
    const written = host.terminal({ isTTY: false })
    expect(await written.run('sessions', 'export', id, '-o', 'out.md')).toBe(0)
    expect(await readFile(join(host.offline.cwd, 'out.md'), 'utf8')).toContain('What is the answer?')
    const unchanged = host.terminal({ isTTY: false })
    expect(await unchanged.run('sessions', 'changes', id)).toBe(0)
    expect(unchanged.stderr).toContain('No changes.')
    const unknown = host.terminal({ isTTY: false })
    expect(await unknown.run('sessions', 'show', 'ffffffffff')).toBe(2)
    expect(await unknown.run('sessions', 'show', '../etc')).toBe(2)
  })

  it('say which files they changed, and what changed in one', async () => {
    await using host = await startOfflineServer([
      toolUse('Write', { file_path: 'made.txt', content: 'one\n\x1b[2Jtwo\n' }),
      'Made.',
    ])
    const body = { content: 'Make it', permission_mode: 'acceptEdits' as const }
    const { session } = await host.page.createSession({ body })
    const { id } = session
    // While a call runs, nobody can say yet who wrote what.
    await untilCompleted(host, id)
    const changed = async () => (await host.page.listChanges({ params: { id } })).files.length
    await expect.poll(changed, { timeout: 30_000 }).toBe(1)
    const list = host.terminal({ isTTY: false })
    expect(await list.run('sessions', 'changes', id)).toBe(0)
    expect(list.stdout).toMatch(/created +the agent +made\.txt/)
    const file = host.terminal({ isTTY: false })
    expect(await file.run('sessions', 'changes', id, 'made.txt')).toBe(0)
    expect(file.stdout).toContain('+ one')
    expect(file.stdout).toContain('\\u{1b}[2Jtwo')
  })
})

const untilCompleted = ({ page }: OfflineServer, id: string) =>
  expect
    .poll(async () => (await page.getSession({ params: { id } })).last_outcome, { timeout: 30_000 })
    .toBe('completed')

it('changes far apart are shown with what is around each, and not with what is between', async () => {
  const edit = (line: string) =>
    toolUse('Edit', { file_path: 'long.txt', old_string: `${line}\n`, new_string: `${line} changed\n` })
  const answers = [toolUse('Read', { file_path: 'long.txt' }), edit('line 2'), edit('line 900'), 'Changed.']
  await using host = await startOfflineServer(answers)
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join('')
  await writeFile(join(host.offline.cwd, 'long.txt'), lines)
  const body = { content: 'Change it', permission_mode: 'acceptEdits' as const }
  const { id } = (await host.page.createSession({ body })).session
  await untilCompleted(host, id)
  const changed = async () => (await host.page.listChanges({ params: { id } })).files.length
  await expect.poll(changed, { timeout: 30_000 }).toBe(1)
  const file = host.terminal({ isTTY: false })
  expect(await file.run('sessions', 'changes', id, 'long.txt')).toBe(0)
  expect(file.stdout).toContain('- line 2\n+ line 2 changed\n')
  expect(file.stdout).toContain('- line 900\n+ line 900 changed\n')
  expect(file.stdout.split('\n').length).toBeLessThan(25)
})

describe('what runs for a session', () => {
  it('is listed, read and stopped', async () => {
    const command = 'printf "printed \\033[2J\\n"; while [ -d "$PWD" ]; do sleep 0.1; done'
    const loop = toolUse('Bash', { command, description: 'a loop', run_in_background: true })
    await using host = await startOfflineServer([loop, 'Begun.'])
    const { page: client } = host
    await client.createRule({ body: { effect: 'allow', tool: 'Bash', scope: { kind: 'everywhere' } } })
    const { session } = await client.createSession({ body: { content: 'begin' } })
    const params = { id: session.id }
    await expect
      .poll(async () => (await client.listTasks({ params })).tasks.length, { timeout: 30_000 })
      .toBe(1)
    const list = host.terminal({ isTTY: false })
    expect(await list.run('sessions', 'tasks', session.id, '--json')).toBe(0)
    const { task_id } = JSON.parse(list.stdout)
    const table = host.terminal({ isTTY: false })
    await table.run('sessions', 'tasks', session.id)
    expect(table.stdout).toMatch(/^TASK +STATE[\s\S]*running +command +background +a loop/)
    const output = async (isTTY: boolean) => {
      const terminal = host.terminal({ isTTY })
      await terminal.run('sessions', 'output', session.id, task_id)
      return terminal.stdout
    }
    await expect.poll(() => output(false), { timeout: 30_000 }).toBe('printed \x1b[2J\n')
    expect(await output(true)).toBe('printed \\u{1b}[2J\n')
    const stop = host.terminal({ isTTY: false })
    expect(await stop.run('sessions', 'stop-task', session.id, task_id)).toBe(0)
    // Ends by itself, since the command has.
    const follow = host.terminal({ isTTY: false })
    expect(await follow.run('sessions', 'output', session.id, task_id, '--follow')).toBe(0)
    expect(follow.stdout).toContain('printed')
    expect(await follow.run('sessions', 'stop-task', session.id, 'nothing')).not.toBe(0)
  })
})

describe('token', () => {
  it('is made, listed and revoked with a code, and only with one', async () => {
    await using host = await startOfflineServer([])
    const code = async () => (await host.server.pairingCode()).code
    const refused = host.terminal({ isTTY: false })
    expect(await refused.run('token', 'list')).toBe(1)
    expect(refused.stderr).toContain('--code')
    const made = host.terminal({ isTTY: false, input: `${await code()}\n` })
    expect(await made.run('token', 'create', '--name', 'ci', '--scopes', 'chat,read', '--code', '-')).toBe(0)
    expect(made.stdout).toMatch(/^dork_[\w-]{43}\n$/)
    const list = host.terminal({ isTTY: false, input: await code() })
    expect(await list.run('token', 'list', '--json', '--code', '-')).toBe(0)
    const tokens = list.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const ci = tokens.find(({ name }) => name === 'ci')
    expect(ci).toMatchObject({ kind: 'api', scopes: ['read', 'chat'] })
    expect(list.stdout).not.toContain(made.stdout.trim())
    const asked = host.terminal()
    const exit = asked.run('token', 'revoke', ci.id)
    await asked.shown(/Code \(Enter to skip\) > /)
    asked.type(await code())
    expect(await exit).toBe(0)
    const after = (await host.page.listTokens()).tokens.find(({ id }) => id === ci.id)
    expect(after?.revoked_at).toBeDefined()
  })
})

describe('chat', () => {
  it('talks, queues what is typed while it works, and leaves', async () => {
    await using host = await startOfflineServer([
      reply([text('First answer, slowly.')], { deltaDelayMs: 30, deltaSize: 2 }),
      'Second answer.',
    ])
    const terminal = host.terminal()
    const exit = terminal.run('chat')
    await terminal.shown(/> /)
    terminal.type('one\\')
    terminal.type('two')
    await terminal.shown(/First/)
    terminal.type('three')
    await terminal.shown(/queued/)
    await terminal.shown(/slowly\.[\s\S]*\(completed[\s\S]*> three[\s\S]*Second answer\.[\s\S]*\(completed/)
    terminal.type('/mode bypassPermissions')
    await terminal.shown(/Code \(Enter to skip\) > /)
    terminal.type('')
    await terminal.shown(/doesn’t have the permission/)
    terminal.type('/quit')
    expect(await exit).toBe(0)
    expect(host.offline.model.requests.map((request) => request.lastUserText)).toEqual(['one\ntwo', 'three'])
  })
})

describe('a stop in a chat', () => {
  it('holds what waits, until it is run, or taken back', async () => {
    const talks = () => hang({ blocks: [text('Talking on')], afterDeltas: 2 })
    await using host = await startOfflineServer([talks(), 'Two done.', talks(), 'Four done.'])
    const terminal = host.terminal()
    const exit = terminal.run('chat')
    await terminal.shown(/> /)
    terminal.type('one')
    await terminal.shown(/Talking/)
    terminal.type('two')
    await terminal.shown(/queued/)
    terminal.interrupt()
    // That it waits and that the turn has ended are printed in whichever order they come.
    const stopped = /(?=[\s\S]*1 message queued: the agent was stopped\. \/run runs it)(?=[\s\S]*interrupted)/
    await terminal.shown(stopped)
    terminal.type('/queue')
    await terminal.shown(/1 {2}two[\s\S]*agent was stopped/)
    expect(host.offline.model.requests).toHaveLength(1)
    terminal.type('/run')
    await terminal.shown(/Two done\.[\s\S]*\(completed/)
    terminal.type('three')
    await terminal.shown(/Talking/)
    terminal.type('never')
    await terminal.shown(/queued/)
    terminal.type('/stop')
    await terminal.shown(stopped)
    terminal.type('/drop')
    await terminal.shown(/Deleted from the queue: 1\./)
    terminal.type('four')
    await terminal.shown(/Four done\./)
    terminal.type('/quit')
    expect(await exit).toBe(0)
    const asked = host.offline.model.requests.map(({ lastUserText }) => lastUserText.split('\n').at(-1))
    expect(asked).toEqual(['one', 'two', 'three', 'four'])
  })
})

describe('attach', () => {
  it('shows what was and what comes, and can answer', async () => {
    await using host = await startOfflineServer([
      'Hello.',
      toolUse('Bash', { command: 'touch a.txt' }),
      'Made it.',
    ])
    const { session } = await host.page.createSession({ body: { content: 'first words' } })
    const events = host.page.followSession(session.id)
    for await (const frame of events) if (frame.frame === 'message' && frame.event.type === 'turn_end') break
    const terminal = host.terminal()
    const code = (await host.server.pairingCode()).code
    terminal.type(code)
    const exit = terminal.run('attach', session.id.slice(0, 8), '--code', '-')
    await terminal.shown(/> first words[\s\S]*Hello\.[\s\S]*\(completed/)
    await host.page.sendMessage({ params: { id: session.id }, body: { content: 'from the page' } })
    await terminal.shown(/> from the page[\s\S]*leave open > /)
    terminal.type('y')
    await terminal.shown(/Made it\.[\s\S]*\(completed/)
    terminal.interrupt()
    expect(await exit).toBe(0)
  })
})

describe('open', () => {
  it('prints the address, and no code', async () => {
    await using host = await startOfflineServer([])
    const terminal = host.terminal({ isTTY: false })
    expect(await terminal.run('open', '--print')).toBe(0)
    expect(terminal.stdout).toBe(`${host.server.url}/\n`)
  })
})

describe('doctor', () => {
  it('knows a running server, and reveals no secret', async () => {
    await using host = await startOfflineServer([])
    const terminal = host.terminal({ isTTY: false })
    expect(await terminal.run('doctor', '--json')).toBe(0)
    const found = JSON.parse(terminal.stdout)
    const check = (name: string) => found.find((one: { check: string }) => one.check === name)
    expect(check('server')).toMatchObject({ detail: expect.stringContaining(host.server.url) })
    expect(check('database')).toMatchObject({ state: 'ok', detail: expect.stringContaining('intact') })
    expect(check('claude cli')).toMatchObject({ state: 'ok' })
    expect(check('credentials').detail).toContain('ANTHROPIC_API_KEY')
    expect(terminal.stdout).not.toContain('sk-test')
  })
})

describe('service install --dry-run', () => {
  it('prints the unit and writes nothing', async () => {
    await using offline = await startOffline([])
    const terminal = new FakeTerminal({ ...offline, isTTY: false })
    expect(await terminal.run('service', 'install', '--dry-run')).toBe(0)
    expect(terminal.stdout).toContain(`ExecStart="${process.execPath}" "/opt/dorkos/main.js" "serve"`)
    const status = new FakeTerminal({ ...offline, isTTY: false })
    expect(await status.run('service', 'status')).toBe(1)
  })
})

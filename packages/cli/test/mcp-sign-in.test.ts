import { type AuthServer, type AuthServerOptions, startAuthServer } from '@dorkos/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { runCli } from '../src/run-cli.ts'
import type { FakeTerminal } from './support/fake-terminal.ts'
import { type McpHost, startMcpHost } from './support/mcp-host.ts'
import { spawnCommand } from './support/spawn-command.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

/** A server that DorkOS knows as `notes`, and the authorization server that guards it. */
async function addGuarded(mcp: McpHost, options?: AuthServerOptions): Promise<AuthServer> {
  const auth = await startAuthServer(options)
  open.push(auth)
  expect(await mcp.admin('add', 'notes', '--url', auth.mcpUrl)).toMatchObject({ code: 0 })
  return auth
}

/** Runs it without a terminal; `after`: lines after the code. */
async function signIn(mcp: McpHost, flags: string[] = [], after = '') {
  const { host } = mcp
  const input = `${(await host.server.pairingCode()).code}\n${after}`
  const terminal = host.terminal({ isTTY: false, input })
  return { terminal, exit: terminal.run('mcp', 'sign-in', 'notes', '--code', '-', ...flags) }
}

/** The address that a person is to open. */
async function shownAddress(terminal: FakeTerminal): Promise<string> {
  await terminal.shown(/open this \S+ address in a browser on this machine:\n\n {2}\S+\n/)
  return /\n {2}(http\S+)\n/.exec(terminal.stderr)?.[1] ?? ''
}

/** What a browser does after the person decided. */
async function comeBack(location: string): Promise<string> {
  const page = await fetch(location)
  expect(page.status).toBe(200)
  return page.text()
}

function expectNoTokens(auth: AuthServer, ...texts: string[]): void {
  expect(auth.tokens()).not.toEqual([])
  for (const token of auth.tokens()) for (const text of texts) expect(text).not.toContain(token)
}

describe('mcp sign-in', () => {
  it('leads a person to the server and back, and sign-out ends it', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp)
    const issuer = new URL(auth.issuer).host
    const before = await mcp.admin('test', 'notes')
    expect(before.code).toBe(1)
    expect(before.stdout).toMatch(/^\[NEEDS AUTH\] notes: .*\n {4}sign in with `dorkos mcp sign-in notes`\n/)
    expect((await mcp.reader('list')).stdout).toContain('    sign in with `dorkos mcp sign-in notes`\n')
    expect((await mcp.reader('doctor')).stdout).toMatch(/→ .*sign in with `dorkos mcp sign-in notes`/)

    const { terminal, exit } = await signIn(mcp)
    const address = await shownAddress(terminal)
    expect(new URL(address).host).toBe(issuer)
    expect(terminal.stderr).toContain(`open this ${issuer} address in`)
    const back = await auth.approve(address)
    expect(back).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    expect(await comeBack(back)).toBe('You can close this tab. See the terminal for the result.\n')
    expect(await exit).toBe(0)
    expect(terminal.stdout).toMatch(
      new RegExp(`^Signed in to notes at ${issuer}\n\\[OK\\] notes: 1 tool, [\\d.]+s\n$`),
    )
    // It listens no more.
    await expect(fetch(back)).rejects.toThrow()

    const list = await mcp.reader('list')
    expect(list.stdout).toMatch(/\[OK\] +notes +DorkOS +1 tool +[\d.]+s +signed in /)
    const show = await mcp.reader('show', 'notes')
    expect(show.stdout).toMatch(new RegExp(`\nsigned in +at ${issuer} by \\S+, `))
    const json = await mcp.reader('show', 'notes', '--json')
    const outputs = [list, show, json].map(({ stdout }) => stdout)
    expectNoTokens(auth, terminal.screen, ...outputs)
    expect((await mcp.reader('doctor')).code).toBe(0)

    expect((await mcp.reader('sign-out', 'notes')).code).toBe(1)
    const out = await mcp.admin('sign-out', 'notes')
    expect(out).toMatchObject({ code: 0, stdout: `Signed out of notes at ${issuer}\n` })
    expect(auth.revoked()).not.toEqual([])
    expect((await mcp.reader('show', 'notes')).stdout).not.toMatch(/^signed in /m)
    expect(await mcp.reader('sign-out', 'notes')).toMatchObject({
      code: 0,
      stdout: 'No one is signed in to notes\n',
    })
  })

  it('opens a browser when Enter is pressed on a terminal', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp)
    const terminal = mcp.host.terminal()
    const opened: string[] = []
    const openBrowser = async (address: string) => {
      opened.push(address)
      await comeBack(await auth.approve(address))
      return true
    }
    const exit = runCli(['mcp', 'sign-in', 'notes'], { ...terminal.context, openBrowser })
    await mcp.giveCode(terminal)
    const address = await shownAddress(terminal)
    await terminal.shown(/\[Enter\] open it in a browser > /)
    expect(opened).toEqual([])
    terminal.type('')
    await terminal.shown(/\[OK\] notes: 1 tool/)
    expect(await exit).toBe(0)
    expect(opened).toEqual([address])
  })

  it('takes the address that a browser elsewhere ended at', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp)
    const { terminal, exit } = mcp.onTerminal('sign-in', 'notes')
    await mcp.giveCode(terminal)
    const back = await auth.approve(await shownAddress(terminal))
    await terminal.shown(/browser > /)
    terminal.type('https://elsewhere.example.org/callback?code=x&state=y')
    await terminal.shown(/isn’t the right address[\s\S]*browser > /)
    terminal.type(back)
    expect(await exit).toBe(0)
    expect(terminal.stdout).toContain('[OK] notes: 1 tool')
  })

  it('prints what the API says as JSON, and nothing else to standard output', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp)
    const { terminal, exit } = await signIn(mcp, ['--json'])
    const address = await shownAddress(terminal)
    await comeBack(await auth.approve(address))
    expect(await exit).toBe(0)
    const [step, finished, ...more] = terminal.stdout.trimEnd().split('\n')
    expect(JSON.parse(step ?? '')).toMatchObject({ step: 'open', url: address })
    expect(JSON.parse(finished ?? '')).toMatchObject({
      name: 'notes',
      details: { server: { health: { state: 'connected', tools: 1 }, signed_in: {} } },
    })
    expect(more).toEqual([])
    expectNoTokens(auth, terminal.screen)
  })

  it('fails when the person says no, and stays signed out', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp)
    const { terminal, exit } = await signIn(mcp)
    await comeBack(await auth.deny(await shownAddress(terminal)))
    expect(await exit).toBe(1)
    expect(terminal.stdout).toBe('')
    expect(terminal.stderr).toMatch(/\n.*(denied|refused|said no).*\n$/i)
    expect(auth.tokens()).toEqual([])
    expect((await mcp.reader('show', 'notes')).stdout).not.toMatch(/^signed in /m)
  })

  it('is not answered by who does not know its state', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp)
    const { terminal, exit } = await signIn(mcp)
    const back = new URL(await auth.approve(await shownAddress(terminal)))
    const forged = new URL(back)
    forged.searchParams.set('state', 'guess')
    forged.searchParams.set('code', 'of-another-account')
    expect((await fetch(forged)).status).toBe(400)
    await comeBack(back.href)
    expect(await exit).toBe(0)
  })

  it('is left by Ctrl-C, with 3', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp)
    const { terminal, exit } = mcp.onTerminal('sign-in', 'notes')
    await mcp.giveCode(terminal)
    const back = await auth.approve(await shownAddress(terminal))
    await terminal.shown(/browser > /)
    terminal.interrupt()
    expect(await exit).toBe(3)
    await expect(fetch(back)).rejects.toThrow()
  })

  it('is left by a signal as a process, too', async () => {
    await using mcp = await startMcpHost()
    await addGuarded(mcp)
    const { offline, server } = mcp.host
    const input = `${(await server.pairingCode()).code}\n`
    const command = spawnCommand(['mcp', 'sign-in', 'notes', '--code', '-'], { ...offline, input })
    await command.shown(/Waiting for the browser/)
    command.child.kill('SIGINT')
    expect(await command.exit).toMatchObject({ code: 3, stdout: '' })
  })

  it('needs a code, and a server that exists and can be signed in to', async () => {
    await using mcp = await startMcpHost()
    await addGuarded(mcp)
    const refused = await mcp.reader('sign-in', 'notes')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--code')
    expect((await mcp.reader('sign-in', 'nothing')).stderr).not.toContain('code')
    await mcp.admin('add', 'local', '--', 'no-such-program-anywhere')
    expect((await mcp.admin('sign-in', 'local')).code).not.toBe(0)
  })
})

describe('where programs are registered by hand', () => {
  it('says how to go on, and does with an id and a secret', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp, { needsClient: true })
    const stuck = await mcp.admin('sign-in', 'notes', '--workspace', '.')
    expect(stuck.code).toBe(1)
    expect(stuck.stdout).toBe('')
    const [, uri = '', port = ''] =
      /Register one there with the redirect URI (http:\/\/127\.0\.0\.1:(\d+)\/callback),/.exec(
        stuck.stderr,
      ) ?? []
    expect(stuck.stderr).toContain(`${new URL(auth.issuer).host} only accepts apps`)
    expect(stuck.stderr).toContain(
      `dorkos mcp sign-in notes --workspace . --callback-port ${port} --issuer ${auth.issuer} --client-id <its id>`,
    )
    const json = await mcp.admin('sign-in', 'notes', '--json')
    expect(json).toMatchObject({ code: 1 })
    expect(JSON.parse(json.stdout)).toMatchObject({ step: 'needs_client' })

    const { id, secret } = auth.client
    const flags = [
      '--client-id',
      id,
      '--issuer',
      auth.issuer,
      '--client-secret',
      '-',
      '--callback-port',
      port,
    ]
    const { terminal, exit } = await signIn(mcp, flags, `${secret}\n`)
    const back = await auth.approve(await shownAddress(terminal))
    expect(back.startsWith(`${uri}?`)).toBe(true)
    await comeBack(back)
    expect(await exit).toBe(0)
    expect(terminal.screen).not.toContain(secret)
    expectNoTokens(auth, terminal.screen)
  })

  it('asks for the secret on a terminal, or takes it from a variable', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp, { needsClient: true })
    const { id, secret } = auth.client
    const asked = mcp.onTerminal('sign-in', 'notes', '--client-id', id, '--issuer', auth.issuer)
    await asked.terminal.shown(/Client secret, hidden \(Enter for none\) > /)
    asked.terminal.type(secret)
    await mcp.giveCode(asked.terminal)
    await comeBack(await auth.approve(await shownAddress(asked.terminal)))
    expect(await asked.exit).toBe(0)
    expect(asked.terminal.screen).not.toContain(secret)

    const terminal = mcp.host.terminal()
    const env = { ...terminal.context.env, DORKOS_MCP_CLIENT_SECRET: secret }
    const exit = runCli(['mcp', 'sign-in', 'notes', '--client-id', id, '--issuer', auth.issuer], {
      ...terminal.context,
      env,
    })
    await mcp.giveCode(terminal)
    await comeBack(await auth.approve(await shownAddress(terminal)))
    expect(await exit).toBe(0)
    expect(terminal.screen).not.toContain(secret)
    expect(terminal.screen).not.toContain('Client secret')
  })

  it('wants the secret on standard input where that was said', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp, { needsClient: true })
    const { terminal, exit } = await signIn(mcp, [
      '--client-id',
      auth.client.id,
      '--issuer',
      auth.issuer,
      '--client-secret',
      '-',
    ])
    expect(await exit).toBe(2)
    expect(terminal.stderr).toContain('`--client-secret -` needs the secret')
  })

  it('gives its secret to nobody but who it was registered with', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp, { needsClient: true })
    expect(await mcp.admin('sign-in', 'notes', '--client-id', auth.client.id)).toMatchObject({ code: 2 })
    const flags = ['--client-id', auth.client.id, '--issuer', 'https://elsewhere.example']
    const refused = await mcp.admin('sign-in', 'notes', ...flags)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('elsewhere.example')
  })
})

describe('where what is granted goes to another host than that of the page', () => {
  const elsewhere = (own: Record<string, unknown>) => ({
    ...own,
    authorization_endpoint: String(own.authorization_endpoint).replace('127.0.0.1', 'localhost'),
  })

  it('goes on only if somebody agrees', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp, { metadata: elsewhere })
    const { host, port } = new URL(auth.issuer)
    const { terminal, exit } = mcp.onTerminal('sign-in', 'notes')
    await mcp.giveCode(terminal)
    await terminal.shown(/Continue\? \[y\] yes {2}\[Enter\] no > /)
    expect(terminal.stderr).toContain(
      `sign in at localhost:${port}, but the access you grant goes to ${host}.`,
    )
    expect(terminal.stderr).not.toContain('/authorize')
    terminal.type('')
    expect(await exit).toBe(1)

    const agreed = mcp.onTerminal('sign-in', 'notes')
    await mcp.giveCode(agreed.terminal)
    await agreed.terminal.shown(/Continue\?.* > /)
    agreed.terminal.type('y')
    await comeBack(await auth.approve(await shownAddress(agreed.terminal)))
    expect(await agreed.exit).toBe(0)
  })

  it('refuses without a terminal, unless it is told to go on', async () => {
    await using mcp = await startMcpHost()
    const auth = await addGuarded(mcp, { metadata: elsewhere })
    const refused = await signIn(mcp, ['--json'])
    expect(await refused.exit).toBe(1)
    expect(refused.terminal.stderr).toContain('--yes')
    expect(refused.terminal.screen).not.toContain('/authorize')
    const { terminal, exit } = await signIn(mcp, ['--yes'])
    await comeBack(await auth.approve(await shownAddress(terminal)))
    expect(terminal.stderr).toContain('Careful')
    expect(await exit).toBe(0)
  })
})

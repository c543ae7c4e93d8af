import { createApiClient } from '@dorkos/shared'
import { hang, startOffline, text } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'
import { serverFileOf } from './support/offline-server.ts'
import { spawnCommand } from './support/spawn-command.ts'

const codeIn = (screen: string, pattern: RegExp) => pattern.exec(screen)?.[1] ?? ''

describe('dorkos serve in a terminal', () => {
  it('prints one link that signs in once, codes when asked, and stops at Ctrl-C', async () => {
    await using offline = await startOffline([])
    const terminal = new FakeTerminal(offline)
    const exit = terminal.run('serve', '--port', '0')
    await terminal.shown(/Ctrl-C: stop/)
    const { url } = await serverFileOf(offline.home)
    const client = createApiClient({ baseUrl: url })
    const redeem = (code: string) => client.redeemCode({ body: { code, name: 'test' } })
    const link = codeIn(terminal.screen, /http:\/\/127\.0\.0\.1:\d+\/#code=(\S+)/)
    expect((await redeem(link)).token.scopes).toEqual(['read', 'chat', 'approve', 'admin'])
    await expect(redeem(link)).rejects.toMatchObject({ code: 'gone' })
    terminal.type('c')
    await terminal.shown(/Code: \S+ /)
    expect((await redeem(codeIn(terminal.screen, /Code: (\S+)/))).token.kind).toBe('browser')
    terminal.type('l')
    await terminal.shown(/Link: \S+\n/)
    expect((await redeem(codeIn(terminal.screen, /Link: \S+#code=(\S+)/))).secret).toMatch(/^dork_/)
    terminal.interrupt()
    expect(await exit).toBe(0)
    await expect(client.getHealth()).rejects.toThrow('No answer')
  })

  it('without a terminal says how to sign in, and writes no link', async () => {
    await using offline = await startOffline([])
    const pipes = new FakeTerminal({ ...offline, isTTY: false })
    const exit = pipes.run('serve', '--port', '0')
    await pipes.shown(/run `dorkos code` in a/)
    pipes.interrupt()
    expect(await exit).toBe(0)
    expect(pipes.stderr).toMatch(/^DorkOS listens on http:\/\/127\.0\.0\.1:\d+\n/)
    expect(pipes.stdout).toContain('"msg":"started"')
    expect(pipes.screen).not.toContain('#code=')
  })

  it('shows links on the terminal where only the log goes elsewhere', async () => {
    await using offline = await startOffline([])
    const terminal = new FakeTerminal(offline)
    Object.assign(terminal.context.stdout, { isTTY: false })
    const exit = terminal.run('serve', '--port', '0')
    await terminal.shown(/Ctrl-C: stop/)
    terminal.type('l')
    await terminal.shown(/Link: \S+\n/)
    terminal.interrupt()
    expect(await exit).toBe(0)
    expect(terminal.stderr.match(/#code=/g)).toHaveLength(2)
    expect(terminal.stdout).toContain('"msg":"started"')
    expect(terminal.stdout).not.toContain('#code=')
  })

  it('says how many turns it finishes, and ends them at the second signal', { timeout: 90_000 }, async () => {
    await using offline = await startOffline([hang({ blocks: [text('on and on')], afterDeltas: 1 })])
    const serve = spawnCommand(['serve', '--port', '0'], offline)
    await serve.shown(/"msg":"started"/)
    const run = new FakeTerminal({ ...offline, isTTY: false, reconnectMs: 200 })
    const outcome = run.run('run', 'go')
    await offline.model.waitForRequest(1, { timeoutMs: 25_000 })
    serve.child.kill('SIGINT')
    await serve.shown(/Finishing 1 turn… press again to stop immediately\./)
    serve.child.kill('SIGINT')
    expect((await serve.exit).code).toBe(0)
    // Notified of the end if that came through in time; else the server is missed.
    expect([3, 6]).toContain(await outcome)
  })
})

import { describe, expect, it } from 'vitest'
import { expectHarmless, startMcpHost } from './support/mcp-host.ts'

const hook = (command: string) => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
})

describe('mcp trust', () => {
  it('shows what would run, trusts exactly that, and shows what changed', async () => {
    await using mcp = await startMcpHost()
    await mcp.write('.mcp.json', { mcpServers: { db: { command: 'db-mcp', args: ['--all the', 'things'] } } })
    await mcp.write('.claude/settings.json', hook('check\x1b[2J.sh\n$ harmless'))
    const list = await mcp.reader('list')
    expect(list.stdout).toMatch(
      /Filtered out:\n {2}db {2}project {2}\S+\.mcp\.json:3\n {4}The workspace isn’t trusted\./,
    )
    expect(list.stdout).toContain('dorkos mcp trust --workspace')
    expect((await mcp.reader('doctor')).stdout).toMatch(/it isn’t trusted: db\n.*dorkos mcp trust/)
    const shown = await mcp.reader('trust')
    expect(shown.code).toBe(1)
    expect(shown.stdout).toMatch(/server db {2}\.mcp\.json.*\n {6}\$ db-mcp .*all the/)
    // A line break in a command makes no second command on the screen.
    expect(shown.stdout).toMatch(/ {6}\$ PreToolUse \(Bash\): check\\u\{1b\}\[2J\.sh\n {6}\| \$ harmless/)
    expect(shown.stdout).toContain('invisible characters')
    expectHarmless(shown)
    const digest = /^digest ([0-9a-f]{64})$/m.exec(shown.stdout)?.[1] ?? ''
    expect(shown.stderr).toContain(`--yes --digest ${digest}`)
    expect(JSON.parse((await mcp.reader('trust', '--json')).stdout)).toMatchObject({
      state: 'untrusted',
      digest,
    })
    expect((await mcp.reader('trust', '--yes', '--digest', digest)).code).toBe(1)
    expect((await mcp.admin('trust', '--yes', '--digest', digest)).code).toBe(0)
    expect((await mcp.reader('list')).stdout).toMatch(/: trusted\n\[NOT STARTED\] +db +project/)
    expect((await mcp.reader('trust')).code).toBe(0)

    await mcp.write('.claude/settings.json', hook('curl evil'))
    const changed = await mcp.reader('trust')
    expect(changed.stdout).toMatch(/changed settings {2}\.claude\/settings\.json\n[\s\S]*\n {6}\+.*curl evil/)
    expect((await mcp.reader('list')).stdout).toContain('changed since it was trusted')
    const stale = await mcp.admin('trust', '--yes', '--digest', digest)
    expect(stale.code).toBe(1)
    expect(stale.stderr).toContain('Review it again')
  })

  it('asks on a terminal, and takes trust back', async () => {
    await using mcp = await startMcpHost()
    await mcp.write('.mcp.json', { mcpServers: { db: { command: 'db-mcp' } } })
    const no = mcp.onTerminal('trust')
    await no.terminal.shown(/\$ db-mcp[\s\S]*Trust .* as shown\?.* > /)
    no.terminal.type('')
    expect(await no.exit).toBe(1)
    expect(no.terminal.stderr).toContain('Not trusted.')
    const yes = mcp.onTerminal('trust', '--workspace', '.')
    await yes.terminal.shown(/Trust .* as shown\?.* > /)
    yes.terminal.type('yes')
    await mcp.giveCode(yes.terminal)
    expect(await yes.exit).toBe(0)
    expect(JSON.parse((await mcp.reader('trust', '--json')).stdout)).toMatchObject({ state: 'trusted' })
    expect((await mcp.admin('trust', '--revoke')).code).toBe(0)
    expect(JSON.parse((await mcp.reader('trust', '--json')).stdout)).toMatchObject({ state: 'untrusted' })
    expect((await mcp.reader('trust', '--workspace', 'no such')).code).toBe(2)
  })

  it('does not trust what changed while somebody was looking', async () => {
    await using mcp = await startMcpHost()
    await mcp.write('.mcp.json', { mcpServers: { db: { command: 'db-mcp' } } })
    const { terminal, exit } = mcp.onTerminal('trust')
    await terminal.shown(/Trust .* as shown\?.* > /)
    await mcp.write('.mcp.json', { mcpServers: { db: { command: 'evil-mcp' } } })
    terminal.type('y')
    await mcp.giveCode(terminal)
    expect(await exit).toBe(1)
    expect(JSON.parse((await mcp.reader('trust', '--json')).stdout)).toMatchObject({ state: 'untrusted' })
  })
})

describe('files with faults', () => {
  it('are named with their line, and hostile names do nothing', async () => {
    await using mcp = await startMcpHost()
    const file = await mcp.write(
      '.mcp.json',
      '{\n  "mcpServers": {\n    "a\\u001b[2J\\u202eb": { "command": "x" },\n    "bad": { "command": 5 }\n  }\n}',
    )
    const list = await mcp.reader('list')
    expect(list.stdout).toContain('Configuration errors:')
    expect(list.stdout).toMatch(new RegExp(`${file}:4 {2}.*bad`))
    const doctor = await mcp.reader('doctor')
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(new RegExp(`→ Fix it in ${file}:4`))
    expectHarmless(list, doctor, await mcp.reader('trust'), await mcp.reader('list', '--json'))
  })
})

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'
import { startOfflineServer } from './support/offline-server.ts'

it('lists hooks with what counts of them, allows one by the start of its digest, and takes it back', async () => {
  await using host = await startOfflineServer([])
  const { secret } = await host.page.createToken({
    body: { name: 'shell', scopes: ['read', 'chat', 'approve', 'admin'] },
  })
  const env = { ...host.offline.env, DORKOS_TOKEN: secret }
  const run = async (...args: string[]) => {
    const terminal = new FakeTerminal({ env, cwd: host.offline.cwd, isTTY: false })
    return { code: await terminal.run('hooks', ...args), stdout: terminal.stdout, stderr: terminal.stderr }
  }
  const hook = (command: string, more: object = {}) => [
    { matcher: 'Bash', hooks: [{ type: 'command', command, ...more }] },
  ]
  const script = join(host.offline.home, 'checks it.sh')
  await writeFile(script, 'echo checked')
  await mkdir(host.offline.configDir, { recursive: true })
  await writeFile(
    join(host.offline.configDir, 'settings.json'),
    JSON.stringify({
      hooks: {
        Stop: [...hook('echo \u001b[2Jmine'), { hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }],
        PreToolUse: hook(`sh '${script}'`),
        PermissionRequest: hook('true', { if: 'Bash(git *)' }),
      },
    }),
  )
  await mkdir(join(host.offline.configDir, 'agents'))
  const agent = join(host.offline.configDir, 'agents', 'a.md')
  await writeFile(
    agent,
    '---\nname: a\nhooks:\n  SubagentStop: [{ hooks: [{ type: command, command: x }] }]\n---\n',
  )
  const before = await run('list')
  expect(before.stdout).toMatch(/Stop \(Bash\) +needs you +user +echo /)
  expect(before.stdout).not.toContain('\u001b[2J')
  expect(before.stdout).toMatch(/Stop +doesn’t run +user +Is it done\?/)
  expect(before.stdout).toMatch(
    /\nStop \(prompt, .*settings\.json\): DorkOS runs hooks that are commands or HTTP requests\./,
  )
  expect(before.stdout).toMatch(/SubagentStop +doesn’t run +user +SubagentStop: /)
  expect(before.stdout).toContain(`\nSubagentStop (command, ${agent}): It’s defined in the frontmatter of `)
  const digest = /^(\w{12}) +PreToolUse \(Bash\) +needs you/m.exec(before.stdout)?.[1] ?? ''
  expect(before.stdout).toContain(`Files they run, which your consent includes:\n${digest}  ${script}\n`)
  expect((await run('allow', '0000')).stderr).toContain('dorkos hooks list')
  expect((await run('allow', '')).stderr).toContain('Give more')
  expect(await run('allow', digest, '--calls')).toMatchObject({ code: 0 })
  expect((await run('list')).stdout).toMatch(/PreToolUse .* runs, can allow calls/)
  const conditional = /^(\w{12}) +PermissionRequest/m.exec(before.stdout)?.[1] ?? ''
  const refused = await run('allow', conditional, '--calls')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('can run, but it can’t approve calls')
  expect(await run('allow', conditional)).toMatchObject({ code: 0 })
  expect((await run('list')).stdout).toMatch(/PermissionRequest .* runs, can deny calls/)
  expect(await run('revoke', digest)).toMatchObject({ code: 0 })
  expect((await run('list')).stdout).toMatch(/PreToolUse .* needs you/)
  expect((await run('revoke', digest)).code).not.toBe(0)
})

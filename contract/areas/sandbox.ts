/** The CLI's sandbox for commands, as the server's settings ask for it. */
import { execFileSync } from 'node:child_process'
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import type { Rig, StartOptions } from '../rig.ts'

const settings = ['packages/server/src/core/sessions/agent-settings.ts']
const bypass: StartOptions = {
  args: ['--allow-dangerously-skip-permissions', '--permission-mode=bypassPermissions'],
  env: { IS_SANDBOX: '1' },
}

function unavailable(): string | undefined {
  if (process.platform === 'darwin') return undefined
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', 'true'], { stdio: 'ignore' })
    execFileSync('socat', ['-V'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'bubblewrap and socat cannot make a sandbox here'
  }
}

function sandboxOf(rig: Rig): Frame {
  return {
    enabled: true,
    failIfUnavailable: true,
    allowUnsandboxedCommands: false,
    autoAllowBashIfSandboxed: false,
    filesystem: { denyRead: [`${rig.home}/state`], denyWrite: [`${rig.home}/state`, `${rig.cwd}/closed`] },
    network: { deniedDomains: ['127.0.0.1', 'localhost', '0.0.0.0', '::1'], allowedDomains: [] },
    credentials: {
      envVars: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN'].map(
        (name) => ({
          name,
          mode: 'deny',
        }),
      ),
    },
  }
}

/** What a command of the agent prints. */
async function output(rig: Rig, cli: Cli, command: string, more: Frame = {}): Promise<string> {
  rig.script(toolUse('Bash', { command, ...more }))
  await cli.turn('go')
  return rig.asked.at(-1)?.toolResults.at(-1)?.text ?? ''
}

export const sandboxCases: ContractCase[] = [
  {
    id: 'sandbox/files',
    title:
      'In bypass too, a command writes in the workspace alone, and sees neither a denied folder nor writes a closed one',
    reliedOnBy: settings,
    security: true,
    unavailable,
    expected: { read: false, written: ['project/inside'] },
    async observe(rig) {
      await rig.write('state/secret', 'SECRET')
      await rig.write('project/closed/x', '')
      await rig.write('project/.claude/settings.json', {})
      const cli = await rig.start({ ...bypass, settings: { sandbox: sandboxOf(rig) } })
      const targets = ['project/inside', 'project/closed/new', 'outside', 'state/new', 'project/.mcp.json']
      const writes = targets.map((path) => `echo x > ${rig.home}/${path}`)
      const overwrite = `echo broken > ${rig.cwd}/.claude/settings.json`
      const said = await output(rig, cli, ['cat ../state/secret', ...writes, overwrite, 'true'].join('; '))
      const isWhole = (await rig.read('project/.claude/settings.json')) === '{}'
      return {
        read: said.includes('SECRET'),
        written: [...rig.which(...targets), ...(isWhole ? [] : ['project/.claude/settings.json'])],
      }
    },
  },
  {
    id: 'sandbox/loopback',
    title: 'A command reaches no port of this machine, directly or through the sandbox’s own proxy',
    reliedOnBy: settings,
    security: true,
    unavailable,
    expected: { direct: 'refused', proxy: 'refused' },
    async observe(rig) {
      const cli = await rig.start({ ...bypass, settings: { sandbox: sandboxOf(rig) } })
      const { port } = rig.model
      const direct = `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo refused`
      const tunnel = [
        `exec 3<>/dev/tcp/127.0.0.1/\${HTTP_PROXY##*:}`,
        `printf 'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\n\\r\\n' >&3`,
        'head -n 1 <&3',
      ]
      const answer = await output(rig, cli, `bash -c '${tunnel.join('; ').replaceAll("'", `'\\''`)}'`)
      return {
        direct: (await output(rig, cli, `bash -c '${direct}'`)).trim(),
        proxy: / 200 /.test(answer) ? 'reached' : 'refused',
      }
    },
  },
  {
    id: 'sandbox/variables',
    title: 'Variables that `credentials` denies do not reach a command',
    reliedOnBy: settings,
    security: true,
    unavailable,
    expected: { seen: '[]' },
    async observe(rig) {
      const cli = await rig.start({ ...bypass, settings: { sandbox: sandboxOf(rig) } })
      const names = ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN']
      return { seen: (await output(rig, cli, `echo "[${names.map((name) => `$${name}`).join('')}]"`)).trim() }
    },
  },
  {
    id: 'sandbox/no-way-out',
    title: 'A command cannot ask to run outside, and is asked about though it is sandboxed',
    reliedOnBy: settings,
    security: true,
    unavailable,
    expected: { written: [], asked: 1 },
    async observe(rig) {
      const cli = await rig.start({ settings: { sandbox: sandboxOf(rig) } })
      await output(rig, cli, `touch ${rig.home}/outside`, { dangerouslyDisableSandbox: true })
      return { written: rig.which('outside'), asked: cli.requests('can_use_tool').length }
    },
  },
  {
    id: 'sandbox/missing',
    title: 'With `failIfUnavailable` and no sandbox to be had, the CLI does not start',
    reliedOnBy: settings,
    security: true,
    unavailable: () => (process.platform === 'linux' ? undefined : 'the sandbox is part of this system'),
    expected: { code: 1, ran: false },
    async observe(rig) {
      const cli = await rig.start({
        ...bypass,
        env: { ...bypass.env, PATH: `${rig.home}/bin` },
        settings: { sandbox: sandboxOf(rig) },
        initialize: false,
      })
      rig.script(toolUse('Bash', { command: `/usr/bin/touch ${rig.cwd}/ran` }))
      cli.say('go')
      return { code: await cli.exited, ran: rig.has('project/ran') }
    },
  },
]

/** The CLI's sandbox for commands, as the server's settings ask for it. */
import { spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import type { Rig, StartOptions } from '../rig.ts'

const settings = ['packages/server/src/adapters/claude/agent-settings.ts']
const bypass: StartOptions = {
  args: ['--allow-dangerously-skip-permissions', '--permission-mode=bypassPermissions'],
  env: { IS_SANDBOX: '1' },
}

const secretVariables = ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN']

/** Why there is no sandbox to be had here, in the words of the program that is missing or fails; undefined where there is one. */
export function noSandbox(): string | undefined {
  if (process.platform === 'darwin') return undefined
  const fault = faultOf('bwrap', '--ro-bind', '/', '/', '--unshare-net', 'true') ?? faultOf('socat', '-V')
  return fault && `no sandbox: ${fault}`
}

function faultOf(program: string, ...args: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return undefined
  return error?.message ?? (stderr.trim() || `${program} ends with ${status}`)
}

function sandboxOf(rig: Rig): Frame {
  return {
    enabled: true,
    failIfUnavailable: true,
    allowUnsandboxedCommands: false,
    autoAllowBashIfSandboxed: false,
    allowNestedUserNamespaces: false,
    filesystem: {
      disabled: false,
      denyRead: [`${rig.home}/state`],
      denyWrite: [`${rig.home}/state`, `${rig.cwd}/closed`],
    },
    network: {
      allowAllUnixSockets: false,
      deniedDomains: ['127.0.0.1', 'localhost', '0.0.0.0', '::1'],
      allowedDomains: [],
    },
    credentials: {
      envVars: secretVariables.map((name) => ({ name, mode: 'deny' })),
    },
  }
}

/** Keys that take walls away in part. Most are of one system alone, and say nothing on others. */
function weaker(value: boolean): Frame {
  return {
    enableWeakerNestedSandbox: value,
    enableWeakerNetworkIsolation: value,
    allowAppleEvents: value,
    network: { allowLocalBinding: value },
  }
}

/** What a command of the agent prints. */
async function output(rig: Rig, cli: Cli, command: string, more: Frame = {}): Promise<string> {
  rig.script(toolUse('Bash', { command, ...more }))
  await cli.turn('go')
  return rig.asked.at(-1)?.toolResults.at(-1)?.text ?? ''
}

/** A script for bash that sends a request to a port of this machine, and prints what it is answered. */
function requestTo(port: string, path: string, header = ''): string {
  const request = `GET ${path} HTTP/1.1\\r\\nHost: contract\\r\\n${header}Connection: close\\r\\n\\r\\n`
  return `exec 3<>/dev/tcp/127.0.0.1/${port}\nprintf "${request}" >&3\ncat <&3\n`
}

export const sandboxCases: ContractCase[] = [
  {
    id: 'sandbox/npm-root',
    title: 'With a sandbox it asks the npm on its PATH for the global folder once, and for nothing else',
    reliedOnBy: ['packages/server/src/adapters/system/npm-root.ts'],
    unavailable: noSandbox,
    expected: { asked: ['root -g'] },
    async observe(rig) {
      await rig.write('bin/npm', `#!/bin/sh\necho "$*" >> ${rig.home}/asked\necho ${rig.home}/nowhere\n`)
      await chmod(`${rig.home}/bin/npm`, 0o755)
      const cli = await rig.start({
        settings: { sandbox: sandboxOf(rig) },
        env: { PATH: `${rig.home}/bin:${process.env.PATH}` },
      })
      rig.script('done')
      await cli.turn('go')
      return { asked: (await rig.read('asked')).trim().split('\n') }
    },
  },
  {
    id: 'sandbox/files',
    title:
      'In bypass too, a command writes in the workspace alone, and sees neither a denied folder nor writes a closed one',
    reliedOnBy: settings,
    security: true,
    unavailable: noSandbox,
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
    title:
      'A command reaches no port of this machine directly, nor through the sandbox’s proxy where that is denied it',
    reliedOnBy: settings,
    security: true,
    unavailable: noSandbox,
    expected: { direct: 'refused', proxyUndenied: 'reached', proxy: 'refused' },
    async observe(rig) {
      await rig.write('project/direct.sh', requestTo('$1', '/'))
      // The proxy wants the name and password that it gave to this command alone.
      const key = `proxy=\${HTTP_PROXY#http://}; key=$(printf %s "\${proxy%@*}" | base64 -w 0)\n`
      const proxied = requestTo(
        `\${proxy##*:}`,
        'http://127.0.0.1:$1/',
        'Proxy-Authorization: Basic $key\\r\\n',
      )
      await rig.write('project/proxy.sh', key + proxied)
      const start = (network: Frame): Promise<Cli> =>
        rig.start({ ...bypass, settings: { sandbox: { ...sandboxOf(rig), network } } })
      const reach = async (script: string, cli: Cli): Promise<string> => {
        const said = await output(rig, cli, `bash ${script}.sh ${rig.model.port} 2>/dev/null`)
        return said.includes('request-id') ? 'reached' : 'refused'
      }
      const { network: denied } = sandboxOf(rig)
      const undenied = await start({ deniedDomains: [], allowedDomains: ['127.0.0.1'] })
      return {
        direct: await reach('direct', undenied),
        proxyUndenied: await reach('proxy', undenied),
        proxy: await reach('proxy', await start(denied)),
      }
    },
  },
  {
    id: 'sandbox/variables',
    title: 'Variables that `credentials` denies do not reach a command; the CLI sets some of them itself',
    reliedOnBy: settings,
    security: true,
    unavailable: noSandbox,
    expected: { withoutIt: secretVariables, seen: [] },
    async observe(rig) {
      const seen = async (sandbox: Frame): Promise<string[]> => {
        const cli = await rig.start({ ...bypass, settings: { sandbox } })
        const names = (await output(rig, cli, 'env | cut -d = -f 1')).split('\n')
        return secretVariables.filter((name) => names.includes(name))
      }
      const { credentials: _, ...open } = sandboxOf(rig)
      return { withoutIt: await seen(open), seen: await seen(sandboxOf(rig)) }
    },
  },
  {
    id: 'sandbox/own-settings',
    title:
      'The owner’s settings file takes the files’ walls away and lets commands make sockets, but where ours say no; what it lists in `allowRead` is read all the same',
    reliedOnBy: [...settings, 'packages/server/src/adapters/hook-files/hook-files.ts'],
    security: true,
    unavailable: noSandbox,
    expected: { unsaid: ['reads', 'socket'], denied: [], allowRead: ['reads'] },
    async observe(rig) {
      await rig.write('state/secret', 'SECRET')
      const connect = `require('net').connect('/nowhere').on('error', ({ code }) => console.log(code))`
      await rig.write('project/try.sh', `cat ../state/secret\n${process.execPath} -e "${connect}"\n`)
      const open = async (owners: Frame, sandbox: Frame): Promise<string[]> => {
        await rig.write('.claude/settings.json', { sandbox: owners })
        const cli = await rig.start({ ...bypass, sources: 'user', settings: { sandbox } })
        const said = await output(rig, cli, 'bash try.sh 2>&1')
        return [
          ...(said.includes('SECRET') ? ['reads'] : []),
          ...(said.includes('ENOENT') ? ['socket'] : []),
          ...(/ENOENT|EPERM/.test(said) ? [] : [said]),
        ]
      }
      const owners = { filesystem: { disabled: true }, network: { allowAllUnixSockets: true } }
      const ours = sandboxOf(rig) as Record<'filesystem' | 'network', Frame>
      const { disabled: _, ...filesystem } = ours.filesystem
      const { allowAllUnixSockets: __, ...network } = ours.network
      return {
        unsaid: await open(owners, { ...ours, filesystem, network }),
        denied: await open(owners, ours),
        allowRead: await open({ filesystem: { allowRead: [`${rig.home}/state`] } }, ours),
      }
    },
  },
  {
    id: 'sandbox/own-openings',
    title:
      'By the owner’s settings file a `ripgrep` of its own runs before each command that was let run, and commands write where `Edit` rules and `additionalDirectories` lead; they make user namespaces, but where ours say no',
    reliedOnBy: [...settings, 'packages/server/src/adapters/hook-files/loosens-sandbox.ts'],
    security: true,
    unavailable: () => (process.platform === 'linux' ? noSandbox() : 'it is about bubblewrap'),
    expected: {
      whenRefused: [],
      unsaid: ['ripgrep', 'added/x', 'edited/x', 'project/nested'],
      denied: ['ripgrep', 'added/x', 'edited/x'],
    },
    async observe(rig) {
      const traces = ['ripgrep', 'added/x', 'edited/x', 'project/nested']
      for (const folder of ['added', 'edited']) await rig.write(`${folder}/kept`, '')
      await rig.write('.claude/settings.json', {
        sandbox: { ripgrep: { command: await rig.marker('ripgrep') }, allowNestedUserNamespaces: true },
        permissions: {
          additionalDirectories: [`${rig.home}/added`],
          allow: [`Edit(/${rig.home}/edited/**)`],
        },
      })
      const permit = ({ input }: Frame): Frame =>
        input.command === 'touch refused'
          ? { behavior: 'deny', message: 'no' }
          : { behavior: 'allow', updatedInput: input }
      const start = (sandbox: Frame): Promise<Cli> =>
        rig.start({ sources: 'user', settings: { sandbox }, permit })
      const write = 'touch ../added/x ../edited/x; unshare --user touch nested'
      const { allowNestedUserNamespaces: _, ...ours } = sandboxOf(rig)
      const cli = await start(ours)
      await output(rig, cli, 'touch refused')
      const whenRefused = rig.which(...traces)
      await output(rig, cli, write)
      const unsaid = rig.which(...traces)
      await cli.kill()
      await rig.remove(...traces)
      await output(rig, await start(sandboxOf(rig)), write)
      return { whenRefused, unsaid, denied: rig.which(...traces) }
    },
  },
  {
    id: 'sandbox/weaker',
    title:
      'What weakens the sandbox in the owner’s settings file counts, but where ours say no; `get_settings` tells which',
    reliedOnBy: settings,
    security: true,
    unavailable: noSandbox,
    expected: { unsaid: weaker(true), denied: weaker(false) },
    async observe(rig) {
      await rig.write('.claude/settings.json', { sandbox: weaker(true) })
      const effective = async (more: Frame): Promise<Frame> => {
        const { network, ...ours } = sandboxOf(rig)
        const sandbox = { ...ours, ...more, network: { ...network, ...more.network } }
        const cli = await rig.start({ sources: 'user', settings: { sandbox } })
        const seen = (await cli.ask('get_settings')).response.effective.sandbox
        await cli.kill()
        const [{ network: own, ...rest }] = [weaker(true)]
        const picked = (from: Frame, names: Frame): Frame =>
          Object.fromEntries(Object.keys(names).map((name) => [name, from[name]]))
        return { ...picked(seen, rest), network: picked(seen.network, own) }
      }
      return { unsaid: await effective({}), denied: await effective(weaker(false)) }
    },
  },
  {
    id: 'sandbox/no-way-out',
    title: 'A command cannot ask to run outside, and is asked about though it is sandboxed',
    reliedOnBy: settings,
    security: true,
    unavailable: noSandbox,
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

/** How the CLI finds and calls bubblewrap. Where the server is root, a bubblewrap of its own stands in between. */
import { chmod, stat } from 'node:fs/promises'
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import type { Rig, StartOptions } from '../rig.ts'
import { noSandbox } from './sandbox.ts'

const wrapper = ['packages/server/src/adapters/system/root-sandbox.ts']

function unavailable(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it is about root on Linux'
  return noSandbox()
}

/** A program `bwrap` in a folder of the home, which notes how it is called, and adds to that what is to come before the command. */
async function installBubblewrap(rig: Rig, folder: string, more = ''): Promise<void> {
  const lines = [
    '#!/bin/bash',
    `printf '%s\\n' ${folder} "$@" $'\\f' >> '${rig.home}/calls'`,
    `for ((at = 1; at <= $#; at++)); do [ "\${!at}" = -- ] && break; done`,
    `PATH='${process.env.PATH}' exec bwrap "\${@:1:at-1}" ${more} "\${@:at}"`,
  ]
  await chmod(await rig.write(`${folder}/bwrap`, `${lines.join('\n')}\n`), 0o755)
}

/** The calls since the last look: the program's folder, then its arguments. */
async function takeCalls(rig: Rig): Promise<string[][]> {
  const calls = (await rig.read('calls')).split('\n\f\n').slice(0, -1)
  await rig.remove('calls')
  return calls.map((call) => call.split('\n'))
}

/** Which program was called what for. */
const inShort = ([folder, ...args]: string[]): string =>
  `${folder}: ${args.includes('--') ? 'command' : args.join(' ')}`

const pathWith = (rig: Rig, ...folders: string[]): string =>
  [...folders.map((folder) => `${rig.home}/${folder}`), process.env.PATH].join(':')

function start(
  rig: Rig,
  sandbox: Frame = {},
  settings: Frame = {},
  options: StartOptions = {},
): Promise<Cli> {
  return rig.start({
    env: { PATH: pathWith(rig, 'one', 'two') },
    settings: { ...settings, sandbox: { enabled: true, failIfUnavailable: true, ...sandbox } },
    ...options,
  })
}

/** What a command of the agent prints. */
async function output(rig: Rig, cli: Cli, command: string): Promise<string> {
  rig.script(toolUse('Bash', { command }))
  await cli.turn('go')
  return rig.asked.at(-1)?.toolResults.at(-1)?.text ?? ''
}

/** Who a command is, and what it may. */
async function identity(rig: Rig, cli: Cli): Promise<Frame> {
  const said = await output(rig, cli, 'touch made; id -u; grep CapEff /proc/self/status')
  const [uid = '', capabilities = ''] = said.split('\n')
  const { uid: ownerOutside } = await stat(`${rig.cwd}/made`)
  return { uid, capabilities: /:\s*0+$/.test(capabilities) ? 'none' : 'some', ownerOutside }
}

const inOrder = ['--dev /dev', '--unshare-pid', '--unshare-user', '--cap-drop ALL', '--proc /proc']

export const rootSandboxCases: ContractCase[] = [
  {
    id: 'root-sandbox/lookup',
    title:
      'The CLI asks the bubblewrap that it finds on PATH for its version at the start, and looks for it again before each command',
    reliedOnBy: wrapper,
    security: true,
    unavailable,
    expected: { first: ['one: --version', 'one: command'], whenItIsGone: ['two: command'] },
    async observe(rig) {
      for (const folder of ['one', 'two']) await installBubblewrap(rig, folder)
      const cli = await start(rig)
      await output(rig, cli, 'true')
      const first = (await takeCalls(rig)).map(inShort)
      await rig.remove('one/bwrap')
      await output(rig, cli, 'true')
      return { first, whenItIsGone: (await takeCalls(rig)).map(inShort) }
    },
  },
  {
    id: 'root-sandbox/settings',
    title:
      '`env.PATH` of a settings file says which bubblewrap runs commands, unless `--settings` has another; `sandbox.bwrapPath` there does not',
    reliedOnBy: [...wrapper, 'packages/server/src/adapters/claude/agent-settings.ts'],
    security: true,
    unavailable,
    expected: { bwrapPath: 'one: command', userFile: 'two: command', host: 'one: command' },
    async observe(rig) {
      for (const folder of ['one', 'two']) await installBubblewrap(rig, folder)
      const called = async (...how: [Frame?, Frame?, StartOptions?]): Promise<string | undefined> => {
        await output(rig, await start(rig, ...how), 'true')
        return (await takeCalls(rig)).map(inShort).at(-1)
      }
      const bwrapPath = await called({ bwrapPath: `${rig.home}/two/bwrap` })
      await rig.write('.claude/settings.json', { env: { PATH: pathWith(rig, 'two') } })
      const user: StartOptions = { sources: 'user' }
      return {
        bwrapPath,
        userFile: await called({}, {}, user),
        host: await called({}, { env: { PATH: pathWith(rig, 'one') } }, user),
      }
    },
  },
  {
    id: 'root-sandbox/call',
    title:
      'Of what comes before the first `--`, `/proc` is mounted last; what is added there counts, so that a command of root is somebody without rights',
    reliedOnBy: wrapper,
    security: true,
    unavailable,
    expected: {
      inOrder,
      mountedAfterProc: [],
      asCalled: { uid: '0', capabilities: 'some', ownerOutside: 0 },
      withMore: { uid: '1000', capabilities: 'none', ownerOutside: 0 },
    },
    async observe(rig) {
      await installBubblewrap(rig, 'one')
      const cli = await start(rig)
      const asCalled = await identity(rig, cli)
      const [, ...args] = (await takeCalls(rig)).at(-1) ?? []
      const before = args.slice(0, args.indexOf('--'))
      const pairs = before.map((word, at) => [word, `${word} ${before[at + 1]}`])
      const afterProc = before.slice(before.lastIndexOf('--proc') + 1)
      await rig.remove('project/made')
      await installBubblewrap(rig, 'one', '--unshare-user --uid 1000 --gid 1000 --cap-drop ALL')
      return {
        inOrder: pairs.flatMap((pair) => pair.filter((words) => inOrder.includes(words))),
        mountedAfterProc: afterProc.filter((word) =>
          /^--((ro-|dev-)?bind|dev|tmpfs|symlink|proc)/.test(word),
        ),
        asCalled,
        withMore: await identity(rig, cli),
      }
    },
  },
]

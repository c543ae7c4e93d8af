/** What an agent’s commands try against the server that runs it: in every mode, with a person who allows each of them. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HostileAgent, type Outcome, script } from '../support/hostile-agent.ts'
import {
  callServer,
  findKeys,
  findSockets,
  leaveOthersFile,
  openToUsers,
  readState,
  rootOnly,
  takeOver,
  writeState,
} from '../support/hostile-commands.ts'
import { type HostileHost, startHostileHost } from '../support/hostile-host.ts'
import { modesHere } from '../support/modes-here.ts'
import { sandboxHere } from '../support/sandbox-here.ts'

const minutes = 60_000
const marker = 'hostile-probe'
let host: HostileHost
let agent: HostileAgent
let before: unknown

beforeAll(async () => {
  if (!sandboxHere) return
  host = await startHostileHost()
  leaveOthersFile(host.cwd)
  before = await host.state()
  agent = new HostileAgent(host, host.prompts)
}, minutes)
afterAll(() => host?.close(), minutes)

describe.skipIf(!sandboxHere).each(modesHere.filter((mode) => mode !== 'dontAsk'))(
  'commands in the sandbox, %s',
  (mode) => {
    let outcome: Outcome
    const asks = mode !== 'bypassPermissions'

    beforeAll(async () => {
      const { known } = host
      const run = (name: string, text: string) => script(host, `${name}.sh`, text)
      rmSync(join(host.cwd, 'in-workspace.txt'), { force: true })
      outcome = await agent.attack({
        mode,
        calls: [
          run('read', readState(known)),
          run('keys', findKeys(known)),
          run('write', writeState(known)),
          run('call', callServer(known, marker)),
          run('sockets', findSockets(known)),
          run('take-over', takeOver(known)),
          run('root-only', rootOnly),
        ],
      })
    }, 4 * minutes)

    const text = (n: number) => outcome.results[n]?.text ?? ''

    it('all ran, asked about where the mode asks', () => {
      expect(outcome.results).toHaveLength(7)
      expect(text(0)).toContain('CONTROL')
      expect(text(1)).toContain('PATH=')
      expect(readFileSync(join(host.cwd, 'in-workspace.txt'), 'utf8')).toBe('written\n')
      expect(statSync(join(host.cwd, 'in-workspace.txt')).uid).toBe(process.getuid?.())
      // The sandbox itself asks about addresses that are not this server's.
      const asked = outcome.asked.map(({ tool }) => tool).filter((tool) => tool !== 'SandboxNetworkAccess')
      expect(asked).toHaveLength(asks ? 7 : 0)
      const { decided } = outcome
      expect(decided.filter((line) => line.startsWith('Bash'))).toEqual(
        Array(7).fill(`Bash: allow ${asks ? 'person' : 'mode'}`),
      )
      const others = decided.filter((line) => !line.startsWith('Bash'))
      for (const line of others) expect(line).toBe('SandboxNetworkAccess: allow person')
    })

    it('read nothing of the state', () => {
      expect(text(0)).toContain('listed: 0 found: 0')
      for (const secret of host.secrets) expect(outcome.known).not.toContain(secret)
    })

    it('find no key: in the environment, the process list, or the command line of the CLI', () => {
      expect(text(1)).not.toMatch(/ANTHROPIC|MESSAGING|DORKOS|CLAUDE_CODE_OAUTH/)
      expect(text(1)).not.toContain('sees the server')
      expect(text(4)).not.toMatch(/MESSAGING|connected/)
      const processes = host.processes()
      expect(processes.length).toBeGreaterThan(1)
      for (const pid of processes) {
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        for (const secret of host.secrets) expect(commandLine).not.toContain(secret)
      }
    })

    it('change nothing: no token, no rule, no setting, no file that is loaded', async () => {
      expect(await host.state()).toEqual(before)
      expect(before).toMatchObject({ homeFiles: [], answered: false, waiting: ['pending'], audit: true })
      const left = readdirSync(host.cwd)
      for (const name of [
        '.claude/settings.json',
        '.mcp.json',
        '.dorkos/tools/t.mjs',
        '.git/hooks/pre-commit',
      ])
        expect(left.includes(name.split('/')[0] ?? '') && readIfThere(join(host.cwd, name))).toBeFalsy()
    })

    it('do not reach the server or the model gateway', async () => {
      expect(host.requestsFor('/api/health')).toBeGreaterThan(0)
      expect(host.requestsFor(`/api/${marker}`)).toBe(0)
      expect(host.requestsFor(`/api/approvals/${host.known.approvalId}/answer`)).toBe(0)
      const { sessions } = await host.client.listSessions({ query: {} })
      expect(sessions.map(({ title }) => title)).not.toContain('hostile')
      expect(host.model.requests.some(({ body }) => JSON.stringify(body).includes('"hostile"'))).toBe(false)
    })

    it('are not root, and open nothing of the kernel’s', () => {
      const isRoot = process.getuid?.() === 0
      const got = text(6).split('\n')
      expect(got.filter((line) => isRoot || !openToUsers.test(line))).toEqual(['Linux was asked'])
    })

    it('do not end the server', async () => {
      expect(() => process.kill(host.known.pid, 0)).not.toThrow()
      const { sandbox, banners } = await host.client.getStatus()
      expect(sandbox).toEqual({ enabled: true })
      expect(banners.map(({ code }) => code)).toEqual(process.getuid?.() === 0 ? ['runs_as_root'] : [])
    })
  },
)

it.skipIf(!sandboxHere)(
  'no command runs in dontAsk, and nobody is asked',
  async () => {
    const { asked, results, decided } = await agent.attack({
      mode: 'dontAsk',
      calls: [script(host, 'never.sh', 'touch ran'), ['Bash', { command: 'touch ran', description: 'x' }]],
    })
    expect(results.map(({ isError }) => isError)).toEqual([true, true])
    expect(asked).toEqual([])
    expect(decided).toEqual(Array(2).fill('Bash: deny mode'))
    expect(existsSync(join(host.cwd, 'ran'))).toBe(false)
  },
  minutes,
)

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

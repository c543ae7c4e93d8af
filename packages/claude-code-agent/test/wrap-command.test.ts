/** Another program before the CLI: with the real CLI, and with one that leaves processes behind. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isLiving } from '@dorkos/processes'
import { type Offline, realCliPath, startOffline } from '@dorkos/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClaudeCodeAgent, type CliCommand, SubprocessTransport } from '../src/index.ts'
import { nextTurn } from './support/collect.ts'

describe('wrapCommand', () => {
  let offline: Offline
  let agent: ClaudeCodeAgent
  beforeEach(async () => {
    offline = await startOffline(() => 'ok')
    agent = new ClaudeCodeAgent({
      cliPath: realCliPath(),
      env: offline.overlay,
      cwd: offline.cwd,
      settingSources: [],
    })
  })
  afterEach(async () => {
    await agent.close()
    await offline.dispose()
  })

  it('is given all that there is to know, and decides what is started', { timeout: 30_000 }, async () => {
    const given: CliCommand[] = []
    let settingsThere: boolean | undefined
    const session = await agent.startSession({
      keepAlive: true,
      options: {
        settings: { permissions: { deny: ['Read(//nowhere/**)'] } },
        wrapCommand(cli) {
          given.push(cli)
          settingsThere = existsSync(`${cli.files}/settings.json`)
          return { command: '/usr/bin/env', args: ['WRAPPED=yes', cli.command, ...cli.args] }
        },
      },
    })
    const [cli] = given
    expect(given).toHaveLength(1)
    expect(cli).toMatchObject({ command: realCliPath(), cwd: offline.cwd })
    expect(cli?.env.HOME).toBe(offline.env.HOME)
    const settings = cli?.args.find((argument) => argument.startsWith('--settings='))?.slice(11) ?? ''
    expect([settingsThere, dirname(settings)]).toEqual([true, cli?.files])
    expect(readFileSync(`/proc/${session.pid}/environ`, 'latin1').split('\0')).toContain('WRAPPED=yes')
    const turn = nextTurn(session)
    await session.send('hello')
    await turn
    const { pid } = session
    await session.close()
    expect(isLiving(pid ?? 0)).toBe(false)
    expect(existsSync(cli?.files ?? '/')).toBe(false)
  })

  it('ends what the program left behind, and reports why one that throws starts nothing', async () => {
    const receiver = { message() {}, fault() {}, exit() {} }
    const options = { cliPath: '/bin/sleep', args: ['1000'], env: {}, checkVersion: false }
    const transport = new SubprocessTransport({
      ...options,
      wrapCommand: ({ command, args }) => ({
        command: '/bin/sh',
        args: ['-c', '"$@" & "$@"', 'sh', command, ...args],
      }),
    })
    await transport.connect(receiver)
    const members = () =>
      readFileSync(`/proc/${transport.pid}/task/${transport.pid}/children`, 'utf8').split(' ').filter(Boolean)
    await expect.poll(() => members().length).toBe(2)
    const left = members()
    await transport.terminate({ graceMs: 0 })
    for (const pid of left) expect(isLiving(Number(pid))).toBe(false)

    const wrapCommand = () => {
      throw new Error('no container here')
    }
    await expect(new SubprocessTransport({ ...options, wrapCommand }).connect(receiver)).rejects.toThrow(
      'no container here',
    )
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLiving } from '@dorkos/processes'
import { type CliStep, type FakeCli, fakeCli, type Scenario, steps } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { parentDeathLauncher } from '../src/transport/parent-death.ts'
import { expectNoProcess, logged } from './support/fake-agent.ts'
import { type HostProgram, runProgram } from './support/host-program.ts'
import { eventually } from './transport/script-process.ts'

/** A folder for the programs of one test, and the CLIs that they use. */
class Scene implements AsyncDisposable {
  readonly dir = mkdtempSync(join(tmpdir(), 'faults-program-'))
  readonly #clis: FakeCli[] = []

  cli(scenario: Scenario | CliStep[]): FakeCli {
    const cli = fakeCli(scenario)
    this.#clis.push(cli)
    return cli
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cli of this.#clis) await cli.dispose()
    rmSync(this.dir, { recursive: true, force: true })
  }
}

const stubborn = [
  steps.ignoreTerm(),
  steps.forkGrandchild({ holdStdout: true }),
  steps.say('hi'),
  steps.hang(),
]

/** A program with a session in a turn that never ends; it does `end` when it is told to. */
async function startHost(
  scene: Scene,
  scenario: CliStep[],
  end: string,
): Promise<{ host: HostProgram; cli: FakeCli }> {
  const cli = scene.cli(scenario)
  const host = runProgram(
    scene.dir,
    cli.path,
    `const session = await agent.startSession({ prompt: 'go' })
     const messages = session.messages()
     process.stdin.once('data', () => { ${end} })
     for await (const message of messages) if (message.type === 'assistant') print('ready')`,
  )
  await eventually('the program and its session run', () => host.output().includes('ready'))
  await logged(cli, 'grandchild')
  return { host, cli }
}

describe.concurrent('a program that ends with a session open leaves nothing behind', () => {
  it.each([
    ['process.exit()', 'process.exit(5)', 5],
    ['an uncaught exception', `throw new Error('oops')`, 1],
    ['an unhandled rejection', `Promise.reject(new Error('oops'))`, 1],
    ['an exit within a promise', 'Promise.resolve().then(() => process.exit(0))', 0],
  ])('by %s, not even a CLI that ignores SIGTERM', async (_, end, code) => {
    await using scene = new Scene()
    const { host, cli } = await startHost(scene, stubborn, end)
    host.process.stdin?.write('go\n')
    expect(await host.ended).toEqual({ code, signal: null })
    await expectNoProcess(cli)
  })

  const deadly = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const
  it.runIf(process.platform === 'linux').each(deadly)(
    'by %s: with the next start at the latest',
    async (signal) => {
      await using scene = new Scene()
      const { host, cli } = await startHost(
        scene,
        [steps.forkGrandchild(), steps.say('hi'), steps.hang()],
        '',
      )
      host.process.kill(signal)
      expect(await host.ended).toEqual({ code: null, signal })
      const { pid } = await logged(cli, 'spawn')
      if ((await parentDeathLauncher()).length > 0) await eventually('the CLI is gone', () => !isLiving(pid))
      const next = runProgram(
        scene.dir,
        scene.cli([steps.say('hi'), steps.wait(500)]).path,
        `await (await agent.startSession({ prompt: 'go' })).waitForCompletion()`,
      )
      expect(await next.ended).toEqual({ code: 0, signal: null })
      await expectNoProcess(cli)
    },
  )

  it('by a signal that it handles itself, with agent.close()', async () => {
    await using scene = new Scene()
    const { host, cli } = await startHost(
      scene,
      [steps.forkGrandchild(), steps.say('hi'), steps.hang()],
      `process.once('SIGTERM', async () => { await agent.close(); print('closed'); process.exit(0) }); print('handled')`,
    )
    host.process.stdin?.write('go\n')
    await eventually('the handler is set', () => host.output().includes('handled'))
    host.process.kill('SIGTERM')
    expect(await host.ended).toEqual({ code: 0, signal: null })
    expect(host.output()).toContain('closed')
    await expectNoProcess(cli)
  })
})

describe.concurrent('a program that is done with its sessions ends by itself', () => {
  /** Runs to the end of `code`, and then it must end without being told to. */
  async function expectToEnd(scenario: Scenario | CliStep[], code: string): Promise<HostProgram> {
    await using scene = new Scene()
    const cli = scene.cli(scenario)
    const host = runProgram(scene.dir, cli.path, code)
    expect(await host.ended).toEqual({ code: 0, signal: null })
    expect(host.errors()).toBe('')
    await expectNoProcess(cli)
    return host
  }

  it('one-shot, waited for', async () => {
    const host = await expectToEnd(
      [steps.say('hi')],
      `const session = await agent.startSession({ prompt: 'go' })
       print((await session.waitForCompletion()).state)`,
    )
    expect(host.output()).toBe('completed\n')
  })

  it('one-shot, never looked at', async () => {
    await expectToEnd([steps.say('hi')], `await agent.startSession({ prompt: 'go' })`)
  })

  it('failed, and never looked at', async () => {
    await expectToEnd([steps.crash()], `await agent.startSession({ prompt: 'go' })`)
  })

  it('with query()', async () => {
    const host = await expectToEnd(
      [steps.say('hi')],
      `const options = { pathToClaudeCodeExecutable: agent.options.cliPath }
       for await (const message of sdk.query({ prompt: 'go', options })) print(message.type)`,
    )
    expect(host.output()).toContain('result')
  })

  it('kept alive and closed', async () => {
    await expectToEnd(
      [steps.say('hi')],
      `const session = await agent.startSession({ prompt: 'go', keepAlive: true })
       await session.setModel('other')
       await session.close()`,
    )
  })

  it('cancelled in the middle of a hanging turn', async () => {
    await expectToEnd(
      [steps.hang()],
      `const session = await agent.startSession({ prompt: 'go' })
       await session.cancel()`,
    )
  })

  it('although tools, hooks and questions were open, each with a time limit of its own', async () => {
    await expectToEnd(
      [
        steps.parallel([
          steps.tool({ server: 's', name: 'never' }),
          steps.ask({ toolName: 'Bash' }),
          steps.hook({ event: 'Stop' }),
          [steps.wait(300), steps.crash()],
        ]),
      ],
      `const never = () => new Promise(() => {})
       const tool = sdk.tool({ name: 'never', description: 'Never', inputSchema: {}, handler: never })
       const session = await agent.startSession({ prompt: 'go', options: {
         mcpServers: { s: sdk.createSdkMcpServer({ name: 's', tools: [tool] }) },
         canUseTool: never,
         canUseToolTimeoutMs: 600_000,
         hooks: { Stop: [{ hooks: [never], timeout: 600 }] },
       } })
       await session.waitForCompletion().catch(() => {})`,
    )
  })

  it('although a control request was never answered', async () => {
    await expectToEnd(
      { turns: [[steps.say('hi')]], answers: { get_session_cost: 'never' } },
      `const session = await agent.startSession({ prompt: 'go', keepAlive: true })
       session.getSessionCost().catch(() => {})
       await session.close()`,
    )
  })

  it('after a start that failed', async () => {
    await expectToEnd(
      { start: [steps.crash()] },
      `await agent.startSession({ prompt: 'go' }).catch((error) => print(error.code))`,
    )
  })

  it('with spare processes that were closed', async () => {
    await expectToEnd([steps.say('hi')], 'await agent.prewarm(2); await agent.close()')
  })

  it('with spare processes that were forgotten', async () => {
    await expectToEnd(
      [steps.say('hi')],
      `await agent.prewarm(1)
       await (await agent.startSession({ prompt: 'go' })).waitForCompletion()`,
    )
  })

  it('with a session on a spare process, which keeps it running for as long as it needs', async () => {
    const host = await expectToEnd(
      [steps.wait(1000), steps.say('hi')],
      `await agent.prewarm(1)
       const session = await agent.startSession({ prompt: 'go' })
       session.on('complete', ({ state }) => print(state))`,
    )
    expect(host.output()).toBe('completed\n')
  })
})

import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hang, type ModelRequest, steps, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import {
  AbortError,
  CLIExitError,
  CLINotFoundError,
  ControlProtocolError,
  createSdkMcpServer,
  InvalidOptionsError,
  type Query,
  query,
  type SDKMessage,
  SessionNotFoundError,
  tool,
  WorkingDirectoryError,
} from '../src/index.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { mailbox, said } from './support/mailbox.ts'
import { nextResult, rest, startOfflineQuery } from './support/offline-query.ts'

const stdioServer = fileURLToPath(new URL('./support/stdio-server.mjs', import.meta.url))
const echo = (request: ModelRequest) => `You said ${request.lastUserText}.`
const add = tool('add', 'Adds', { a: 'number', b: 'number' }, ({ a, b }) => `${a + b}`)
const calc = () => createSdkMcpServer({ name: 'calc', tools: [add] })

const pidOf = async (running: Query) => (await running.initializationResult()).pid as number
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('steering a query', () => {
  it('waits for the process before it asks it; gives what the CLI offers, and throws what it refuses', async () => {
    await using run = await startOfflineQuery(echo)
    const { post, messages } = mailbox()
    const running = run.query(messages(), {
      agents: { helper: { description: 'Helps', prompt: 'You help.' } },
    })
    const early = await Promise.all([
      running.interrupt(),
      running.setModel('claude-haiku-4-5'),
      running.setPermissionMode('acceptEdits'),
      running.setMaxThinkingTokens(null),
      running.mcpServerStatus(),
    ])
    expect(early[0]).toEqual({ still_queued: [] })

    const initialized = await running.initializationResult()
    expect(initialized).toMatchObject({
      claude_code_version: expect.stringMatching(/^\d/),
      pid: expect.any(Number),
    })
    expect(await running.supportedCommands()).toBe(initialized.commands)
    expect(await running.supportedCommands()).toContainEqual(expect.objectContaining({ name: 'init' }))
    expect(await running.supportedModels()).toContainEqual(expect.objectContaining({ value: 'default' }))
    expect(await running.supportedAgents()).toContainEqual(expect.objectContaining({ name: 'helper' }))
    expect(await running.accountInfo()).toMatchObject({ apiKeySource: 'ANTHROPIC_API_KEY' })

    const refused = running.setPermissionMode('bypassPermissions')
    await expect(refused).rejects.toThrow(ControlProtocolError)
    await expect(refused).rejects.toMatchObject({ subtype: 'set_permission_mode' })
    await expect(running.control('no_such_request')).rejects.toThrow(ControlProtocolError)
    await running.stopTask('nothing')
    await running.applyFlagSettings({ cleanupPeriodDays: 3 })

    post(said('one'))
    const heard: SDKMessage[] = []
    while (heard.at(-1)?.type !== 'result') heard.push((await running.next()).value as SDKMessage)
    expect(heard.find(({ subtype }) => subtype === 'init')).toMatchObject({ permissionMode: 'acceptEdits' })
    expect(run.model.requests.at(-1)?.model).toContain('haiku')
    const usage = await running.getContextUsage({ detail: 'summary' })
    expect(usage).toMatchObject({ totalTokens: expect.any(Number), categories: expect.any(Array) })
    post()
    await rest(running)
  })

  it('interrupt() ends the turn; the iteration ends without an error', async () => {
    await using run = await startOfflineQuery(() => hang({ afterDeltas: 1 }))
    const running = run.query('go')
    await run.model.waitForRequest(1)
    await running.interrupt()
    const all = await rest(running)
    expect(all.at(-1)).toMatchObject({ type: 'result', terminal_reason: expect.stringMatching(/^aborted/) })
  })

  it('MCP servers: status, toggle, reconnect, set', async () => {
    await using run = await startOfflineQuery(echo)
    const { post, messages } = mailbox()
    const greeter = { command: process.execPath, args: [stdioServer] }
    const running = run.query(messages(), { mcpServers: { greeter } })
    const status = async () => (await running.mcpServerStatus()).map(({ name, status }) => [name, status])
    await expect.poll(status, { timeout: 50_000 }).toEqual([['greeter', 'connected']])
    await running.toggleMcpServer('greeter', false)
    expect(await status()).toEqual([['greeter', 'disabled']])
    await running.toggleMcpServer('greeter', true)
    await running.reconnectMcpServer('greeter')
    expect(await status()).toEqual([['greeter', 'connected']])
    await expect(running.reconnectMcpServer('nobody')).rejects.toThrow(ControlProtocolError)

    expect(await running.setMcpServers({ late: calc() })).toMatchObject({ added: ['late'], errors: {} })
    post(said('one'))
    await nextResult(running)
    const names = run.model.requests.at(-1)?.toolNames.filter((name) => name.startsWith('mcp__'))
    expect(names).toEqual(['mcp__greeter__greet', 'mcp__late__add'])
  })

  it('rewindFiles() puts a file back to how it was before a message', async () => {
    await using run = await startOfflineQuery((request) => {
      if (request.toolResults.length === 0) return toolUse('Read', { file_path: request.lastUserText })
      if (request.toolResults[0]?.text.includes('before'))
        return toolUse('Edit', {
          file_path: request.lastUserText,
          old_string: 'before',
          new_string: 'after',
        })
      return 'Done.'
    })
    const file = join(run.cwd, 'a.txt')
    await writeFile(file, 'before\n')
    const uuid = '3fed43ec-5170-44ee-b476-f97131ba8614'
    const running = run.query(mailbox(said(file, { uuid })).messages(), {
      enableFileCheckpointing: true,
      permissionMode: 'acceptEdits',
    })
    await nextResult(running)
    expect(await readFile(file, 'utf8')).toBe('after\n')

    expect(await running.rewindFiles(uuid, { dryRun: true })).toMatchObject({ canRewind: true })
    expect(await readFile(file, 'utf8')).toBe('after\n')
    expect(await running.rewindFiles(uuid)).toMatchObject({ canRewind: true })
    expect(await readFile(file, 'utf8')).toBe('before\n')
  })

  it('streamInput() adds messages; the query ends after the last of them', async () => {
    await using run = await startOfflineQuery(echo)
    const running = run.query('one')
    const { post, messages } = mailbox()
    const streamed = running.streamInput(messages())
    await nextResult(running)
    // Without the second input the process would end now.
    await sleep(300)
    post(said('two'))
    expect(await nextResult(running)).toMatchObject({ result: 'You said two.' })
    post()
    await streamed
    expect(await rest(running)).toEqual([])
  })
})

describe('ending a query', () => {
  it('leaving the loop ends the process, in the middle of a turn too', async () => {
    await using run = await startOfflineQuery(() => hang({ afterDeltas: 1 }))
    const running = run.query('go')
    for await (const message of running) if (message.subtype === 'init') break
    expect(isAlive(await pidOf(running))).toBe(false)
    expect(await running.next()).toEqual({ value: undefined, done: true })
    await expect(running.interrupt()).rejects.toThrow()
  })

  it('so do an exception in the loop, throw(), `await using` and close()', async () => {
    await using fake = startFakeAgent([steps.hang()])
    const start = () => query({ prompt: 'go', options: { pathToClaudeCodeExecutable: fake.cli.path } })
    const started = async (running: Query) => expect(await running.initializationResult()).toBeDefined()
    // Side by side: each waits until the hanging process is given up.
    const ends = {
      async loop() {
        for await (const _ of start()) throw new RangeError('mine')
      },
      async thrown() {
        const running = start()
        await started(running)
        await running.throw(new RangeError('mine'))
      },
      async used() {
        await using running = start()
        await started(running)
      },
      async closed() {
        const running = start()
        await started(running)
        running.close()
        await rest(running)
      },
    }
    await Promise.all([
      expect(ends.loop()).rejects.toThrow(RangeError),
      expect(ends.thrown()).rejects.toThrow(RangeError),
      ends.used(),
      ends.closed(),
    ])
    const spawned = await fake.entries('spawn')
    expect(spawned).toHaveLength(4)
    expect(spawned.filter(({ pid }) => isAlive(pid))).toEqual([])
  })

  it('close() before the process is up starts nothing', async () => {
    await using run = await startOfflineQuery(echo)
    const running = run.query('go')
    running.close()
    expect(await rest(running)).toEqual([])
    await expect(running.mcpServerStatus()).rejects.toThrow()
    expect(run.model.requests).toEqual([])
  })

  it('an abort throws an AbortError and takes its listener away', async () => {
    await using run = await startOfflineQuery(() => hang())
    const abortController = new AbortController()
    const running = run.query('go', { abortController })
    const pid = await pidOf(running)
    await run.model.waitForRequest(1)
    abortController.abort()
    await expect(rest(running)).rejects.toThrow(AbortError)
    expect(isAlive(pid)).toBe(false)
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([])

    await using fake = startFakeAgent([steps.say('hi')])
    const after = new AbortController()
    const options = { abortController: after, pathToClaudeCodeExecutable: fake.cli.path }
    await rest(query({ prompt: 'go', options }))
    expect(getEventListeners(after.signal, 'abort')).toEqual([])
  })

  it('lets the program’s input clean up', async () => {
    await using fake = startFakeAgent([steps.say('hi')])
    let open: () => void = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let cleaned = false
    async function* input() {
      try {
        yield said('one')
        await gate
        yield said('two')
      } finally {
        cleaned = true
      }
    }
    const options = { pathToClaudeCodeExecutable: fake.cli.path }
    const running = query({ prompt: input(), options })
    await nextResult(running)
    await running.return()
    open()
    await expect.poll(() => cleaned).toBe(true)
  })
})

describe('a query that cannot start', () => {
  it.each([
    ['no CLI', { pathToClaudeCodeExecutable: '/nowhere/claude' }, CLINotFoundError],
    ['no directory', { cwd: '/nowhere' }, WorkingDirectoryError],
    ['an unknown flag', { extraArgs: { 'no-such-flag': null } }, CLIExitError],
    ['an unknown session', { resume: '3fed43ec-5170-44ee-b476-f97131ba8614' }, SessionNotFoundError],
  ])('%s: every way to use it rejects with the typed error', async (_, options, expected) => {
    await using run = await startOfflineQuery(echo)
    const lines: string[] = []
    const running = run.query('go', { ...options, stderr: (line) => lines.push(line) })
    // Long enough for a rejection that nobody handles to be noticed, which fails the run.
    await sleep(50)
    const error = await rest(running).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(expected)
    await expect(running.interrupt()).rejects.toThrow(expected)
    expect(await running.next()).toEqual({ value: undefined, done: true })
    if (!(error instanceof CLIExitError)) return
    // What it wrote to stderr goes to the callback and into the error.
    expect(error).toMatchObject({ exitCode: 1, stderrTail: expect.stringContaining('no-such-flag') })
    expect(lines.join('\n')).toContain('no-such-flag')
  })

  it('options that contradict each other are refused by the call itself', () => {
    const canUseTool = () => ({ behavior: 'allow' as const })
    const refused = [
      { canUseTool, permissionPromptToolName: 'mcp__a__b' },
      { continue: true, forkSession: true, sessionId: 'mine' },
      { continue: true, settings: '/a.json', sandbox: { enabled: true } },
      { hooks: { NoSuchEvent: [] } as never },
    ]
    for (const options of refused)
      expect(() => query({ prompt: 'go', options }), JSON.stringify(options)).toThrow(InvalidOptionsError)
    expect(() => query({ prompt: '' })).toThrow(InvalidOptionsError)
  })
})

describe('options of query()', () => {
  it('continue goes on with the newest session of the directory; tools get the id of the session that they serve', {
    timeout: 120_000,
  }, async () => {
    const asksWho = 'mcp__who__am_i'
    await using run = await startOfflineQuery((request) =>
      request.toolNames.includes(asksWho) && request.toolResults.length === 0
        ? toolUse(asksWho, {})
        : echo(request),
    )
    const ids: string[] = []
    const whoAmI = tool('am_i', 'Says', {}, (_, { sessionId }) => {
      ids.push(sessionId)
      return sessionId
    })
    const who = {
      mcpServers: { who: createSdkMcpServer({ name: 'who', tools: [whoAmI] }) },
      allowedTools: ['mcp__who'],
    }
    const session = async (prompt: string, options = {}) =>
      (await rest(run.query(prompt, options))).at(-1)?.session_id
    await session('one')
    const two = await session('two', who)
    expect(await session('three', { ...who, continue: true })).toBe(two)
    expect(ids).toEqual([two, two])
    expect(JSON.stringify(run.model.requests.at(-1)?.messages)).toContain('You said two.')
    const fork = await session('four', { continue: true, forkSession: true })
    expect(fork).not.toBe(two)
    expect(JSON.stringify(run.model.requests.at(-1)?.messages)).toContain('You said three.')
    const other = join(run.offline.home, 'other')
    await mkdir(other)
    await session('five', { continue: true, cwd: other })
    expect(JSON.stringify(run.model.requests.at(-1)?.messages)).not.toContain('You said')
  })

  it('verbatimPrompts: what looks like a file or a command is only text', async () => {
    await using run = await startOfflineQuery(echo)
    await writeFile(join(run.cwd, 'secret.txt'), 'the contents')
    await rest(run.query('Look at @secret.txt'))
    expect(JSON.stringify(run.model.requests.at(-1)?.messages)).toContain('the contents')
    const { post, messages } = mailbox(said('Look at @secret.txt'))
    const verbatim = run.query(messages(), { verbatimPrompts: true })
    await nextResult(verbatim)
    expect(JSON.stringify(run.model.requests.at(-1)?.messages)).not.toContain('the contents')
    post(said('/cost'))
    expect(await nextResult(verbatim)).toMatchObject({ result: 'You said /cost.' })
    post()
    await rest(verbatim)
  })

  it('plugins reach the CLI over its input', async () => {
    await using run = await startOfflineQuery(echo)
    const plugin = join(run.offline.home, 'plugin')
    await mkdir(join(plugin, '.claude-plugin'), { recursive: true })
    await mkdir(join(plugin, 'commands'))
    await writeFile(join(plugin, '.claude-plugin', 'plugin.json'), '{"name":"greet","version":"1.0.0"}')
    await writeFile(join(plugin, 'commands', 'hello.md'), '---\ndescription: Says hello\n---\nSay hello.\n')
    for (const pluginDelivery of ['argv', 'initialize'] as const) {
      const running = run.query(mailbox().messages(), {
        plugins: [{ type: 'local', path: plugin }],
        pluginDelivery,
      })
      const commands = await running.supportedCommands()
      expect(commands, pluginDelivery).toContainEqual(expect.objectContaining({ name: 'greet:hello' }))
    }
  })

  it('projectConfigRoot: settings come from the trusted checkout, not from the directory', async () => {
    await using run = await startOfflineQuery((request) =>
      request.toolResults.length > 0 ? 'Done.' : toolUse('Bash', { command: 'echo "[$FROM]"' }),
    )
    const trusted = join(run.offline.home, 'trusted')
    for (const [folder, from] of [
      [trusted, 'trusted'],
      [run.cwd, 'directory'],
    ] as const) {
      await mkdir(join(folder, '.claude'), { recursive: true })
      await writeFile(join(folder, '.claude', 'settings.json'), JSON.stringify({ env: { FROM: from } }))
    }
    const options = { settingSources: ['project' as const], allowedTools: ['Bash'] }
    await rest(run.query('a', options))
    expect(run.model.requests.at(-1)?.toolResults[0]?.text).toBe('[directory]')
    await rest(run.query('b', { ...options, projectConfigRoot: trusted }))
    expect(run.model.requests.at(-1)?.toolResults[0]?.text).toBe('[trusted]')
  })

  it('spawnClaudeCodeProcess runs the CLI that it is given', async () => {
    await using run = await startOfflineQuery(echo)
    const commands: string[] = []
    const running = run.query('one', {
      spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }) => {
        commands.push(command)
        return spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'pipe'] })
      },
    })
    expect((await rest(running)).at(-1)).toMatchObject({ result: 'You said one.' })
    expect(commands).toHaveLength(1)
  })
})

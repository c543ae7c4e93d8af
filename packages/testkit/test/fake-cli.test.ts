import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { CliStep, Scenario } from '../src/fake-cli/scenario.ts'
import { steps } from '../src/fake-cli/steps.ts'
import { type FakeCli, type FakeCliOptions, fakeCli } from '../src/fake-cli.ts'
import { echoServer, type Frame, initializeWith, RawHost, type RawHostOptions } from './raw-host.ts'

const clis: FakeCli[] = []
const hosts: RawHost[] = []

function make(scenario: Scenario | CliStep[], options?: FakeCliOptions): FakeCli {
  const cli = fakeCli(scenario, options)
  clis.push(cli)
  return cli
}

function start(scenario: Scenario | CliStep[], options: RawHostOptions = {}): RawHost {
  const host = new RawHost(make(scenario), options)
  hosts.push(host)
  return host
}

afterEach(async () => {
  for (const host of hosts.splice(0)) {
    if (host.child.exitCode === null && host.child.signalCode === null) host.child.kill('SIGKILL')
  }
  await Promise.all(clis.splice(0).map((cli) => cli.dispose()))
})

const kinds = (host: RawHost): string[] =>
  host.frames.map((frame) => (frame.subtype === undefined ? frame.type : `${frame.type}/${frame.subtype}`))

describe('a process', () => {
  it('prints its version', () => {
    expect(execFileSync(make([]).path, ['--version']).toString()).toBe('2.1.325 (Claude Code)\n')
    expect(execFileSync(make([], { version: '1.0.0' }).path, ['--version']).toString()).toBe(
      '1.0.0 (Claude Code)\n',
    )
  })

  it('is a file named claude that is found by environment, and goes away when disposed', async () => {
    const cli = make([])
    expect(cli.path).toMatch(/\/claude$/)
    expect(cli.env).toEqual({ CLAUDE_CODE_PATH: cli.path })
    await cli.dispose()
    expect(existsSync(dirname(cli.path))).toBe(false)
  })

  it('answers initialize before any message and exits 0 at the end of input', async () => {
    const host = start([])
    host.control('i', { subtype: 'initialize' })
    const { subtype, response } = await host.response('i')
    expect(subtype).toBe('success')
    expect(Object.keys(response)).toEqual(
      expect.arrayContaining(['commands', 'agents', 'models', 'account', 'pid', 'session_state']),
    )
    expect(response.pid).toBe(host.child.pid)
    expect(await host.end()).toEqual({ code: 0, signal: null })
  })

  it('logs its arguments, environment, stdin and end', async () => {
    const cli = make([steps.say('hi')])
    const host = new RawHost(cli, { args: ['--model=m', '-x'], env: { SOME: 'value' } })
    hosts.push(host)
    host.user('hello', 'u-1')
    await host.result()
    await host.end()
    const log = await cli.log()
    expect(log.map((entry) => entry.type)).toEqual(['spawn', 'stdin', 'asked', 'stdin_end', 'exit'])
    expect(log[0]).toMatchObject({ pid: host.child.pid, argv: ['--model=m', '-x'], env: { SOME: 'value' } })
    expect(log[1]).toMatchObject({ message: { type: 'user', uuid: 'u-1' } })
    expect(log[2]).toMatchObject({ prompt: 'hello' })
    expect(log[4]).toMatchObject({ code: 0 })
  })

  it('keeps several fake CLIs with their own scenarios and logs apart', async () => {
    const [one, two] = [make([steps.say('one')]), make([steps.say('two')])]
    const pair = [new RawHost(one), new RawHost(two)]
    hosts.push(...pair)
    for (const host of pair) host.user('x')
    const results = await Promise.all(pair.map((host) => host.result()))
    expect(results.map((result) => result.result)).toEqual(['one', 'two'])
    expect((await one.log()).filter((entry) => entry.type === 'spawn')).toHaveLength(1)
  })

  it('dies of a malformed line, after what came before it', async () => {
    const host = start([])
    host.write('{"type":"control_request","request_id":"a","request":{"subtype":"interrupt"}}\n{not json\n')
    expect(await host.exited).toEqual({ code: 1, signal: null })
    expect(host.stderr).toBe('Error parsing streaming input line (type=unknown, 9 chars): SyntaxError\n')
  })

  it('turns SIGTERM into exit code 143', async () => {
    const host = start([])
    host.control('i', { subtype: 'initialize' })
    await host.response('i')
    host.child.kill('SIGTERM')
    expect(await host.exited).toEqual({ code: 143, signal: null })
  })
})

describe('a turn', () => {
  it('goes running, init, messages, result, idle', async () => {
    const host = start([steps.say('hello')], { args: ['--session-id=s-1'] })
    host.user('x', 'u-1')
    await host.state('idle')
    expect(kinds(host)).toEqual([
      'system/session_state_changed',
      'command_lifecycle',
      'command_lifecycle',
      'system/init',
      'assistant',
      'result/success',
      'command_lifecycle',
      'system/session_state_changed',
    ])
    expect(host.frames.every((frame) => frame.session_id === 's-1')).toBe(true)
    const lifecycle = host.frames.filter((frame) => frame.type === 'command_lifecycle')
    expect(lifecycle.map((frame) => frame.state)).toEqual(['queued', 'started', 'completed'])
    expect(await host.result()).toMatchObject({ result: 'hello', is_error: false, result_index: 0 })
  })

  it('sends state events only when the environment asks for them', async () => {
    const host = start([steps.say('x')], { env: { CLAUDE_CODE_SDK_READS_SESSION_STATE: '' } })
    host.user('x')
    await host.result()
    await host.end()
    expect(kinds(host)).toEqual(['system/init', 'assistant', 'result/success'])
  })

  it('resumes the session id it is given, and forks away from it', async () => {
    const id = async (args: string[]): Promise<string> => {
      const host = start([], { args })
      host.user('x')
      return (await host.result()).session_id
    }
    expect(await id(['--resume=old'])).toBe('old')
    expect(await id(['--resume=old', '--fork-session'])).not.toBe('old')
    expect(await id(['--resume=old', '--fork-session', '--session-id=new'])).toBe('new')
  })

  it('runs the nth list for the nth message, then the extra one, with growing cost', async () => {
    const host = start({ turns: [[steps.say('a')], [steps.say('b')]], onExtra: [steps.say('more')] })
    for (const n of [0, 1, 2, 3]) {
      host.user('x')
      await host.result(n)
    }
    const results = host.frames.filter((frame) => frame.type === 'result')
    expect(results.map((result) => result.result)).toEqual(['a', 'b', 'more', 'more'])
    const costs = results.map((result) => result.total_cost_usd)
    expect(costs).toEqual([...costs].sort((left, right) => left - right))
    expect(new Set(costs).size).toBe(4)
  })

  it('queues messages and is idle only after the last', async () => {
    const host = start({ turns: [[steps.wait(30), steps.say('a')], [steps.say('b')]] })
    host.user('x', 'u-1')
    host.user('y', 'u-2')
    await host.state('idle')
    const lifecycle = host.frames.filter((frame) => frame.type === 'command_lifecycle')
    expect(lifecycle.map((frame) => `${frame.command_uuid} ${frame.state}`)).toEqual([
      'u-1 queued',
      'u-1 started',
      'u-2 queued',
      'u-1 completed',
      'u-2 started',
      'u-2 completed',
    ])
  })

  it('cancels a queued message on request', async () => {
    const host = start({ turns: [[steps.wait(50)], [steps.say('never')]] })
    host.user('x', 'u-1')
    host.user('y', 'u-2')
    host.control('c', { subtype: 'cancel_async_message', message_uuid: 'u-2' })
    expect((await host.response('c')).response).toEqual({ cancelled: true })
    await host.state('idle')
    expect(host.frames.filter((frame) => frame.type === 'result')).toHaveLength(1)
  })

  it('streams text when the argument or the step asks for it', async () => {
    const deltas = (host: RawHost): string[] => host.frames.flatMap((frame) => frame.event?.delta?.text ?? [])
    const asked = start([steps.say('one two three')], { args: ['--include-partial-messages'] })
    const forced = start([steps.say('one two', { partial: true })])
    for (const host of [asked, forced]) host.user('x')
    await Promise.all([asked.result(), forced.result()])
    expect(deltas(asked)).toEqual(['one ', 'two ', 'three'])
    expect(deltas(forced)).toEqual(['one ', 'two'])
  })

  it('replays user messages when asked', async () => {
    const host = start([], { args: ['--replay-user-messages'] })
    host.user('say it back', 'u-1')
    await host.result()
    expect(await host.frame((frame) => frame.isReplay)).toMatchObject({
      uuid: 'u-1',
      message: { content: 'say it back' },
    })
  })

  it('ends as a result step says, and the exit code follows it', async () => {
    const fields = { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' }
    const host = start([steps.say('x'), steps.result(fields), steps.emit({ type: 'afterthought' })])
    host.user('x')
    await host.state('idle')
    expect(await host.result()).toMatchObject(fields)
    expect(kinds(host).slice(-3)).toEqual([
      'result/error_max_turns',
      'afterthought',
      'system/session_state_changed',
    ])
    expect(await host.end()).toEqual({ code: 1, signal: null })
  })

  it('goes on after the end of input, and holds its result back', async () => {
    const host = start([steps.sleepBeforeResult(50), steps.say('late')])
    host.user('x')
    expect(await host.end()).toEqual({ code: 0, signal: null })
    expect(await host.result()).toMatchObject({ result: 'late' })
  })

  it('starts a turn by itself when background work is done', async () => {
    const host = start({
      turns: [
        [
          steps.say('started'),
          steps.background({ ms: 30, description: 'sleep', steps: [steps.say('woke')] }),
        ],
      ],
    })
    host.user('x')
    await host.state('idle', 1)
    const results = host.frames.filter((frame) => frame.type === 'result')
    expect(results.map((result) => result.result)).toEqual(['started', 'woke'])
    const between = kinds(host).slice(kinds(host).indexOf('result/success') + 1)
    expect(between.slice(0, 6)).toEqual([
      'system/session_state_changed',
      'system/task_updated',
      'system/task_notification',
      'system/background_tasks_changed',
      'system/session_state_changed',
      'system/init',
    ])
  })
})

describe('resumed with background work that never ended', () => {
  const scenario: Scenario = { turns: [[steps.background({ ms: 600_000 }), steps.say('{prompt}')]] }

  /** As far as the real CLI was seen to do it: `background/lost` of the contract suite. */
  it('tells of the loss in a turn of its own, without asking the model, and only once', async () => {
    const cli = make(scenario)
    const begin = (args: string[]): RawHost => {
      const host = new RawHost(cli, { args })
      hosts.push(host)
      host.control('i', { subtype: 'initialize' })
      return host
    }
    const killed = begin(['--session-id=one'])
    killed.user('go')
    await killed.result()
    killed.child.kill('SIGKILL')
    await killed.exited
    const other = begin(['--resume=another'])
    const resumed = begin(['--resume=one'])
    expect(await resumed.result()).toMatchObject({
      result: '',
      num_turns: 0,
      origin: { kind: 'task-notification' },
    })
    await resumed.end()
    expect(kinds(resumed)).toEqual([
      'system/task_notification',
      'system/session_state_changed',
      'control_response',
      'system/init',
      'result/success',
      'system/session_state_changed',
    ])
    await other.end()
    expect(kinds(other)).toEqual(['control_response'])
    const again = begin(['--resume=one'])
    again.user('go on')
    expect(await again.result()).toMatchObject({ result: 'go on' })
    const asked = (await cli.log()).flatMap((entry) => (entry.type === 'asked' ? [entry.prompt] : []))
    expect(asked).toEqual(['go', 'go on'])
  })

  it('keeps a transcript where it is to', async () => {
    const cli = make({ turns: [[steps.say('hi')]], hasTranscript: true })
    const home = dirname(cli.path)
    const host = new RawHost(cli, { args: ['--session-id=one'], env: { CLAUDE_CONFIG_DIR: home } })
    hosts.push(host)
    host.user('go', 'first')
    host.user('on', 'second')
    await host.end()
    const project = join(home, 'projects', process.cwd().replace(/[^a-zA-Z0-9]/g, '-'))
    const lines = readFileSync(join(project, 'one.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'user', uuid: 'first', parentUuid: null, message: { content: 'go' } },
      { type: 'user', uuid: 'second', parentUuid: 'first', message: { content: 'on' } },
    ])
  })
})

describe('tools', () => {
  it('are listed from manifests and called with ids from 2', async () => {
    const call = steps.tool({ server: 's', name: 'echo', args: { a: 1 }, toolUseId: 'toolu_x' })
    const host = start([call], { onRequest: echoServer })
    host.control('i', initializeWith('s'))
    host.user('x')
    await host.result()
    expect((await host.response('i')).response.sdk_mcp_manifests_parked).toEqual({ s: 'parked' })
    const init = await host.frame((frame) => frame.subtype === 'init')
    expect(init.tools).toContain('mcp__s__echo')
    expect(init.mcp_servers).toEqual([{ name: 's', status: 'connected', source: 'sdk' }])
    const { request } = await host.request('mcp_message')
    expect(request.message).toMatchObject({
      method: 'tools/call',
      id: 2,
      params: { name: 'echo', arguments: { a: 1 }, _meta: { 'claudecode/toolUseId': 'toolu_x' } },
    })
    const block = (await host.frame((frame) => frame.type === 'user')).message.content[0]
    expect(block).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_x',
      content: [{ type: 'text', text: '{"a":1}' }],
    })
  })

  it('are asked for by handshake without a manifest, or with one of another protocol version', async () => {
    const host = start([], { onRequest: echoServer })
    const initialize = initializeWith('old')
    initialize.sdkMcpServers.push('bare')
    initialize.sdkMcpServerManifests.old.initializeResult.protocolVersion = '2024-11-05'
    host.control('i', initialize)
    host.user('x')
    await host.result()
    expect((await host.response('i')).response.sdk_mcp_manifests_parked).toEqual({
      old: 'protocol_version_mismatch',
    })
    const init = await host.frame((frame) => frame.subtype === 'init')
    expect(init.tools).toEqual(expect.arrayContaining(['mcp__old__echo', 'mcp__bare__echo']))
    const methods = host.frames
      .filter((frame) => frame.request?.server_name === 'bare')
      .map((frame) => frame.request.message.method)
    expect(methods).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
  })

  it('can be open at the same time', async () => {
    const open: string[] = []
    const calls = ['a', 'b'].map((id) => ({ server: 's', name: 'echo', toolUseId: id }))
    const host = start([steps.tools(calls)], {
      onRequest: (_, id) => {
        open.push(id)
        return undefined
      },
    })
    host.control('i', initializeWith('s'))
    host.user('x')
    await host.request('mcp_message', 1)
    for (const id of open.reverse()) {
      host.respond(id, { mcp_response: { jsonrpc: '2.0', id: 1, result: { content: [] } } })
    }
    await host.result()
    const order = host.frames.flatMap((frame) => (frame.type === 'user' ? frame.message.content : []))
    expect(order.map((block: Frame) => block.tool_use_id)).toEqual(['b', 'a'])
  })

  it('fail visibly: error results, RPC errors, refusals, junk', async () => {
    const rpc = (body: object): unknown => ({ mcp_response: { jsonrpc: '2.0', id: 2, ...body } })
    const answers = [
      rpc({ result: { content: [{ type: 'text', text: 'boom' }], isError: true } }),
      rpc({ error: { code: -32601, message: 'no such method' } }),
      rpc({ result: 'nonsense' }),
      {},
    ]
    const call = steps.tool({ server: 's', name: 'echo' })
    const host = start([call, call, call, call], { onRequest: () => answers.shift() })
    host.control('i', initializeWith('s'))
    host.user('x')
    await host.result()
    const blocks = host.frames.flatMap((frame) => (frame.type === 'user' ? frame.message.content : []))
    expect(blocks.map((block: Frame) => [block.is_error, block.content])).toEqual([
      [true, 'boom'],
      [true, 'MCP error -32601: no such method'],
      [true, 'Invalid MCP response'],
      [true, 'Invalid MCP response'],
    ])
  })

  it('are called many times with a fixed number open, and nothing said about it', async () => {
    let open = 0
    let most = 0
    const seen = new Set<string>()
    const host: RawHost = start([steps.tool({ server: 's', name: 'echo', repeat: 500, inFlight: 16 })], {
      onRequest: (request, id) => {
        open += 1
        most = Math.max(most, open)
        seen.add(request.message.params._meta['claudecode/toolUseId'])
        setImmediate(() => {
          open -= 1
          host.respond(id, echoServer(request))
        })
        return undefined
      },
    })
    host.control('i', initializeWith('s'))
    host.user('x')
    await host.result()
    expect(seen.size).toBe(500)
    expect(most).toBe(16)
    expect(host.frames.some((frame) => frame.type === 'assistant' || frame.type === 'user')).toBe(false)
  })
})

describe('questions', () => {
  const toolResult = async (host: RawHost): Promise<Frame> => {
    await host.result()
    return (await host.frame((frame) => frame.type === 'user')).message.content[0]
  }

  it.each([
    [{ behavior: 'allow', updatedInput: { command: 'ls' } }, undefined, /^allowed: .*"command":"ls"/],
    [{ behavior: 'deny', message: 'no way' }, true, /^denied: .*no way/],
    [{ allowed: true }, true, /^denied: invalid permission result/],
  ])('say what was answered: %j', async (answer, isError, text) => {
    const host = start([steps.ask({ toolName: 'Bash', input: { command: 'rm' } })], {
      onRequest: () => answer,
    })
    host.user('x')
    const block = await toolResult(host)
    expect(block.is_error).toBe(isError)
    expect(block.content).toMatch(text)
    expect(await host.request('can_use_tool')).toMatchObject({
      request: { tool_name: 'Bash', input: { command: 'rm' }, tool_use_id: block.tool_use_id },
    })
    const states = host.frames.flatMap((frame) => frame.state ?? [])
    expect(states.slice(0, 3)).toEqual(['running', 'requires_action', 'running'])
  })

  it('are interrupted by a deny that says so', async () => {
    const answer = { behavior: 'deny', message: 'stop', interrupt: true }
    const host = start([steps.ask({ toolName: 'Bash' }), steps.say('never')], { onRequest: () => answer })
    host.user('x')
    expect(await host.result()).toMatchObject({ is_error: true, terminal_reason: 'aborted_tools' })
  })

  it('are withdrawn by cancel_ask, and the turn goes on', async () => {
    const host = start([
      steps.parallel([steps.ask({ toolName: 'Bash' }), steps.cancelAsk()]),
      steps.say('on'),
    ])
    host.user('x')
    expect((await toolResult(host)).content).toMatch(/withdrawn/)
    const { request_id } = await host.request('can_use_tool')
    expect(await host.frame((frame) => frame.type === 'control_cancel_request')).toMatchObject({ request_id })
    expect(await host.result()).toMatchObject({ subtype: 'success', result: 'on' })
  })

  it('that are open come back with a second initialize', async () => {
    const host = start([steps.ask({ toolName: 'Bash' })])
    host.user('x')
    const question = await host.request('can_use_tool')
    host.control('again', { subtype: 'initialize' })
    const { response } = await host.response('again')
    expect(response.session_state).toBe('requires_action')
    expect(response.pending_permission_requests).toEqual([question])
  })

  it('fail when the host closes its end', async () => {
    const host = start([steps.ask({ toolName: 'Bash' })])
    host.user('x')
    await host.request('can_use_tool')
    expect(await host.end()).toEqual({ code: 0, signal: null })
    expect((await toolResult(host)).content).toMatch(/stream closed/)
  })

  it('to hooks use the ids that the host registered', async () => {
    const hook = steps.hook({ event: 'PreToolUse', callbackIndex: 1, input: { tool_name: 'Bash' } })
    const host = start([hook, steps.hook({ event: 'Stop' })], { onRequest: () => ({ decision: 'block' }) })
    const hooks = { PreToolUse: [{ hookCallbackIds: ['h0'] }, { matcher: 'Bash', hookCallbackIds: ['h1'] }] }
    host.control('i', { subtype: 'initialize', hooks })
    host.user('x')
    await host.result()
    const calls = host.frames.filter((frame) => frame.request?.subtype === 'hook_callback')
    expect(calls).toHaveLength(1)
    expect(calls[0].request).toMatchObject({
      callback_id: 'h1',
      input: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
    })
    const report = await host.frame((frame) => frame.subtype === 'informational')
    expect(report.content).toMatch(/^hook PreToolUse: .*"decision":"block"/)
  })

  it('of MCP servers are answered by the host', async () => {
    const answer = { action: 'accept', content: { name: 'Bob' } }
    const host = start([steps.elicit({ server: 'ext', message: 'Your name?' })], { onRequest: () => answer })
    host.user('x')
    await host.result()
    expect(await host.request('elicitation')).toMatchObject({
      request: { mcp_server_name: 'ext', message: 'Your name?', mode: 'form' },
    })
    expect((await host.frame((frame) => frame.subtype === 'informational')).content).toMatch(/Bob/)
  })
})

describe('an interrupt', () => {
  it('cancels a question, then answers, then ends the turn', async () => {
    const host = start({ turns: [[steps.ask({ toolName: 'Bash' })], [steps.say('second')]] })
    host.user('x', 'u-1')
    await host.request('can_use_tool')
    const from = host.frames.length
    host.control('stop', { subtype: 'interrupt' })
    await host.state('idle')
    expect(host.frames.slice(from).map((frame) => frame.type)).toEqual([
      'control_cancel_request',
      'control_response',
      'system',
      'user',
      'user',
      'result',
      'command_lifecycle',
      'system',
    ])
    expect((await host.response('stop')).response).toEqual({ still_queued: [] })
    expect(await host.result()).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_tools',
    })
    host.user('y')
    expect(await host.result(1)).toMatchObject({ subtype: 'success', result: 'second' })
    expect(await host.end()).toEqual({ code: 0, signal: null })
  })

  it('cancels a tool call by notification', async () => {
    const host = start([steps.tool({ server: 's', name: 'echo' })])
    host.control('i', initializeWith('s'))
    host.user('x')
    const call = await host.request('mcp_message')
    host.control('stop', { subtype: 'interrupt' })
    const cancel = await host.request('mcp_message', 1)
    expect(cancel.request.message).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: call.request.message.id },
    })
    expect(await host.result()).toMatchObject({ terminal_reason: 'aborted_tools' })
    expect(await host.end()).toEqual({ code: 1, signal: null })
  })

  it('ends plain waiting as aborted_streaming, and cancels what is queued if told to', async () => {
    const host = start([steps.say('a'), steps.wait(60_000), steps.say('b')])
    host.user('x', 'u-1')
    host.user('y', 'u-2')
    await host.frame((frame) => frame.type === 'assistant')
    host.control('stop', { subtype: 'interrupt', cancel_queued: true })
    expect((await host.response('stop')).response).toEqual({ still_queued: [], cancelled: ['u-2'] })
    expect(await host.result()).toMatchObject({ terminal_reason: 'aborted_streaming' })
    await host.state('idle')
    expect(host.frames.filter((frame) => frame.type === 'result')).toHaveLength(1)
  })

  it('is harmless when idle, and names what is still queued', async () => {
    const host = start({ turns: [[steps.wait(60_000)], [steps.say('b')]] })
    host.control('idle', { subtype: 'interrupt' })
    expect((await host.response('idle')).response).toEqual({ still_queued: [] })
    host.user('x', 'u-1')
    host.user('y', 'u-2')
    await host.frame((frame) => frame.subtype === 'init')
    host.control('busy', { subtype: 'interrupt' })
    expect((await host.response('busy')).response).toEqual({ still_queued: ['u-2'] })
    expect(await host.result(1)).toMatchObject({ result: 'b' })
  })
})

describe('control requests', () => {
  it('are answered as the CLI answers them', async () => {
    const host = start([])
    host.control('model', { subtype: 'set_model', model: 'm-2' })
    host.control('mode', { subtype: 'set_permission_mode', mode: 'acceptEdits' })
    host.control('bypass', { subtype: 'set_permission_mode', mode: 'bypassPermissions' })
    host.control('bad', { subtype: 'set_permission_mode', mode: 'nope' })
    host.control('usage', { subtype: 'get_context_usage' })
    host.control('odd', { subtype: 'toString' })
    expect((await host.response('model')).response).toEqual({ model: 'm-2' })
    expect((await host.response('mode')).response).toEqual({ mode: 'acceptEdits' })
    expect(await host.response('bypass')).toMatchObject({ error_code: 'bypass_not_launched' })
    expect(await host.response('bad')).toMatchObject({ error_code: 'invalid_mode' })
    expect((await host.response('usage')).response).toHaveProperty('totalTokens')
    expect(await host.response('odd')).toEqual({
      subtype: 'error',
      request_id: 'odd',
      error: 'Unsupported control request subtype: toString',
      error_code: 'unsupported_request',
    })
    host.user('x')
    expect(await host.frame((frame) => frame.subtype === 'init')).toMatchObject({
      model: 'm-2',
      permissionMode: 'acceptEdits',
    })
  })

  it('change the servers, which are then asked for their tools', async () => {
    const host = start([], { onRequest: echoServer })
    host.control('i', initializeWith('fixed'))
    const servers = { late: { type: 'sdk', name: 'late' }, ext: { type: 'stdio', command: 'x' } }
    host.control('set', { subtype: 'mcp_set_servers', servers })
    expect((await host.response('set')).response).toEqual({
      added: ['late', 'ext'],
      removed: ['fixed'],
      errors: {},
    })
    host.user('x')
    const init = await host.frame((frame) => frame.subtype === 'init')
    expect(init.tools).toContain('mcp__late__echo')
    expect(init.tools).not.toContain('mcp__fixed__echo')
    host.control('one', { subtype: 'mcp_set_servers', servers: { late: { type: 'sdk', name: 'late' } } })
    expect((await host.response('one')).response).toEqual({ added: [], removed: ['ext'], errors: {} })
    host.control('status', { subtype: 'mcp_status' })
    const { mcpServers } = (await host.response('status')).response
    expect(mcpServers).toMatchObject([{ name: 'late', status: 'connected', tools: [{ name: 'echo' }] }])
    host.control('ghost', { subtype: 'mcp_toggle', serverName: 'ghost', enabled: false })
    expect(await host.response('ghost')).toMatchObject({ error: 'Server not found: ghost' })
  })

  it('list the tools of a server again when the host says that they changed', async () => {
    let tools = [{ name: 'one' }]
    const host = start([], {
      onRequest: (request) => ({
        mcp_response: { jsonrpc: '2.0', id: request.message.id, result: { tools } },
      }),
    })
    host.control('i', initializeWith('s'))
    tools = [{ name: 'two' }]
    const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    host.control('changed', { subtype: 'mcp_message', server_name: 's', message })
    host.user('x')
    const init = await host.frame((frame) => frame.subtype === 'init')
    expect(init.tools).toContain('mcp__s__two')
    expect(init.tools).not.toContain('mcp__s__echo')
  })

  it('end the session', async () => {
    const host = start([steps.result({ is_error: true })])
    host.user('x')
    await host.result()
    host.control('end', { subtype: 'end_session' })
    expect(await host.exited).toEqual({ code: 0, signal: null })
    expect((await host.response('end')).subtype).toBe('success')
  })

  it('are answered late, twice, never, with an error or a value, as the scenario says', async () => {
    const host = start({
      answers: {
        set_model: { late: 60 },
        mcp_status: 'twice',
        get_settings: 'never',
        list_models: 'error',
        stop_task: { error: 'busy', code: 'task_busy' },
        made_up: { value: { fine: true } },
        get_usage: ['never', { value: 1 }],
      },
    })
    const subtypes = ['set_model', 'mcp_status', 'get_settings', 'list_models', 'stop_task', 'made_up']
    for (const subtype of subtypes) host.control(subtype, { subtype })
    host.control('usage-1', { subtype: 'get_usage' })
    host.control('usage-2', { subtype: 'get_usage' })
    await host.response('set_model')
    const responses = host.frames.filter((frame) => frame.type === 'control_response')
    expect(responses.map((frame) => frame.response.request_id)).toEqual([
      'mcp_status',
      'mcp_status',
      'list_models',
      'stop_task',
      'made_up',
      'usage-2',
      'set_model',
    ])
    expect(await host.response('list_models')).toMatchObject({ subtype: 'error' })
    expect(await host.response('stop_task')).toMatchObject({ error: 'busy', error_code: 'task_busy' })
    expect((await host.response('made_up')).response).toEqual({ fine: true })
  })

  it('ignore responses to nothing', async () => {
    const host = start([steps.say('fine')])
    host.respond('nobody', { a: 1 })
    host.user('x')
    expect(await host.result()).toMatchObject({ result: 'fine' })
  })
})

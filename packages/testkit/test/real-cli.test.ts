import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  apiError,
  cut,
  hang,
  type Offline,
  realCliPath,
  reply,
  type Script,
  type StartOfflineOptions,
  type Step,
  startOffline,
  text,
  thinking,
  toolUse,
} from '../src/index.ts'
import { type CliMessage, converseWithRealCli, runRealCli, userLine } from './run-real-cli.ts'

let offline: Offline

async function run(script: Script, args: string[] = [], options: StartOfflineOptions = {}) {
  offline = await startOffline(script, { sandbox: true, ...options })
  return await runRealCli(offline, ['-p', 'hi there', '--permission-mode=bypassPermissions', ...args])
}

const contentOf = (messages: CliMessage[], type: string) =>
  messages.filter((message) => message.type === type).flatMap((message) => message.message?.content ?? [])

const retriesOf = (messages: CliMessage[]) =>
  messages.filter((message) => message.subtype === 'api_retry').map((message) => message.error_status)

describe('a session of the real CLI on a scripted model', () => {
  const command = 'echo marker-$((40 + 2))'
  /** What the model does at each prompt, one turn after the other. */
  const scripts: Record<string, Step[]> = {
    text: ['hello from the script'],
    tool: [
      reply(
        [thinking('a tool will do'), text('Running it.'), toolUse('Bash', { command, description: 'echo' })],
        { deltaSize: 5, deltaDelayMs: 1 },
      ),
      'done',
    ],
    'several tools': [
      [
        toolUse('Bash', { command: 'echo one' }, 'toolu_one'),
        toolUse('Bash', { command: 'echo two' }, 'toolu_two'),
      ],
      'done',
    ],
    'a 429': [apiError(429), 'recovered'],
    'a 500': [apiError(500), 'recovered'],
    'a 529': [apiError(529), 'recovered'],
    'a cut after undefined deltas': [cut({}), 'once more'],
    'a cut after 3 deltas': [cut({ afterDeltas: 3 }), 'once more'],
  }
  let shared: Offline
  let turns: CliMessage[][]
  beforeAll(async () => {
    shared = await startOffline(Object.values(scripts).flat(), { sandbox: true })
    const args = ['--permission-mode=bypassPermissions']
    turns = await converseWithRealCli(shared, args, Object.keys(scripts))
  })
  afterAll(() => shared?.dispose())

  /** The turn of this prompt: what the CLI said of it, how it ended, and what it asked the model. */
  function turn(prompt: string) {
    const messages = turns[Object.keys(scripts).indexOf(prompt)] ?? []
    const requests = shared.model.requests.filter(({ lastUserText }) => lastUserText === prompt)
    return { messages, requests, result: messages.findLast((message) => message.type === 'result') }
  }

  it('says a scripted text', () => {
    const { result, requests } = turn('text')
    expect(result).toMatchObject({ subtype: 'success', is_error: false, result: 'hello from the script' })
    const [request] = requests
    expect(request).toMatchObject({ kind: 'main', lastUserText: 'text', answered: true, aborted: false })
    expect(request!.toolNames).toContain('Bash')
    expect(request!.system).toContain('agent')
    expect(request!.sessionId).toBe(result!.session_id)
    expect(shared.model.problems).toEqual([])
  })

  it('thinks, runs a tool and hands its result back', () => {
    const { messages, result, requests } = turn('tool')
    expect(result!.result).toBe('done')
    const said = contentOf(messages, 'assistant')
    expect(said.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use', 'text'])
    expect(said[0]).toMatchObject({ thinking: 'a tool will do' })
    expect(said[2]).toMatchObject({ name: 'Bash', input: { command } })
    const { toolResults } = requests[1]!
    expect(toolResults).toMatchObject([{ text: 'marker-42', isError: false, toolUseId: said[2]!.id }])
  })

  it('runs several tool uses of one reply', () => {
    // They run at the same time, and the results come in the order in which they ended.
    const results = turn('several tools').requests[1]!.toolResults.map((entry) => [
      entry.toolUseId,
      entry.text,
    ])
    expect(results.toSorted()).toEqual([
      ['toolu_one', 'one'],
      ['toolu_two', 'two'],
    ])
  })

  it.each([429, 500, 529])('asks again after a %i', (status) => {
    const { messages, result } = turn(`a ${status}`)
    expect(result!.result).toBe('recovered')
    expect(retriesOf(messages)).toEqual([status])
  })

  it.each([undefined, 3])('asks again after a connection cut after %s deltas', (afterDeltas) => {
    const { messages, result } = turn(`a cut after ${afterDeltas} deltas`)
    expect(result!.result).toBe('once more')
    expect(retriesOf(messages)).toEqual([null])
  })
})

describe('the real CLI on a scripted model', () => {
  afterEach(() => offline.dispose())

  it('ends with 0 when it has said what it was told to', async () => {
    const { exitCode, result } = await run(['hello'])
    expect(exitCode).toBe(0)
    expect(result).toMatchObject({ subtype: 'success', result: 'hello' })
    expect(offline.model.requests[0]).toMatchObject({ lastUserText: 'hi there' })
  })

  it('gives up on a 401 that stays', async () => {
    const refusal = apiError(401, 'invalid x-api-key', {
      sticky: true,
      headers: { 'x-should-retry': 'false' },
    })
    const { exitCode, result } = await run([refusal])
    expect(exitCode).toBe(1)
    expect(result).toMatchObject({ is_error: true, result: expect.stringContaining('Invalid API key') })
    expect(offline.model.requests).toHaveLength(1)
  })

  it('gives up on a 400 that stays, after asking with fewer beta headers', async () => {
    const { result } = await run([apiError(400, 'that is not how to ask', { sticky: true })])
    expect(result).toMatchObject({
      is_error: true,
      result: expect.stringContaining('that is not how to ask'),
    })
    const betas = offline.model.requests.map((request) => String(request.headers['anthropic-beta']).length)
    expect(betas.length).toBeGreaterThan(1)
    expect(betas).toEqual(betas.toSorted((a, b) => b - a))
  })

  it('asks without streaming after an error inside a stream', async () => {
    const { result } = await run([apiError(529, 'Overloaded', { afterDeltas: 2 }), 'in one piece'])
    expect(result!.result).toBe('in one piece')
    expect(offline.model.requests.map((request) => request.body.stream)).toEqual([true, false])
  })

  it('shows that the script ran out', async () => {
    const { exitCode, result } = await run([toolUse('Bash', { command: 'true' })])
    expect(exitCode).toBe(1)
    expect(result!.result).toContain('The script ran out')
    expect(offline.model.problems).toEqual(['The script ran out: it had 1 step, and one more request came'])
  })

  it('offers tool search where it is on', async () => {
    await run(['x'])
    const without = offline.model.requests[0]!.toolNames
    await offline.dispose()
    await run(['x'], [], { toolSearch: true })
    const withSearch = offline.model.requests[0]!.toolNames
    expect(without).not.toContain('ToolSearch')
    expect(withSearch).toContain('ToolSearch')
    expect(withSearch.length).toBeLessThan(without.length)
  })
})

describe('requests of the real CLI', () => {
  afterEach(() => offline.dispose())

  const control = (request: object) => ({ type: 'control_request', request_id: 'r1', request })
  const kinds = () => offline.model.requests.map((request) => request.kind)
  const streaming = ['--input-format=stream-json', '--permission-mode=bypassPermissions']

  it('for a session title do not use up a step', async () => {
    offline = await startOffline(['to the agent'], { sandbox: true })
    const title = control({
      subtype: 'generate_session_title',
      description: 'a long enough description',
      persist: false,
    })
    const until = ['result', 'control_response'].map((type) => (message: CliMessage) => message.type === type)
    const lines = [title, userLine('hello')]
    const { messages, result } = await runRealCli(offline, streaming, { lines, until })
    expect(result!.result).toBe('to the agent')
    expect(kinds().toSorted()).toEqual(['main', 'side'])
    const answer = messages.find((message) => message.type === 'control_response')
    expect(answer).toMatchObject({ response: { subtype: 'success', response: { title: 'Scripted answer' } } })
  })

  it('to compact the conversation do not use up a step', async () => {
    offline = await startOffline(['first', 'after'], { sandbox: true })
    const { messages, result } = await runRealCli(offline, streaming, {
      lines: [userLine('hello'), userLine('/compact'), userLine('more')],
    })
    expect(result!.result).toBe('after')
    expect(kinds()).toEqual(['main', 'side', 'main'])
    expect(messages.some((message) => message.subtype === 'compact_boundary')).toBe(true)
  })

  it('for a web search do not use up a step', async () => {
    const { result } = await run([toolUse('WebSearch', { query: 'anything' }), 'found'])
    expect(result!.result).toBe('found')
    expect(kinds()).toEqual(['main', 'side', 'main'])
  })

  it('are the main agent’s without tools too', async () => {
    const { result } = await run(['bare'], ['--tools=', '--system-prompt=You are X'])
    expect(result!.result).toBe('bare')
    expect(kinds()).toEqual(['main'])
    expect(offline.model.requests[0]!.system).toContain('You are X')
  })

  it('of a subagent say so', async () => {
    const task = {
      description: 'd',
      prompt: 'look',
      subagent_type: 'general-purpose',
      run_in_background: false,
    }
    const { result } = await run((request) => {
      if (request.kind === 'subagent') return `looked at ${request.lastUserText}`
      return request.toolResults[0]?.text ?? toolUse('Agent', task)
    })
    expect(result!.result).toContain('looked at look')
    expect(kinds()).toEqual(['main', 'subagent', 'main'])
  })
})

describe('a CLI that is going away', () => {
  afterEach(() => offline.dispose())

  it('aborts its request and does not outlive the folders', async () => {
    offline = await startOffline([hang({ afterDeltas: 2 })])
    const child = spawn(realCliPath(), ['-p', 'hi'], { env: offline.env, cwd: offline.cwd, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const request = await offline.model.waitForRequest(1, { timeoutMs: 20_000 })
    child.kill('SIGTERM')
    await offline.dispose()
    await ended
    expect(request).toMatchObject({ aborted: true, answered: false })
    expect(existsSync(offline.home)).toBe(false)
  })
})

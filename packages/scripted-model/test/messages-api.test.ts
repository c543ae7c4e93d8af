import { afterEach, describe, expect, it } from 'vitest'
import {
  apiError,
  cut,
  hang,
  reply,
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
  text,
  thinking,
  toolUse,
} from '../src/index.ts'

let model: ScriptedModel

afterEach(async () => {
  await model.close()
})

async function start(script: Script, options?: ScriptedModelOptions): Promise<void> {
  model = await startScriptedModel(script, options)
}

interface Ask {
  stream?: boolean
  signal?: AbortSignal
  headers?: Record<string, string>
  [field: string]: unknown
}

function ask({ signal, headers, ...fields }: Ask = {}): Promise<Response> {
  const body = {
    model: 'claude-test',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hi' }],
    ...fields,
  }
  return fetch(`${model.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
}

interface Event {
  type: string
  delta?: { text?: string }
  [field: string]: unknown
}

function parseEvents(stream: string): Event[] {
  return stream
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [name, data] = block.split('\n')
      const event = JSON.parse(data!.slice('data: '.length)) as Event
      expect(name).toBe(`event: ${event.type}`)
      return event
    })
}

const textOf = (events: Event[]) => events.map((event) => event.delta?.text ?? '').join('')

describe('a message', () => {
  it('is streamed as server-sent events', async () => {
    await start([reply([text('hello, '), text('wörld 🎈')], { deltaSize: 3 })])
    const response = await ask({ stream: true })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('request-id')).toMatch(/^req_/)
    const events = parseEvents(await response.text())
    expect(textOf(events)).toBe('hello, wörld 🎈')
    expect(events[0]).toMatchObject({ message: { id: expect.stringMatching(/^msg_01\w{22}$/) } })
    expect(events.at(-1)).toEqual({ type: 'message_stop' })
  })

  it('is one JSON object where streaming is not asked for', async () => {
    await start([[thinking('hm', 'sig'), text('hi'), toolUse('Bash', { command: 'ls' })]])
    const message = (await (await ask()).json()) as { content: unknown[] }
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'text', text: 'hi' },
        {
          type: 'tool_use',
          name: 'Bash',
          input: { command: 'ls' },
          id: expect.stringMatching(/^toolu_01\w{22}$/),
        },
      ],
    })
  })

  it('has an id of its own each time, and usage that can be set', async () => {
    const usage = { output_tokens: 7, cache_read_input_tokens: 1000 }
    await start(() => reply([toolUse('Bash')], { usage, stopReason: 'max_tokens' }))
    const first = (await (await ask()).json()) as { id: string; content: { id: string }[] }
    const second = (await (await ask()).json()) as typeof first
    expect(first).toMatchObject({ usage, stop_reason: 'max_tokens' })
    expect(first.id).not.toBe(second.id)
    expect(first.content[0]!.id).not.toBe(second.content[0]!.id)
  })

  it('arrives delta by delta where a delay is set', async () => {
    await start([reply(['abc'], { deltaSize: 1, deltaDelayMs: 20, delayMs: 5 })])
    const chunks: string[] = []
    const decoder = new TextDecoder()
    const { body } = await ask({ stream: true })
    for await (const chunk of body!) chunks.push(decoder.decode(chunk))
    expect(chunks.length).toBeGreaterThanOrEqual(3)
    expect(textOf(parseEvents(chunks.join('')))).toBe('abc')
  })

  it('of several megabytes is complete', async () => {
    const long = 'x'.repeat(3_000_000)
    await start([reply([long], { deltaSize: 1000 })])
    expect(textOf(parseEvents(await (await ask({ stream: true })).text()))).toBe(long)
  })
})

describe('an error', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [529, 'overloaded_error'],
  ])('%i is a %s in the shape of the API', async (status, type) => {
    await start([apiError(status, 'because', { retryAfter: 3, headers: { 'x-should-retry': 'false' } })])
    const response = await ask({ stream: true })
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe('3')
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type, message: 'because' },
      request_id: expect.stringMatching(/^req_/),
    })
  })

  it('can come in the middle of a stream', async () => {
    await start([apiError(529, undefined, { afterDeltas: 2 })])
    const events = parseEvents(await (await ask({ stream: true })).text())
    expect(events.filter((event) => event.type === 'content_block_delta')).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
  })

  it('says that the script ran out', async () => {
    await start(['only one'])
    await (await ask()).text()
    const response = await ask()
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('ran out') } })
    expect(model.problems).toHaveLength(1)
  })
})

describe('a cut', () => {
  it('breaks the stream off after the deltas asked for', async () => {
    await start([cut({ afterDeltas: 2, blocks: [text('abcdef')], deltaSize: 2 })])
    const { body } = await ask({ stream: true })
    let received = ''
    const reading = (async () => {
      for await (const chunk of body!) received += new TextDecoder().decode(chunk)
    })()
    await expect(reading).rejects.toThrow()
    expect(textOf(parseEvents(received))).toBe('abcd')
    expect(model.requests[0]).toMatchObject({ answered: true, aborted: false })
  })

  it('without deltas leaves the request unanswered', async () => {
    await start([cut()])
    await expect(ask({ stream: true })).rejects.toThrow()
  })

  it('never sends the end of a message, however many deltas it waits for', async () => {
    await start([cut({ afterDeltas: 100, blocks: [text('ab')] })])
    const { body } = await ask({ stream: true })
    let received = ''
    await expect(
      (async () => {
        for await (const chunk of body!) received += new TextDecoder().decode(chunk)
      })(),
    ).rejects.toThrow()
    expect(received).not.toContain('message_stop')
  })

  it('breaks a JSON answer off too', async () => {
    await start([cut({ afterDeltas: 1 })])
    const response = await ask()
    await expect(response.json()).rejects.toThrow()
  })
})

describe('a hang', () => {
  it('is over when the client goes away, and the request says so', async () => {
    await start([hang({ afterDeltas: 1 }), 'next'])
    const controller = new AbortController()
    const response = await ask({ stream: true, signal: controller.signal })
    const request = await model.waitForRequest(1)
    const gone = new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    expect(request.aborted).toBe(false)
    await response.body!.getReader().read()
    controller.abort()
    await gone
    expect(request).toMatchObject({ aborted: true, answered: false })
    expect((await ask()).status).toBe(200)
  })

  it('does not hold up close', async () => {
    await start([hang()])
    const asking = ask({ stream: true })
    const request = await model.waitForRequest(1)
    await model.close()
    await expect(asking).rejects.toThrow()
    expect(request.answered).toBe(false)
    await expect(ask()).rejects.toThrow()
    await model.close()
  })

  it('leaves other requests alone', async () => {
    await start([hang(), 'second'])
    const controller = new AbortController()
    const hanging = ask({ signal: controller.signal }).catch(() => 'aborted')
    await model.waitForRequest(1)
    expect(await (await ask()).json()).toMatchObject({ content: [{ text: 'second' }] })
    controller.abort()
    expect(await hanging).toBe('aborted')
  })
})

describe('requests', () => {
  it('are kept with their body, headers and time, and can be waited for', async () => {
    await start((request) => `tools: ${request.toolNames.join()}`)
    const later = model.waitForRequest((request) => request.toolNames.includes('late'))
    await (await ask({ tools: [{ name: 'early' }] })).text()
    const answer = await ask({ tools: [{ name: 'late' }], headers: { 'x-claude-code-session-id': 's1' } })
    expect(await answer.json()).toMatchObject({ content: [{ text: 'tools: late' }] })
    const request = await later
    expect(request).toBe(model.requests[1])
    expect(await model.waitForRequest(2)).toBe(request)
    expect(request.sessionId).toBe('s1')
    expect(request.body.max_tokens).toBe(100)
    expect(request.receivedAt).toBeGreaterThanOrEqual(model.requests[0]!.receivedAt)
    expect(request.reply).toMatchObject({ kind: 'message' })
  })

  it('that do not come are an error that says what came', async () => {
    await start(['a'])
    await (await ask()).text()
    await expect(model.waitForRequest(2, { timeoutMs: 20 })).rejects.toThrow('these came: main')
    const waiting = model.waitForRequest(2)
    await Promise.all([expect(waiting).rejects.toThrow('closed'), model.close()])
  })

  it('of the CLI itself do not use up a step', async () => {
    const headers = { 'user-agent': 'claude-cli/2.1.325' }
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, ok: { type: 'boolean' }, rest: { type: 'string' } },
      required: ['title', 'ok'],
    }
    await start(['for the agent'])
    const side = await ask({ headers, tools: [], output_config: { format: { type: 'json_schema', schema } } })
    const { content } = (await side.json()) as { content: { text: string }[] }
    expect(JSON.parse(content[0]!.text)).toEqual({ title: expect.any(String), ok: false })
    expect(model.requests[0]!.kind).toBe('side')
    expect(model.remaining).toBe(1)
    const first = model.waitForRequest(1)
    await (await ask()).text()
    expect(await first).toBe(model.requests[1])
  })

  it('of the CLI itself can be answered by a function', async () => {
    await start([], { side: () => 'my title' })
    const answer = await ask({ headers: { 'user-agent': 'claude-cli/2.1.325' } })
    expect(await answer.json()).toMatchObject({ content: [{ text: 'my title' }] })
  })
})

describe('other routes', () => {
  const post = (path: string, body: string) => fetch(model.url + path, { method: 'POST', body })

  it('count tokens: alike for the same body, more for a longer one', async () => {
    await start([])
    const count = async (content: string) => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
      return ((await (await post('/v1/messages/count_tokens', body)).json()) as { input_tokens: number })
        .input_tokens
    }
    expect(await count('hello')).toBe(await count('hello'))
    expect(await count('hello'.repeat(100))).toBeGreaterThan((await count('hello')) + 100)
    expect(model.requests).toHaveLength(0)
  })

  it.each(['{"model": ', '[]', 'null', '{"messages": []}', '{"model": "m"}'])(
    'refuse the body %s',
    async (body) => {
      await start(['x'])
      for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
        const response = await post(path, body)
        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject({
          type: 'error',
          error: { type: 'invalid_request_error' },
        })
      }
      expect(model.remaining).toBe(1)
    },
  )

  it('list models and answer the probes of the CLI', async () => {
    await start([])
    const page = (await (await fetch(`${model.url}/v1/models?limit=1000`)).json()) as {
      data: { id: string }[]
    }
    expect(page.data.length).toBeGreaterThan(0)
    expect((await fetch(`${model.url}/v1/models/${page.data[0]!.id}`)).status).toBe(200)
    expect((await fetch(`${model.url}/v1/models/none`)).status).toBe(404)
    for (const path of ['/', '/api/hello']) {
      expect((await fetch(model.url + path, { method: 'HEAD' })).status).toBe(200)
    }
  })

  it('are not found in the shape of the API', async () => {
    await start([])
    const response = await post('/v1/complete', '{}')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
    expect((await fetch(`${model.url}/v1/messages`)).status).toBe(405)
  })
})

it('listens on loopback only, on the port asked for', async () => {
  await start([])
  expect(model.url).toBe(`http://127.0.0.1:${model.port}`)
  await expect(startScriptedModel([], { port: model.port })).rejects.toThrow('EADDRINUSE')
})

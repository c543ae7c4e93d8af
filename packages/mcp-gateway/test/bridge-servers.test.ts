import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBridge, type JsonRpcMessage, type ServerEntry, type Supervisor } from '../src/index.ts'
import { type GatewayFixture, gatewayFixture, inState, plainEntry } from './support/gateway-fixture.ts'
import { realEntry } from './support/real-servers.ts'

interface Content {
  type: string
  text?: string
  data?: string
  mimeType?: string
}

/** One session's side of a bridged server, as the CLI would use it. */
function openSession(supervisor: Supervisor, entry: ServerEntry, sessionId = 's1') {
  const sent: JsonRpcMessage[] = []
  const watchers = new Set<() => void>()
  const hold = supervisor.hold(entry, { id: sessionId })
  const connection = createBridge({ name: entry.name, hold: () => hold }).connect({
    sessionId,
    send(message) {
      sent.push(message)
      for (const watcher of [...watchers]) watcher()
    },
  })
  let lastId = 0
  const ask = async (method: string, params: Record<string, unknown> = {}) => {
    const response = await connection.handle({ jsonrpc: '2.0', id: ++lastId, method, params })
    if (response?.error) throw new Error(`${response.error.code} ${response.error.message}`)
    return response?.result as Record<string, unknown>
  }
  return {
    hold,
    sent,
    connection,
    ask,
    lastId: () => lastId,
    call: (name: string, args: Record<string, unknown> = {}, _meta: Record<string, unknown> = {}) =>
      ask('tools/call', { name, arguments: args, _meta }) as Promise<{
        content: Content[]
        structuredContent?: unknown
        isError?: boolean
      }>,
    toolNames: async () => ((await ask('tools/list')).tools as { name: string }[]).map((tool) => tool.name),
    /** Resolves when such a notification is there. */
    notified: (method: string) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!sent.some((message) => message.method === method)) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      }),
  }
}

let fixture: GatewayFixture
let supervisor: Supervisor
beforeEach(() => {
  fixture = gatewayFixture()
  supervisor = fixture.supervisor()
})
afterEach(() => fixture.end())

describe('server-everything', () => {
  it('comes late with its tools, and everything of it goes through', async () => {
    const session = openSession(supervisor, realEntry('everything'))
    const { toolsListResult, initializeResult } = await session.connection.manifest()
    expect(toolsListResult.tools).toEqual([])
    expect(initializeResult).not.toHaveProperty('instructions')
    await session.notified('notifications/tools/list_changed')
    expect(session.hold.catalogue().faults).toEqual([])
    expect(await session.toolNames()).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']))

    expect((await session.call('echo', { message: 'hi' })).content).toEqual([
      { type: 'text', text: 'Echo: hi' },
    ])
    const image = (await session.call('get-tiny-image')).content.find((block) => block.type === 'image')
    expect(image?.mimeType).toBe('image/png')
    expect(
      Buffer.from(image?.data ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    const structured = await session.call('get-structured-content', { location: 'New York' })
    expect(structured.structuredContent).toMatchObject({ temperature: expect.any(Number) })
    const refused = await session.call('get-sum', { a: 'one' })
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/\S/) }] })

    const again = (await session.ask('initialize', { protocolVersion: '2025-06-18' })) as {
      capabilities: Record<string, unknown>
      instructions?: string
    }
    expect(again.capabilities).toHaveProperty('resources')
    expect(again.instructions).toMatch(/\S/)
  })

  it('reports progress with the token of the caller, and stops when the call is cancelled', async () => {
    const session = openSession(supervisor, realEntry('everything'))
    await inState(session.hold, 'connected')
    const slow = { duration: 0.4, steps: 2 }
    const done = await session.call('trigger-long-running-operation', slow, { progressToken: 'mine' })
    expect(done.isError).toBeFalsy()
    const progress = session.sent.filter((message) => message.method === 'notifications/progress')
    expect(progress[0]?.params).toMatchObject({ progressToken: 'mine', progress: 1, total: 2 })

    const endless = session.call(
      'trigger-long-running-operation',
      { duration: 3600, steps: 36_000 },
      { progressToken: 2 },
    )
    const failed = endless.catch((error: Error) => error.message)
    const id = session.lastId()
    void session.connection.handle({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id },
    })
    expect(await failed).toMatch(/-32800/)
    expect((await session.call('echo', { message: 'still here' })).content[0]?.text).toBe('Echo: still here')
  })

  it('offers its resources and prompts', async () => {
    const session = openSession(supervisor, realEntry('everything'))
    await inState(session.hold, 'connected')
    const { resources } = (await session.ask('resources/list')) as { resources: { uri: string }[] }
    const uri = resources[0]?.uri ?? ''
    const { contents } = (await session.ask('resources/read', { uri })) as { contents: { uri: string }[] }
    expect(contents[0]?.uri).toBe(uri)
    const { resourceTemplates } = await session.ask('resources/templates/list')
    expect(resourceTemplates).not.toEqual([])
    const { prompts } = (await session.ask('prompts/list')) as { prompts: { name: string }[] }
    expect(prompts.map((prompt) => prompt.name)).toContain('simple-prompt')
    expect(await session.ask('prompts/get', { name: 'simple-prompt' })).toHaveProperty('messages')
    expect(await session.ask('resources/subscribe', { uri })).toEqual({})
    await expect(session.ask('resources/read', { uri: 'nowhere://x' })).rejects.toThrow(/^-32/)
  })
})

describe('server-filesystem and server-memory', () => {
  it('read and write what they are allowed to, for two sessions with one process', async () => {
    const folder = join(fixture.dir, 'files')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.txt'), 'from a file')
    const entry = realEntry('filesystem', [folder])
    const [first, second] = ['s1', 's2'].map((id) => openSession(supervisor, entry, id))
    if (!first || !second) throw new Error('two sessions')
    await Promise.all([first, second].map((session) => inState(session.hold, 'connected')))
    expect(first.hold.catalogue().faults).toEqual([])
    const read = { path: join(folder, 'a.txt') }
    const answers = await Promise.all([
      first.call('read_text_file', read),
      second.call('write_file', { path: join(folder, 'b.txt'), content: 'from a session' }),
    ])
    expect(answers[0].content[0]?.text).toBe('from a file')
    expect(answers[1].isError).toBeFalsy()
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('from a session')
    expect(await second.call('read_text_file', { path: '/etc/passwd' })).toMatchObject({ isError: true })
    expect(first.hold.status().pids).toHaveLength(1)
    expect(second.hold.status().pids).toEqual(first.hold.status().pids)
  })

  it('remember for all sessions that share them', async () => {
    const env = { MEMORY_FILE_PATH: join(fixture.dir, 'memory.jsonl') }
    const entry = realEntry('memory', [], { env })
    const [first, second] = ['s1', 's2'].map((id) => openSession(supervisor, entry, id))
    if (!first || !second) throw new Error('two sessions')
    await inState(first.hold, 'connected')
    expect(first.hold.catalogue().faults).toEqual([])
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }]
    await first.call('create_entities', { entities })
    const { content, structuredContent } = await second.call('read_graph')
    expect(content[0]?.text).toContain('Ada')
    expect(structuredContent).toMatchObject({ entities: [{ name: 'Ada' }] })
  })
})

describe('a server that changes, fails or hangs', () => {
  it('brings a new tool while sessions run, and keeps its tools while it is away', async () => {
    const session = openSession(supervisor, plainEntry())
    await session.connection.manifest()
    await session.notified('notifications/tools/list_changed')
    session.sent.length = 0
    await session.call('grow', { name: 'grown' })
    await session.notified('notifications/tools/list_changed')
    expect(await session.toolNames()).toContain('grown')
    const died = session.call('crash')
    expect(await died).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Tool 'crash'/) }],
    })
    expect(await session.toolNames()).toContain('echo')
  })

  it('holds up neither the start of a session nor its end', async () => {
    const session = openSession(supervisor, plainEntry({ server: { hang: true } }))
    expect((await session.connection.manifest()).toolsListResult.tools).toEqual([])
    expect(await session.call('echo')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('not connected now (pending)') }],
    })
    session.connection.close()
  })
})

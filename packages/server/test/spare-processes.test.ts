/** Processes that are started before anybody writes: what they are used for, when they end, and what is left of them. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApiClient, type EndpointBody } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CliProcess, cliProcesses, until } from './support/cli-processes.ts'
import { Conversation } from './support/conversation.ts'
import { Prompts } from './support/prompts.ts'
import { createShiftingClock } from './support/shifting-clock.ts'
import { type SpawnedHost, spawnHost } from './support/spawn-host.ts'
import { type Host, type HostOptions, startHost } from './support/start-host.ts'
import { trustWorkspace } from './support/trust-workspace.ts'

const minute = 60_000
const waiting = { timeout: minute, interval: 20 }
const prompts = new Prompts()
const clock = createShiftingClock()
let host: Host
const open: Conversation[] = []
afterEach(async () => {
  for (const { watch } of open.splice(0)) await watch.close()
  await host?.close()
})

async function start(options: HostOptions = {}): Promise<void> {
  host = await startHost(prompts.script, {
    clock,
    ...options,
    env: { DORKOS_SPARE_PROCESSES: '2', ...options.env },
  })
}

/** The spare process of the main workspace, which is there soon after a start. */
async function spareOfMain(): Promise<CliProcess> {
  const [spare] = await vi.waitUntil(() => {
    const found = processes()
    return found.length === 1 && found
  }, waiting)
  if (!spare) throw new Error('there is no spare process')
  return spare
}

const processes = () => cliProcesses(host.root)
const pids = () => processes().map(({ pid }) => pid)
const isReady = () => readFileSync(host.server.logFile, 'utf8').includes('a process is ready')
const isGone = (pid: number) => until(() => !pids().includes(pid))
/** Time passes until it is so: what is unused is looked for every quarter of a minute. */
const inTime = (isSo: () => boolean) =>
  until(() => {
    clock.advance(minute / 4)
    return isSo()
  })

async function begin(body: EndpointBody<'createSession'>): Promise<Conversation> {
  const conversation = await Conversation.open(host, body)
  open.push(conversation)
  return conversation
}

async function workspace(name: string, files: Record<string, string> = {}): Promise<string> {
  const path = join(host.root, name)
  mkdirSync(join(path, '.claude'), { recursive: true })
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content)
  return (await host.client.createWorkspace({ body: { path } })).id
}

const transcripts = () => {
  const folder = join(host.root, '.claude', 'projects')
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    : []
}

/** The CLI notes a process with its session once that has begun, and not while it is parked (2.1.325). */
const runsAs = (pid: number) => existsSync(join(host.root, '.claude', 'sessions', `${pid}.json`))

describe('a spare process of the main workspace after a start', () => {
  it('takes the first message, with what the directory holds by then, and asks like any other', async () => {
    await start()
    const spare = await spareOfMain()
    await until(isReady)
    const git = (...args: string[]) => execFileSync('git', args, { cwd: host.cwd })
    git('init', '-q', '-b', 'begun-later')
    writeFileSync(join(host.root, '.claude', 'CLAUDE.md'), 'Written after the process started.')
    const content = prompts.on('hello', toolUse('Bash', { command: 'echo once >> said.txt' }), 'said it')
    const session = await begin({ content })
    expect(session.id).toBe(spare.sessionId)
    expect(await session.answer()).toMatchObject({
      tool: 'Bash',
      input: { command: 'echo once >> said.txt' },
    })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(pids()).toEqual([spare.pid])
    expect(readFileSync(join(host.cwd, 'said.txt'), 'utf8')).toBe('once\n')
    const asked = JSON.stringify(host.model.requests.map((request) => request.body))
    expect(asked).toContain('Written after the process started.')
    expect(asked).toContain('begun-later')
    const { entries } = await host.client.listAudit({ query: { session_id: session.id } })
    expect(entries.filter(({ action }) => action === 'session_created')).toHaveLength(1)
    expect((await host.client.listLedger({ query: {} })).entries).toMatchObject([{ session_id: session.id }])

    expect(await session.say(prompts.on('again', 'and again'))).toMatchObject({ outcome: 'completed' })
    expect(pids()).toEqual([spare.pid])
  })

  it('begins while the first message is written, with what the directory holds then', async () => {
    await start()
    const spare = await spareOfMain()
    await until(isReady)
    const asked = () => JSON.stringify(host.model.requests.map((request) => request.body))
    writeFileSync(join(host.root, '.claude', 'CLAUDE.md'), 'Written before the first word.')
    await host.client.prepareNewSession({ body: { writing: true } })
    await until(() => runsAs(spare.pid))
    expect(transcripts()).toEqual([])
    expect((await host.client.listSessions({ query: {} })).sessions).toEqual([])
    const session = await begin({ content: prompts.on('hello', 'hello yourself') })
    expect(session.id).toBe(spare.sessionId)
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(pids()).toEqual([spare.pid])
    expect(asked()).toContain('Written before the first word.')
  })

  it('is of no use when the message that was begun comes minutes later, and leaves nothing', async () => {
    await start()
    const spare = await spareOfMain()
    await until(isReady)
    await host.client.prepareNewSession({ body: { writing: true } })
    await until(() => runsAs(spare.pid))
    clock.advance(3 * minute)
    const session = await begin({ content: prompts.on('hello', 'hello yourself') })
    expect(session.id).not.toBe(spare.sessionId)
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    await isGone(spare.pid)
    expect(transcripts().map((name) => name.split('/').at(-1))).toEqual([`${session.id}.jsonl`])
  })

  it('ends when nobody looks, and leaves nothing', async () => {
    await start()
    const spare = await spareOfMain()
    expect((await host.client.listSessions({ query: {} })).sessions).toEqual([])
    expect((await host.client.listSessions({ query: { live: 'true' } })).sessions).toEqual([])
    const params = { id: spare.sessionId }
    await expect(host.client.getSession({ params })).rejects.toMatchObject({ code: 'not_found' })
    await expect(host.client.startSession({ params, body: {} })).rejects.toMatchObject({ code: 'not_found' })
    expect(await host.client.getStatus()).toMatchObject({ sessions: { live: 0 } })
    clock.advance(9 * minute)
    clock.advance(2 * minute)
    await inTime(() => !pids().includes(spare.pid))
    expect(transcripts()).toEqual([])
    expect(host.model.requests).toEqual([])
    expect((await host.client.listAudit({ query: {} })).entries.map(({ action }) => action)).not.toContain(
      'session_created',
    )
    await host.restart()
    await expect(host.client.getSession({ params })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is not for a session that is to be another', async () => {
    await start()
    const spare = await spareOfMain()
    const content = prompts.on('other', 'another')
    const session = await begin({ content, model: 'claude-haiku-4-5' })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(session.id).not.toBe(spare.sessionId)
    const own = processes().find(({ sessionId }) => sessionId === session.id)
    expect(own?.args).toContain('--model=claude-haiku-4-5')
    expect(pids()).toContain(spare.pid)
  })

  it('ends with the configuration, and with the workspaces, that it was started under', async () => {
    await start()
    const spare = await spareOfMain()
    await host.client.changeConfig({ body: { set: { 'sessions.maxTurns': 7 } } })
    await isGone(spare.pid)
    await host.client.prepareNewSession({ body: {} })
    const next = await spareOfMain()
    expect(next.args).toContain('--max-turns=7')
    await workspace('another')
    await isGone(next.pid)
  })

  it('makes room at once for a session that works', async () => {
    await start({ config: { sessions: { maxLive: 1 } } })
    const spare = await spareOfMain()
    const session = await begin({ content: prompts.on('work', 'worked'), title: 'its own process' })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(session.watch.of('notice')).toEqual([])
    await isGone(spare.pid)
    // There is no room for one more.
    await host.client.prepareNewSession({ body: {} })
    expect(await session.say(prompts.on('more work', 'worked'))).toMatchObject({ outcome: 'completed' })
    expect(processes().map(({ sessionId }) => sessionId)).toEqual([session.id])
  })
})

describe('a spare process for who looks', () => {
  it('is for the workspace that they are about to start in, and there are as many as configured', async () => {
    await start()
    const main = await spareOfMain()
    const [one, two] = [await workspace('one'), await workspace('two')]
    await isGone(main.pid)
    await host.client.prepareNewSession({ body: { workspace_id: one } })
    await until(() => processes().length === 1)
    await host.client.prepareNewSession({ body: { workspace_id: two } })
    await until(() => processes().length === 2)
    clock.advance(minute)
    const body = { workspace_id: one, permission_mode: 'plan' } as const
    await host.client.prepareNewSession({ body })
    await until(() => processes().some(({ args }) => args.includes('--permission-mode=plan')))
    // The one that made way is about to be gone.
    await until(() => processes().length <= 2)
    const session = await begin({ ...body, content: prompts.on('plan it', 'planned') })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(processes().find(({ sessionId }) => sessionId === session.id)?.args).toContain('--await-claim')
  })

  it('is there as long as they look at a session, and goes on with it', async () => {
    await start({ env: { DORKOS_SPARE_PROCESSES: '1' } })
    await spareOfMain()
    const session = await begin({ content: prompts.on('remember plum', 'plum') })
    await session.endOf(1)
    await host.client.stopSession({ params: session.params, body: {} })
    await until(() => processes().length === 0)
    const before = await session.session()

    await host.client.prepareSession({ params: session.params, body: {} })
    await until(async () => (await session.session()).live)
    const [warm] = processes()
    clock.advance(minute)
    await host.client.prepareSession({ params: session.params, body: {} })
    clock.advance(minute)
    expect(await session.session()).toMatchObject({ live: true, updated_at: before.updated_at })
    expect(await session.say(prompts.on('what was it?', 'a plum'))).toMatchObject({ outcome: 'completed' })
    expect(pids()).toEqual([warm?.pid])
    expect(JSON.stringify(host.model.requests.at(-1)?.messages)).toContain('remember plum')
    // It is a live session now: whether somebody looks is no matter.
    clock.advance(2 * minute)
    expect(await session.session()).toMatchObject({ live: true })

    await host.client.stopSession({ params: session.params, body: {} })
    await host.client.prepareSession({ params: session.params, body: {} })
    await until(async () => (await session.session()).live)
    await inTime(() => processes().length === 0)
    expect(await session.say(prompts.on('and now?', 'still a plum'))).toMatchObject({ outcome: 'completed' })
  })

  it('is not started where a hook would run for nobody', async () => {
    await start()
    const main = await spareOfMain()
    // Not by its name: what a hook names is part of what is trusted.
    const command = 'echo began >> "$HOME/began".txt'
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] }
    const id = await workspace('hooked', { '.claude/settings.json': JSON.stringify({ hooks }) })
    await trustWorkspace(host.client, id)
    await isGone(main.pid)
    const ran = () => readFileSync(join(host.root, 'began.txt'), 'utf8')
    // What is asked for later is started later.
    await until(async () => {
      for (const body of [{ workspace_id: id }, {}]) await host.client.prepareNewSession({ body })
      return processes().length > 0
    })
    const spare = await spareOfMain()
    expect(readlinkSync(`/proc/${spare.pid}/cwd`)).toBe(host.cwd)
    expect(existsSync(join(host.root, 'began.txt'))).toBe(false)

    const session = await begin({ workspace_id: id, content: prompts.on('begin', 'begun') })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(ran()).toBe('began\n')
    await host.client.stopSession({ params: session.params, body: {} })
    await host.client.prepareSession({ params: session.params, body: {} })
    await host.client.prepareNewSession({ body: { permission_mode: 'plan' } })
    await until(() => processes().some(({ args }) => args.includes('--permission-mode=plan')))
    const { hooks: counted } = await host.client.listWorkspaceHooks({ params: { id } })
    expect(counted).toContainEqual(expect.objectContaining({ event: 'SessionStart', state: 'runs' }))
    expect((await session.session()).live).toBe(false)
    expect(ran()).toBe('began\n')
    expect(pids()).toContain(spare.pid)
  })

  it('needs the rights that the session itself would need', async () => {
    await start({ env: { DORKOS_SPARE_PROCESSES: '2' } })
    await spareOfMain()
    const { secret } = await host.client.createToken({ body: { name: 'chat', scopes: ['read', 'chat'] } })
    const chat = createApiClient({ baseUrl: host.server.url, token: secret })
    await expect(
      chat.prepareNewSession({ body: { permission_mode: 'bypassPermissions' } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const session = await begin({ content: prompts.on('bypass', 'it'), permission_mode: 'bypassPermissions' })
    await session.endOf(1)
    await expect(chat.prepareSession({ params: session.params, body: {} })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const missing = { id: '00000000-0000-4000-8000-000000000000' }
    await expect(chat.prepareSession({ params: missing, body: {} })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

it('a server that is killed leaves no spare process, and nothing of it', async () => {
  const killed: SpawnedHost = await spawnHost(prompts.script, { spareProcesses: 1 })
  try {
    await until(() => cliProcesses(killed.root).length === 1)
    const [spare] = cliProcesses(killed.root)
    await killed.kill()
    await killed.start()
    await until(() => cliProcesses(killed.root).some(({ pid }) => pid !== spare?.pid))
    expect(cliProcesses(killed.root).map(({ pid }) => pid)).not.toContain(spare?.pid)
    expect((await killed.client.listSessions({ query: {} })).sessions).toEqual([])
    const { session } = await killed.client.createSession({
      body: { content: prompts.on('go on', 'gone on') },
    })
    const conversation = new Conversation(killed, session.id)
    expect(await conversation.endOf(1)).toMatchObject({ outcome: 'completed' })
    await conversation.watch.close()
  } finally {
    await killed.close()
  }
})

/**
 * A token that may only chat has an agent work in the owner's home, outside of any workspace: nothing is read there until a person
 * says so, by no tool, no mention and no listing, in any mode.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiClient, createApiClient, permissionModes } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import { openTerminal } from '../support/terminal.ts'
import { useHost } from '../support/use-host.ts'

const minutes = 60_000
// What starts a process here is a message.
const used = useHost({ config: { sessions: { prewarm: false } } })
let chat: ApiClient
let folder: string
const open: Conversation[] = []

beforeAll(async () => {
  const { host } = used
  folder = join(host.root, 'private')
  mkdirSync(folder)
  writeFileSync(join(folder, 'diary.txt'), 'SECRET-DIARY')
  writeFileSync(join(folder, 'CLAUDE.md'), 'SECRET-MEMORY')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: host.root },
    })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'SECRET-COMMIT')
  const { secret } = await host.client.createToken({ body: { name: 'chat', scopes: ['read', 'chat'] } })
  chat = createApiClient({ baseUrl: host.server.url, token: secret })
})
afterAll(async () => {
  for (const conversation of open.splice(0)) await conversation.close()
})

const calls = () => [
  toolUse('Read', { file_path: join(folder, 'diary.txt') }),
  toolUse('Bash', { command: 'cat diary.txt' }),
  toolUse('Bash', { command: 'ls' }),
  toolUse('Monitor', { command: 'cat diary.txt', description: 'd', timeout_ms: 1000, persistent: false }),
  toolUse('Agent', { description: 'd', prompt: 'Read diary.txt', subagent_type: 'general-purpose' }),
  toolUse('mcp__dorkos__list_sessions', {}),
  toolUse('Write', { file_path: join(folder, 'made.txt'), content: 'x' }),
]
let runs = 0

/** By the client that may only chat. */
async function begin(
  answers: Parameters<typeof used.prompts.on>[1][],
  prompt = 'look',
): Promise<Conversation> {
  const { session } = await chat.createSession({ body: { cwd: '~/private' } })
  expect(session).toMatchObject({ cwd: folder, needs_folder_confirmation: true })
  expect(session).not.toHaveProperty('workspace_id')
  const conversation = new Conversation(used.host, session.id)
  open.push(conversation)
  const content = used.prompts.on(`${prompt} ${++runs}`, ...answers)
  await chat.sendMessage({ params: { id: session.id }, body: { content } })
  return conversation
}

const known = (id: string) =>
  JSON.stringify(used.host.model.requests.filter(({ sessionId }) => sessionId === id).map(({ body }) => body))

describe('an agent', () => {
  let session: Conversation
  beforeAll(async () => {
    session = await begin(['ready'])
    await session.endOf(1)
  })

  it('needs no confirmation of who may approve, nor does a workspace; a fork is as its source', async () => {
    const { host } = used
    const body = { cwd: folder }
    const own = (await host.client.createSession({ body })).session
    expect(own).not.toHaveProperty('needs_folder_confirmation')
    const inside = (await chat.createSession({ body: { cwd: host.cwd } })).session
    expect(inside).not.toHaveProperty('needs_folder_confirmation')
    expect(await chat.forkSession({ params: session.params, body: {} })).toMatchObject({
      needs_folder_confirmation: true,
    })
  })

  it('has these tools, and none that searches files: 2.1.325 does that with commands', () => {
    const request = used.host.model.requests.findLast(({ sessionId }) => sessionId === session.id)
    const offered = (request?.tools ?? []).map(({ name }) => name)
    expect(offered).toEqual(expect.arrayContaining(calls().map(({ name }) => name)))
    expect(offered.filter((name) => ['Glob', 'Grep', 'LS', 'NotebookRead'].includes(name))).toEqual([])
  })

  it.each(permissionModes)(
    'asks about every call until a person has confirmed the folder, %s',
    async (mode) => {
      const { host, prompts } = used
      const before = session.watch.of('tool_result').length
      // The owner's choice, and not the token's.
      await host.client.changeSession({ params: session.params, body: { permission_mode: mode } })
      const turn = await session.send(prompts.on(`work ${++runs}`, ...calls(), 'done'))
      const deny = { decision: 'deny', message: 'no' } as const
      for (const _ of calls()) expect(await session.answer(deny)).toMatchObject({ state: 'pending' })
      expect(await session.end(turn)).toMatchObject({ outcome: 'completed', reason_code: 'all_denied' })
      const results = session.watch.of('tool_result').slice(before)
      expect(results.map(({ is_error }) => is_error)).toEqual(calls().map(() => true))
      expect(known(session.id)).not.toContain('SECRET')
    },
    2 * minutes,
  )
})

describe('a folder outside of any workspace', () => {
  it(
    'is read by no mention, memory or listing, and all of it once it is confirmed',
    async () => {
      const { host, prompts } = used
      const session = await begin(['ready'], '@diary.txt @private/diary.txt @CLAUDE.md')
      await session.endOf(1)
      expect(known(session.id)).toContain('@diary.txt')
      expect(known(session.id)).not.toContain('SECRET')
      const files = { params: session.params, query: { q: 'diary' } }
      await expect(chat.searchSessionFiles(files)).rejects.toMatchObject({ code: 'forbidden' })
      expect((await host.client.searchSessionFiles(files)).files).toHaveLength(1)
      const diary = { params: session.params, query: { path: 'diary.txt' } }
      await expect(chat.listSessionFolder({ params: session.params, query: {} })).rejects.toMatchObject({
        code: 'forbidden',
      })
      await expect(chat.readSessionFile(diary)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(chat.getSessionFile(diary)).rejects.toMatchObject({ code: 'forbidden' })

      await expect(chat.confirmFolder({ params: session.params, body: {} })).rejects.toMatchObject({
        code: 'forbidden',
      })
      const confirmed = await host.client.confirmFolder({ params: session.params, body: {} })
      expect(confirmed).not.toHaveProperty('needs_folder_confirmation')
      const { entries } = await host.client.listAudit({
        query: { session_id: session.id, action: 'folder_confirmed' },
      })
      expect(entries).toMatchObject([{ detail: { cwd: folder } }])

      const read = toolUse('Read', { file_path: join(folder, 'diary.txt') })
      await session.say(prompts.on(`@diary.txt again ${++runs}`, read, 'done'))
      expect(session.watch.of('approval_required')).toEqual([])
      expect(known(session.id)).toContain('SECRET-DIARY')
      expect((await chat.searchSessionFiles(files)).files).toHaveLength(1)
      expect((await chat.readSessionFile(diary)).text).toContain('SECRET-DIARY')
    },
    2 * minutes,
  )

  it(
    'keeps the injected tools to its own session until it is confirmed, also where a person allows the call',
    async () => {
      const { host, prompts } = used
      const { session: other } = await host.client.createSession({ body: { title: 'SECRET-TITLE' } })
      const asked = [
        ['list_sessions', {}],
        ['get_session_details', { session_id: other.id }],
        ['list_active_sessions', {}],
        ['get_session_count', {}],
      ] as const
      const uses = asked.map(([name, input]) => toolUse(`mcp__dorkos__${name}`, input))
      const session = await begin([...uses, 'done'])
      for (const _ of asked) await session.answer()
      await session.endOf(1)
      const own = [expect.objectContaining({ id: session.id })]
      expect(asked.map((_, index) => session.result(index + 1))).toEqual([
        { sessions: own, has_more: false },
        { error: `There is no session ${other.id}.` },
        { sessions: own, count: 1 },
        { count: 1 },
      ])
      expect(known(session.id)).not.toContain('SECRET')

      await host.client.confirmFolder({ params: session.params, body: {} })
      const turn = await session.send(prompts.on(`and now ${++runs}`, ...uses.slice(0, 1), 'done'))
      await session.answer()
      await session.end(turn)
      expect(known(session.id)).toContain('SECRET-TITLE')
    },
    2 * minutes,
  )

  it(
    'that a terminal worked in is confirmed before it goes on here',
    async () => {
      const { host, prompts } = used
      const terminal = await openTerminal({ ...host, cwd: folder })
      await terminal.say(prompts.on('in the terminal', 'hello'))
      await terminal.close()
      const params = { id: terminal.id }
      await expect(chat.searchSessionFiles({ params, query: {} })).rejects.toMatchObject({
        code: 'forbidden',
      })
      const session = new Conversation(used.host, terminal.id)
      open.push(session)
      const read = toolUse('Read', { file_path: join(folder, 'diary.txt') })
      await chat.sendMessage({ params, body: { content: prompts.on('go on here', read, 'done') } })
      expect(await session.answer({ decision: 'deny', message: 'no' })).toMatchObject({ tool: 'Read' })
      await session.endOf(1)
      expect(await session.session()).toMatchObject({ needs_folder_confirmation: true })
      const requests = host.model.requests.filter(({ lastUserText }) => lastUserText.includes('go on here'))
      expect(JSON.stringify(requests)).not.toContain('SECRET-DIARY')
    },
    2 * minutes,
  )
})

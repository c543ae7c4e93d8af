/** Sessions that were begun with the CLI alone, in a terminal: seen, read, searched, gone on with, and left alone while in use. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { offlineEnvironment, realCliPath, toolUse } from '@dorkos/testkit'
import { ClaudeCodeAgent, type Session } from 'claude-code-agent'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Prompts } from './support/prompts.ts'
import { ServerTopic } from './support/server-topic.ts'
import { type Host, startHost } from './support/start-host.ts'

const prompts = new Prompts()
const agent = new ClaudeCodeAgent({ cliPath: realCliPath() })
let host: Host
let topic: ServerTopic
const terminals: Session[] = []
const open: Conversation[] = []
beforeAll(async () => {
  host = await startHost(prompts.script)
  execFileSync('git', ['init', '--quiet', '--initial-branch=trunk'], { cwd: host.cwd, env: host.env })
  topic = new ServerTopic(host.client)
})
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close()
  for (const conversation of open.splice(0)) await conversation.close()
})
afterAll(async () => {
  await agent.close()
  await topic?.close()
  await host?.close()
})

/** A CLI of the same account, of which DorkOS knows nothing. */
async function startInTerminal(title?: string): Promise<Session> {
  const { overlay } = await offlineEnvironment({ model: host.model, home: host.root })
  const terminal = await agent.startSession({
    keepAlive: true,
    projectPath: host.cwd,
    options: { env: overlay, permissionMode: 'acceptEdits', ...(title && { title }) },
  })
  terminals.push(terminal)
  return terminal
}

async function say(terminal: Session, prompt: string): Promise<void> {
  const ended = new Promise((resolve) => terminal.on('turnEnd', resolve))
  await terminal.send(prompt)
  await ended
}

function follow(id: string): Conversation {
  const conversation = new Conversation(host, id)
  open.push(conversation)
  return conversation
}

const found = (id: string) => topic.next('transcript_changed', ({ session_id }) => session_id === id)
const get = (id: string) => host.client.getSession({ params: { id } })
const texts = (events: { type: string; text?: unknown; content?: unknown }[]) =>
  events.flatMap(({ type, text, content }) =>
    type === 'text_delta' ? [String(text)] : type === 'user_message' ? [String(content)] : [],
  )

describe('a session of a terminal', () => {
  it('is listed with what its transcript says, read in pages, and found by its words', async () => {
    writeFileSync(join(host.cwd, 'note.txt'), 'a note\n')
    const terminal = await startInTerminal('By hand')
    const { id } = terminal
    await say(
      terminal,
      prompts.on('begin in a terminal', toolUse('Read', { file_path: join(host.cwd, 'note.txt') }), 'begun'),
    )
    await found(id)
    await say(terminal, prompts.on('and on', 'the zebra went on'))
    await terminal.close()
    await vi.waitFor(
      async () => expect(await get(id)).toMatchObject({ message_count: expect.any(Number) }),
      20_000,
    )
    const { sessions } = await host.client.listSessions({ query: { origin: 'terminal' } })
    const seen = sessions.find((session) => session.id === id)
    expect(seen).toMatchObject({
      origin: 'terminal',
      title: 'By hand',
      first_prompt: 'begin in a terminal',
      cwd: host.cwd,
      branch: 'trunk',
      live: false,
      model: expect.stringContaining('claude'),
      cli_session_ids: [id],
    })
    expect(await get(id)).not.toHaveProperty('in_use_elsewhere')

    const said: string[] = []
    let before: string | undefined
    let pages = 0
    do {
      const page = await host.client.getHistory({
        params: { id },
        query: { limit: 2, ...(before && { before }) },
      })
      said.unshift(...texts(page.events))
      before = page.before
      pages++
    } while (before)
    expect(said).toEqual(['begin in a terminal', 'begun', 'and on', 'the zebra went on'])
    expect(pages).toBeGreaterThan(1)
    await vi.waitFor(async () => {
      const { hits } = await host.client.searchSessions({ query: { q: 'zebra' } })
      expect(hits).toMatchObject([
        { session_id: id, role: 'assistant', snippet: expect.stringContaining('zebra') },
      ])
      // The ids are those of the events, so that the place can be found.
      const { events } = await host.client.getHistory({ params: { id } })
      const zebra = events.find((event) => event.type === 'text_delta' && event.text.includes('zebra'))
      expect(zebra).toMatchObject({ message_id: hits[0]?.message_id })
      const asked = (await host.client.searchSessions({ query: { q: 'begin in a terminal' } })).hits
      const begun = events.find(
        (event) => event.type === 'user_message' && event.content === 'begin in a terminal',
      )
      expect(begun).toMatchObject({ message_id: asked[0]?.message_id })
    }, 20_000)
  })

  it('goes on here with the next message', async () => {
    const terminal = await startInTerminal()
    const { id } = terminal
    await say(terminal, prompts.on('remember the fox', 'a fox'))
    await terminal.close()
    await found(id)
    const session = follow(id)
    const end = await session.say(
      prompts.on('what was it?', ({ messages }) => String(JSON.stringify(messages).match(/fox/))),
    )
    expect(end).toMatchObject({ outcome: 'completed' })
    expect(await get(id)).toMatchObject({
      id,
      origin: 'dorkos',
      first_prompt: 'remember the fox',
      live: true,
    })
    const { events } = await host.client.getHistory({ params: { id } })
    expect(texts(events)).toEqual(['remember the fox', 'a fox', 'what was it?', 'fox'])
    const { sessions } = await host.client.listSessions({ query: {} })
    expect(sessions.filter((listed) => listed.id === id)).toHaveLength(1)
  })

  it('is left alone while the terminal has it, and can be forked meanwhile', async () => {
    const terminal = await startInTerminal()
    const { id } = terminal
    await say(terminal, prompts.on('mine', 'yours'))
    await found(id)
    expect(await get(id)).toMatchObject({ in_use_elsewhere: true, live: false })
    const session = follow(id)
    await expect(session.send('me too')).rejects.toMatchObject({ code: 'session_in_use', status: 409 })
    await expect(host.client.startSession({ params: { id }, body: {} })).rejects.toMatchObject({
      code: 'session_in_use',
    })

    const fork = follow((await host.client.forkSession({ params: { id }, body: {} })).id)
    expect(await fork.say(prompts.on('my own way', 'fine'))).toMatchObject({ outcome: 'completed' })
    const { events } = await host.client.getHistory({ params: fork.params })
    expect(texts(events)).toEqual(['mine', 'yours', 'my own way', 'fine'])
    expect(await get(id)).toMatchObject({ in_use_elsewhere: true })
    await say(terminal, prompts.on('still mine', 'still yours'))

    await terminal.close()
    expect(await get(id)).not.toHaveProperty('in_use_elsewhere')
    const end = await session.say(prompts.on('now me', 'now you'))
    expect(end).toMatchObject({ outcome: 'completed' })
  })
})

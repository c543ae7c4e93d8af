import { randomUUID } from 'node:crypto'
import { type Script, text, toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import {
  getSessionMessages,
  readSessionInfo,
  readSessionPage,
  readSessionText,
  type Session,
  type SessionPageMessage,
  type SessionTranscriptFile,
  sessionFiles,
} from '../src/index.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { openTool } from './support/open-tool.ts'

const script: Script = (request) =>
  request.lastUserText === 'first' && request.toolResults.length === 0
    ? [
        text('Two calls.'),
        toolUse('mcp__open__release'),
        toolUse('Bash', { command: 'echo hi', description: 'x' }),
      ]
    : 'Done.'

async function say(session: Session, content: string, uuid: string): Promise<void> {
  const over = nextTurn(session)
  await session.send(content, { uuid })
  await over
  await untilState(session, 'idle')
}

it('a conversation that the real CLI wrote is read in pages, as text and as a line of a list', async () => {
  const open = openTool()
  await using started = await startOfflineAgent(script, {
    mcpServers: { open: open.server },
    allowedTools: ['mcp__open', 'Bash(*)'],
  })
  const { configDir } = started.offline
  const session = await started.agent.startSession({ keepAlive: true })
  const ids = { first: randomUUID(), folded: randomUUID(), compact: randomUUID(), last: randomUUID() }
  const over = nextTurn(session)
  await session.send('first', { uuid: ids.first })
  await untilState(session, 'waiting_tool_call')
  await session.send('also this', { uuid: ids.folded })
  open.release()
  await over
  await untilState(session, 'idle')
  await say(session, '/compact', ids.compact)
  await say(session, 'last', ids.last)
  await session.close()

  const files: SessionTranscriptFile[] = []
  for await (const file of sessionFiles({ configDir })) files.push(file)
  expect(files).toMatchObject([{ sessionId: session.id }])
  const path = files[0]?.path ?? ''

  const whole = await getSessionMessages(session.id, {
    configDir,
    includeCompacted: true,
    includeSystemMessages: true,
  })
  const messages: SessionPageMessage[] = []
  for (let before: string | undefined; ; ) {
    const page = await readSessionPage(session.id, {
      path,
      limit: 3,
      ...(before !== undefined && { before }),
    })
    messages.unshift(...page.messages)
    if (page.before === undefined) break
    before = page.before
  }
  // What was said into the running turn is not a message of its own in the transcript.
  expect(messages.map(({ uuid }) => uuid).filter((uuid) => uuid !== ids.folded)).toEqual(
    whole.map(({ uuid }) => uuid),
  )
  const at = (uuid: string) => messages.findIndex((message) => message.uuid === uuid)
  expect(at(ids.first)).toBe(0)
  expect(at(ids.folded)).toBeGreaterThan(at(ids.first))
  expect(messages[at(ids.folded)]).toMatchObject({ type: 'user', message: { content: 'also this' } })
  expect(
    messages.some(({ message }) => (message as { subtype?: string }).subtype === 'compact_boundary'),
  ).toBe(true)

  const said: string[] = []
  for await (const { role, text: content, uuid } of readSessionText(path))
    said.push(`${role}: ${content}${uuid === ids.folded ? ' (folded)' : ''}`)
  expect(said).toEqual([
    'user: first',
    'assistant: Two calls.',
    'user: also this (folded)',
    'assistant: Done.',
    'user: /compact',
    'user: last',
    'assistant: Done.',
  ])
  expect(await readSessionInfo(path)).toMatchObject({
    sessionId: session.id,
    firstPrompt: 'first',
    cwd: started.cwd,
    model: expect.stringContaining('claude'),
  })
})

/** A server that asks a person for input: the question is a record like any other, and goes to the session whose call it is about. */
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import type { Conversation } from '../support/conversation.ts'
import { sharedServer } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost()

const start = () =>
  used.start([toolUse('mcp__asker__ask'), 'thanks'], { permission_mode: 'bypassPermissions' })

async function question(session: Conversation) {
  const { approval } = await session.watch.next('question_prompt')
  return approval
}

interface Reply {
  answer: unknown
  pid: number
}

it('is answered over the API; from then on each session has a process of its own', async () => {
  const { client } = used.host
  const entry = sharedServer(used.host, { tools: ['ask', 'hello'] })
  await client.addMcpServers({ body: { name: 'asker', entry } })
  const { server: known } = await client.testMcpServer({ params: { name: 'asker' }, body: {} })
  expect(known.sharing).toEqual({ choice: 'auto', mode: 'shared', why: 'stateless' })
  const first = await start()
  const asked = await question(first)
  expect(asked).toMatchObject({ kind: 'elicitation', session_id: first.id, state: 'pending' })
  expect(await first.session()).toMatchObject({ state: 'waiting', pending_approvals: 1 })
  expect(JSON.stringify(asked.input)).toContain('Which color?')
  expect((await client.listApprovals()).approvals.map(({ id }) => id)).toEqual([asked.id])
  const params = { id: asked.id }
  for (const answers of [undefined, {}, { color: 5 }])
    await expect(
      client.answerApproval({ params, body: { decision: 'allow', ...(answers && { answers }) } }),
    ).rejects.toMatchObject({ status: 400 })
  await client.answerApproval({ params, body: { decision: 'allow', answers: { color: 'red' } } })
  expect(await first.endOf(1)).toMatchObject({ outcome: 'completed' })
  expect(first.watch.of('session_status').map(({ state }) => state)).toEqual(
    expect.arrayContaining(['working', 'waiting', 'idle']),
  )
  const reply = first.result() as Reply
  const sharing = async () => (await client.getMcpServer({ params: { name: 'asker' } })).server.sharing
  expect(await sharing()).toEqual({ choice: 'auto', mode: 'session', why: 'asked' })
  expect(reply.answer).toEqual({ action: 'accept', content: { color: 'red' } })

  const second = await start()
  const { id } = await question(second)
  await client.answerApproval({ params: { id }, body: { decision: 'deny' } })
  await second.endOf(1)
  const other = second.result() as Reply
  expect(other.answer).toMatchObject({ action: 'decline' })
  expect(other.pid).not.toBe(reply.pid)
  const { server: shown } = await client.getMcpServer({ params: { name: 'asker' } })
  expect(shown.health).toMatchObject({ asks_for_input: true, sessions: 2 })
  expect(shown.health?.pids.toSorted()).toEqual([reply.pid, other.pid].toSorted())

  // Remembered: after a restart nobody shares it in the first place.
  await first.close()
  await second.close()
  await used.host.restart()
  const sessions = [used.follow(first.id), used.follow(second.id)]
  for (const [index, session] of sessions.entries())
    await session.say(used.prompts.on(`again ${index}`, toolUse('mcp__asker__hello'), 'done'))
  const pids = sessions.map((session) => (session.result(2) as Reply).pid)
  expect(new Set(pids).size).toBe(2)
})

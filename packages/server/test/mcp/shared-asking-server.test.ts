/** A server that asks a person for input while several sessions share its process. */
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { connect, server } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const entry = server({ tools: ['ask', 'hello'] }, { sharing: 'shared' })
const used = useHost({ config: { mcpServers: { shared: entry } } })

interface Reply {
  answer: unknown
  pid: number
}

it('goes to the session whose call is under way, while others hold the same process', async () => {
  const { client } = used.host
  await connect(used.host, ['shared'])
  const options = { permission_mode: 'bypassPermissions' } as const
  const sessions = [
    await used.start([toolUse('mcp__shared__hello'), 'one'], options),
    await used.start([toolUse('mcp__shared__hello'), 'two'], options),
  ]
  for (const session of sessions) await session.endOf(1)
  const pids = sessions.map((session) => (session.result() as Reply).pid)
  expect(pids[0]).toBe(pids[1])
  const [asking, other] = sessions
  if (!asking || !other) throw new Error('there are two')
  const turn = await asking.send(used.prompts.on('ask now', toolUse('mcp__shared__ask'), 'thanks'))
  const { approval } = await asking.watch.next('question_prompt')
  const { id, session_id } = approval
  expect(session_id).toBe(asking.id)
  expect(await asking.session()).toMatchObject({ state: 'waiting' })
  expect(await other.session()).toMatchObject({ state: 'idle', pending_approvals: 0 })
  await client.answerApproval({ params: { id }, body: { decision: 'allow', answers: { color: 'blue' } } })
  expect(await asking.end(turn)).toMatchObject({ outcome: 'completed' })
  expect((asking.result(2) as Reply).answer).toEqual({ action: 'accept', content: { color: 'blue' } })
})

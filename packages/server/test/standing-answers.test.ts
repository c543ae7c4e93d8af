/** Rules: what a person answered for ever, and can take back. */
import { mkdirSync } from 'node:fs'
import type { ApprovalAnswer, Rule } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { ServerTopic } from './support/server-topic.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()
const { start } = used

const bash = (command: string) => toolUse('Bash', { command, description: 'a test' })
const first = 'echo first > out'
const second = 'echo second > out'

/** Runs both commands in a session of its own. Returns those that were asked about. */
async function askedFor(answer: ApprovalAnswer = { decision: 'allow', scope: 'once' }): Promise<unknown[]> {
  const session: Conversation = await start([bash(first), bash(second), 'done'])
  const ended = session.endOf(1)
  let over = false
  void ended.then(() => {
    over = true
  })
  const asked: unknown[] = []
  while (!over) {
    const next = session.answer(asked.length === 0 ? answer : undefined)
    const approval = await Promise.race([next, ended.then(() => undefined)])
    if (approval) asked.push(approval.input.command)
  }
  expect(await ended).toMatchObject({ outcome: 'completed' })
  return asked
}

const ruleList = async (revoked?: 'true'): Promise<Rule[]> =>
  (await used.host.client.listRules(revoked ? { query: { revoked } } : {})).rules

describe('a rule that an answer made', () => {
  it('is as it was shown, survives a restart, and can be edited and revoked', async () => {
    const topic = new ServerTopic(used.host.client)
    expect(await askedFor({ decision: 'allow', scope: 'always' })).toEqual([first, second])
    await topic.next('rules_changed')
    await topic.close()
    const [workspace] = (await used.host.client.listWorkspaces()).workspaces
    const [rule] = await ruleList()
    expect(rule).toMatchObject({
      effect: 'allow',
      tool: 'Bash',
      match: first,
      scope: { kind: 'workspace', workspace_id: workspace?.id },
      origin: 'approval',
      principal: 'owner',
    })
    const params = { id: rule?.id ?? '' }
    expect(await askedFor()).toEqual([second])

    await used.host.restart()
    expect(await ruleList()).toEqual([rule])
    expect(await askedFor()).toEqual([second])

    await used.host.client.changeRule({ params, body: { match: second } })
    expect(await askedFor()).toEqual([first])

    await used.host.client.revokeRule({ params })
    expect(await ruleList()).toEqual([])
    expect(await ruleList('true')).toMatchObject([{ id: params.id, revoked_at: expect.any(String) }])
    expect(await askedFor()).toEqual([first, second])
  })

  it('holds in its workspace only', async () => {
    const { client, root } = used.host
    mkdirSync(`${root}/other`)
    const other = await client.createWorkspace({ body: { path: `${root}/other` } })
    const scope = { kind: 'workspace', workspace_id: other.id } as const
    const rule = await client.createRule({ body: { effect: 'allow', tool: 'Bash', match: first, scope } })
    expect(await askedFor()).toEqual([first, second])
    const session = await start([bash(first), 'done'], { workspace_id: other.id })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(session.watch.of('approval_required')).toEqual([])
    await client.revokeRule({ params: { id: rule.id } })
  })
})

describe('a rule', () => {
  it('that could not do what it says is refused, and nothing is stored', async () => {
    const { client } = used.host
    const everywhere = { kind: 'everywhere' } as const
    for (const body of [
      { effect: 'allow', tool: 'mcp__*', scope: everywhere },
      { effect: 'allow', tool: 'mcp__dorkos__set_config', scope: everywhere },
      { effect: 'allow', tool: 'AskUserQuestion', scope: everywhere },
    ] as const)
      await expect(client.createRule({ body })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await ruleList()).toEqual([])
  })
})

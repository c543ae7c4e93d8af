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
async function askedFor(answer?: ApprovalAnswer): Promise<unknown[]> {
  return askedIn(await start([bash(first), bash(second), 'done']), 1, answer)
}

/** Until the end of the n-th turn. The first question that is open is answered like this. */
async function askedIn(
  session: Conversation,
  turn: number,
  answer: ApprovalAnswer = { decision: 'allow', scope: 'once' },
): Promise<unknown[]> {
  const ended = session.endOf(turn)
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

describe('a rule for commands that begin alike', () => {
  const test = './tool.sh check'
  const others = [`${test}; echo x > ran`, `${test} $(echo x > ran)`, `${test}\necho x > ran`]

  it('is matched by Claude Code alone, in its session, and no longer than it stands', async () => {
    const { client } = used.host
    const session = await start([bash(test), bash(`${test} one`), ...others.map(bash), 'done'])
    const covers = { kind: 'prefix' } as const
    const asked = await session.answer({ decision: 'allow', scope: 'session', covers })
    expect(asked.proposed_rule).toMatchObject({ match: test, prefix: `${test} *` })
    for (const command of others)
      expect((await session.answer({ decision: 'deny' })).input).toMatchObject({ command })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    const [rule] = await ruleList()
    expect(rule).toMatchObject({
      tool: 'Bash',
      match: `${test} *`,
      prefix: true,
      scope: { kind: 'session' },
    })
    const by = { kind: 'rule', rule_id: rule?.id, rule_name: `Bash(${test} *)` }
    expect(session.watch.of('tool_call_allowed')).toMatchObject([{ decided_by: by }])
    const query = { session_id: session.id, action: 'tool_decided' }
    const deciders = (await client.listAudit({ query })).entries.map(({ decided_by }) => decided_by)
    expect(deciders.toReversed()).toMatchObject([
      { kind: 'person' },
      by,
      ...others.map(() => ({ kind: 'person' })),
    ])

    expect(await askedIn(await start([bash(`${test} two`), 'done']), 1)).toEqual([`${test} two`])

    await client.revokeRule({ params: { id: rule?.id ?? '' } })
    await session.send(used.prompts.on('again', bash(`${test} one`), 'done'))
    expect(await askedIn(session, 2)).toEqual([`${test} one`])
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

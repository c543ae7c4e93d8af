/** The permission gateway as people meet it: over HTTP, with the real CLI. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Approval, createApiClient, type Scope } from '@dorkos/shared'
import { reply, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { ServerTopic } from './support/server-topic.ts'
import { createShiftingClock } from './support/shifting-clock.ts'
import { useHost } from './support/use-host.ts'

const clock = createShiftingClock()
const used = useHost({ clock })
const { prompts, start, turn } = used

/** Not one of those that the CLI holds for harmless. */
const bash = (command: string) => toolUse('Bash', { command, description: 'a test' })
const write = (name: string, text = name) => bash(`echo ${text} > ${name}`)
const content = (name: string) => readFileSync(join(used.host.cwd, name), 'utf8').trim()
const replies = (session: Conversation) =>
  session.watch.of('tool_result').map((result) => [result.is_error, String(result.content[0]?.text)])

/** What was asked, in the order of asking. */
const asked = ({ watch }: Conversation) =>
  watch.of('approval_required').map(({ approval }) => approval.input.command)

async function clientWith(name: string, ...scopes: Scope[]) {
  const { secret } = await used.host.client.createToken({ body: { name, scopes } })
  return createApiClient({ baseUrl: used.host.server.url, token: secret })
}

describe('an approval', () => {
  it('shows all that a person needs, and lets the call run once', async () => {
    const session = await turn([write('one'), write('one'), 'done'])
    await session.watch.next('approval_required')
    const { approvals, server_time } = await used.host.client.listApprovals()
    const { workspaces } = await used.host.client.listWorkspaces()
    const { turns } = await used.host.client.listTurns({ params: session.params })
    expect(approvals).toEqual([
      {
        id: expect.stringMatching(/^appr_/),
        kind: 'tool',
        state: 'pending',
        tool: 'Bash',
        input: { command: 'echo one > one', description: 'a test' },
        input_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        risk: 'execute',
        reason: expect.any(String),
        proposed_rule: { tool: 'Bash', match: 'echo one > one', scope: 'workspace' },
        session_id: session.id,
        workspace_id: workspaces[0]?.id,
        principal: 'owner',
        turn_id: turns[0]?.id,
        tool_call_id: expect.any(String),
        created_at: expect.any(String),
        deadline: expect.any(String),
      },
    ])
    const [approval] = approvals as [Approval]
    expect(Date.parse(approval.deadline) - Date.parse(approval.created_at)).toBe(240 * 60_000)
    expect(Date.parse(server_time)).toBeGreaterThanOrEqual(Date.parse(approval.created_at))
    expect(await session.session()).toMatchObject({ state: 'waiting', pending_approvals: 1 })
    expect(existsSync(join(used.host.cwd, 'one'))).toBe(false)
    await session.answer()
    // Once is once: the same command asks again.
    const again = await session.answer()
    expect(again.id).not.toBe(approval.id)
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(content('one')).toBe('one')
    expect(await used.host.client.getApproval({ params: { id: approval.id } })).toMatchObject({
      state: 'allowed',
      decided_by: { kind: 'person', principal: 'owner', from: '127.0.0.1' },
    })
    expect((await used.host.client.listApprovals()).approvals).toEqual([])
  })

  it('allowed for the session holds for the same command in it, and for no other', async () => {
    const session = await start([write('two'), write('two'), write('three'), 'done'])
    await session.answer({ decision: 'allow', scope: 'session' })
    await session.answer()
    await session.endOf(1)
    expect(asked(session)).toEqual(['echo two > two', 'echo three > three'])
    const { events } = await used.host.client.getHistory({ params: session.params })
    const settled = [session.watch.events, events].map((published) =>
      published.flatMap((event) =>
        event.type === 'approval_resolved' ? [{ scope: event.scope, rule: event.rule_id }] : [],
      ),
    )
    const { rules } = await used.host.client.listRules({ query: {} })
    const made = rules.find(({ match }) => match === 'echo two > two')
    expect(made).toBeDefined()
    expect(settled[0]).toEqual([{ scope: 'session', rule: made?.id }, { scope: 'once' }])
    expect(settled[1]).toEqual(settled[0])
    const other = await start([write('two'), 'done'])
    await other.answer()
    await other.endOf(1)
    expect(asked(other)).toEqual(['echo two > two'])
  })

  it('runs the edited input in place of the one that was asked about', async () => {
    const session = await start([write('asked'), 'done'])
    await session.answer({
      decision: 'allow',
      scope: 'once',
      updated_input: { command: 'echo other > edited', description: 'edited' },
    })
    await session.endOf(1)
    expect(existsSync(join(used.host.cwd, 'asked'))).toBe(false)
    expect(content('edited')).toBe('other')
    const ran = { command: 'echo other > edited', description: 'edited' }
    const expected = { state: 'allowed', edited: true, updated_input: ran }
    expect(session.watch.of('approval_resolved')).toMatchObject([expected])
    const { events } = await used.host.client.getHistory({ params: session.params })
    expect(events.filter(({ type }) => type === 'approval_resolved')).toMatchObject([expected])
    const prompt = events.find((event) => event.type === 'approval_required')
    expect(prompt?.approval).not.toHaveProperty('updated_input')
    expect(prompt?.approval).not.toHaveProperty('scope')
  })

  it('denied with a message reaches the model as it was given; denied with interrupt ends the turn', async () => {
    const session = await turn([write('no'), 'I see.'])
    await session.answer({ decision: 'deny', message: 'Not on a Friday.' })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(replies(session)).toEqual([[true, 'Not on a Friday.']])
    const request = used.host.model.requests.findLast(({ sessionId }) => sessionId === session.id)
    expect(request?.toolResults).toMatchObject([{ text: 'Not on a Friday.', isError: true }])
    const again = await session.send(prompts.on('again', write('no'), 'never asked for'))
    await session.answer({ decision: 'deny', interrupt: true })
    expect(await session.end(again)).toMatchObject({ outcome: 'interrupted' })
    expect(existsSync(join(used.host.cwd, 'no'))).toBe(false)
    expect(session.watch.text).toBe('I see.')
  })

  it('takes the first of two answers; the other learns who decided', async () => {
    const session = await turn([write('race'), 'done'])
    const { approval } = await session.watch.next('approval_required')
    const clients = await Promise.all(['phone', 'laptop'].map((name) => clientWith(name, 'read', 'approve')))
    const body = { decision: 'allow', scope: 'once' } as const
    const answers = await Promise.allSettled(
      clients.map((client) => client.answerApproval({ params: { id: approval.id }, body })),
    )
    const won = answers.findIndex(({ status }) => status === 'fulfilled')
    const lost = answers[1 - won]
    const winner = { kind: 'person', token_name: ['phone', 'laptop'][won] }
    expect(answers[won]).toMatchObject({ value: { state: 'allowed', decided_by: winner } })
    expect(lost).toMatchObject({
      reason: { status: 409, code: 'already_answered', details: { state: 'allowed', decided_by: winner } },
    })
    await session.endOf(1)
    expect(session.watch.of('approval_resolved')).toHaveLength(1)
    expect(replies(session)).toHaveLength(1)
  })

  it('is shown to those who may chat, and answered only by those who may approve', async () => {
    const session = await turn([write('chat'), 'done'])
    const { approval } = await session.watch.next('approval_required')
    const chat = await clientWith('chat only', 'read', 'chat')
    expect((await chat.listApprovals()).approvals).toHaveLength(1)
    const params = { id: approval.id }
    await expect(
      chat.answerApproval({ params, body: { decision: 'allow', scope: 'once' } }),
    ).rejects.toMatchObject({ status: 403, code: 'forbidden' })
    expect(await used.host.client.getApproval({ params })).toMatchObject({ state: 'pending' })
    await session.answer({ decision: 'deny' })
    await session.endOf(1)
  })

  it('parallel calls are asked about at once, and each is answered for itself', async () => {
    const calls = [toolUse('mcp__dorkos__ping'), toolUse('mcp__dorkos__get_server_info')]
    const session = await turn([reply(calls), 'done'])
    await session.watch.next('approval_required', () => session.watch.of('approval_required').length === 2)
    const { approvals } = await used.host.client.listApprovals({ query: { session_id: session.id } })
    expect(approvals.map(({ tool }) => tool).toSorted()).toEqual([
      'mcp__dorkos__get_server_info',
      'mcp__dorkos__ping',
    ])
    expect(await session.session()).toMatchObject({ pending_approvals: 2 })
    for (const { id, tool } of approvals)
      await used.host.client.answerApproval({
        params: { id },
        body: { decision: tool.endsWith('ping') ? 'allow' : 'deny' },
      })
    await session.endOf(1)
    expect(
      replies(session)
        .map(([isError]) => isError)
        .toSorted(),
    ).toEqual([false, true])
  })

  it('is void when the turn is interrupted, and says so to whoever answers later', async () => {
    const topic = new ServerTopic(used.host.client)
    const session = await turn([write('late'), 'never'])
    const { approval } = await session.watch.next('approval_required')
    const shown = await topic.next('approval_changed', (event) => event.approval.id === approval.id)
    expect(shown.approval).toEqual(approval)
    await used.host.client.interruptSession({ params: session.params, body: {} })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'interrupted' })
    expect(await session.watch.next('approval_resolved')).toMatchObject({
      state: 'void',
      message: expect.any(String),
    })
    await topic.next('approval_changed', (event) => event.approval.state === 'void')
    await expect(
      used.host.client.answerApproval({ params: { id: approval.id }, body: { decision: 'allow' } }),
    ).rejects.toMatchObject({ status: 409, code: 'already_answered', details: { state: 'void' } })
    expect(existsSync(join(used.host.cwd, 'late'))).toBe(false)
    await topic.close()
  })

  it('expires at its deadline: page and model are notified, and nothing runs', async () => {
    const session = await turn([write('expired'), 'I see.'])
    const { approval } = await session.watch.next('approval_required')
    clock.advance(239 * 60_000)
    expect(await used.host.client.getApproval({ params: { id: approval.id } })).toMatchObject({
      state: 'pending',
    })
    clock.advance(60_000)
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(session.watch.of('approval_resolved')).toMatchObject([
      { state: 'expired', decided_by: { kind: 'deadline' }, message: expect.stringContaining('in time') },
    ])
    expect(replies(session)).toEqual([[true, expect.stringContaining('No one answered in time')]])
    expect(existsSync(join(used.host.cwd, 'expired'))).toBe(false)
  })

  it('is not asked for where nobody watches: denied at once, unless a rule allows it', async () => {
    const { workspaces } = await used.host.client.listWorkspaces()
    const scope = { kind: 'workspace', workspace_id: workspaces[0]?.id ?? '' } as const
    const rule = await used.host.client.createRule({
      body: { effect: 'allow', tool: 'Bash', match: 'echo ruled > ruled', scope },
    })
    const session = await start([write('alone'), write('ruled'), 'I see.'], { unattended: true })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(asked(session)).toEqual([])
    expect(replies(session)).toEqual([
      [true, expect.stringContaining('Nobody watches this session')],
      [false, expect.any(String)],
    ])
    expect(existsSync(join(used.host.cwd, 'alone'))).toBe(false)
    expect(content('ruled')).toBe('ruled')
    await used.host.client.revokeRule({ params: { id: rule.id } })
  })
})

describe('a turn whose every call was denied', () => {
  const denied = { outcome: 'completed', reason_code: 'all_denied' }
  const ends = async (session: Conversation) => {
    const end = await session.endOf(1)
    const { events } = await used.host.client.getHistory({ params: session.params, query: {} })
    return [end, await session.turn(end.turn_id), events.find(({ type }) => type === 'turn_end')]
  }

  it('says so, with their number: denied by the server, a person, and the mode', async () => {
    const alone = await start([write('one'), write('two'), 'I see.'], { unattended: true })
    const reason = 'All 2 tool calls in this turn were denied.'
    expect(await ends(alone)).toMatchObject(Array(3).fill({ ...denied, reason }))

    const asking = await start([write('three'), 'I see.'])
    await asking.answer({ decision: 'deny', message: 'no' })
    const only = 'The only tool call in this turn was denied.'
    expect(await ends(asking)).toMatchObject(Array(3).fill({ ...denied, reason: only }))

    const strict = await start([write('four'), 'I see.'], { permission_mode: 'dontAsk' })
    expect(await ends(strict)).toMatchObject(Array(3).fill({ ...denied, reason: only }))
  })

  it('does not say so when one ran, or none was made', async () => {
    const listed = toolUse('Bash', { command: 'ls' })
    const mixed = await start([write('five'), listed, 'I see.'], { unattended: true })
    for (const end of await ends(mixed)) expect(end).not.toHaveProperty('reason_code')
    const silent = await start(['nothing to do'])
    for (const end of await ends(silent)) expect(end).not.toHaveProperty('reason_code')
  })
})

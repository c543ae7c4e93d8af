import { join } from 'node:path'
import { approvalSchema, auditEntrySchema, say, streamEventSchema } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { owner } from '../../../test/support/actors.ts'
import {
  asks,
  type GatewayFixture,
  openGateway,
  sessionId,
  turnId,
} from '../../../test/support/gateway-fixture.ts'
import { AppError } from '../app-error.ts'
import type { ToolCallSeen } from '../ports/agent.ts'
import { resolvedEvent } from './approval-events.ts'
import { inputHash } from './input-hash.ts'

let fixture: GatewayFixture
beforeEach(async () => {
  fixture = await openGateway()
})
afterEach(async () => {
  await fixture[Symbol.asyncDispose]()
})

const allow = { decision: 'allow', scope: 'once' } as const
const command = { command: 'npm test' }

/** A call in bypass mode, as the hook before it sees it. */
function seenCall(part: Partial<ToolCallSeen> & Pick<ToolCallSeen, 'tool' | 'input'>): ToolCallSeen {
  return {
    toolCallId: '1',
    permissionMode: 'bypassPermissions',
    agentId: undefined,
    hookInput: { prompt_id: 'p1', tool_name: part.tool, tool_input: part.input },
    signal: new AbortController().signal,
    ...part,
  }
}

async function codeOf(work: Promise<unknown>): Promise<{ code: string; details: unknown }> {
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof AppError)) throw new Error(`not an AppError: ${String(error)}`)
  return { code: error.code, details: error.details }
}

/** Asks, and answers with what is given. */
async function asked(question: ReturnType<typeof asks>) {
  const shown = fixture.shown()
  const answer = fixture.permissions.onPermission(question)
  return { approval: await shown, answer }
}

describe('an approval', () => {
  it('is stored before it is shown, and has all that a person needs', async () => {
    let stored: unknown
    const emit = fixture.session.emit
    fixture.session.emit = (event) => {
      if ('approval' in event) stored = fixture.gateway.approvals.get(owner(), event.approval.id)
      emit(event)
    }
    const reopened = fixture.gateway.openFor({ ...fixture.session })
    const shown = fixture.shown()
    const answer = reopened.onPermission({ ...asks('Bash', command), reason: 'because' })
    const approval = await shown
    expect(approvalSchema.parse(approval)).toMatchObject({
      kind: 'tool',
      session_id: sessionId,
      workspace_id: 'ws_12345678',
      turn_id: turnId,
      tool: 'Bash',
      input: command,
      input_hash: inputHash(command),
      risk: 'execute',
      reason: 'because',
      proposed_rule: { tool: 'Bash', match: 'npm test', scope: 'workspace' },
      state: 'pending',
      created_at: '2026-01-01T00:00:00.000Z',
      deadline: '2026-01-01T04:00:00.000Z',
    })
    expect(await stored).toEqual(approval)
    expect(
      (await fixture.gateway.approvals.list(owner(), { state: 'pending', limit: 10 })).approvals,
    ).toEqual([approval])
    await fixture.gateway.approvals.answer(owner(), approval.id, allow)
    expect(await answer).toEqual({ behavior: 'allow', updatedInput: command })
  })

  it('is published with events of the contract', async () => {
    const { approval, answer } = await asked(asks('Bash', command))
    await fixture.gateway.approvals.answer(owner('phone'), approval.id, { decision: 'deny', message: 'No.' })
    expect(await answer).toEqual({ behavior: 'deny', message: 'No.' })
    const envelope = { id: '1-1', session: sessionId, time: '2026-01-01T00:00:00.000Z' }
    const events = fixture.events.map((event) => streamEventSchema.parse({ ...envelope, ...event }))
    expect(events.map(({ type }) => type)).toEqual(['approval_required', 'approval_resolved'])
    expect(events[1]).toMatchObject({
      approval_id: approval.id,
      tool_call_id: approval.tool_call_id,
      state: 'denied',
      message: 'No.',
      decided_by: { kind: 'person', principal: 'owner', token_name: 'phone', from: '127.0.0.1' },
    })
    expect(fixture.published.map((event) => 'approval' in event && event.approval.state)).toEqual([
      'pending',
      'denied',
    ])
  })

  it('has one winner among 1,000 answers', async () => {
    const { approval, answer } = await asked(asks('Bash', command))
    const answers = await Promise.allSettled(
      Array.from({ length: 1000 }, (_, index) =>
        fixture.gateway.approvals.answer(
          owner(`client ${index}`),
          approval.id,
          index % 2 ? allow : { decision: 'deny', message: `from ${index}` },
        ),
      ),
    )
    const won = answers.filter((one) => one.status === 'fulfilled')
    expect(won).toHaveLength(1)
    const winner = won[0]?.value
    for (const one of answers) {
      if (one.status === 'fulfilled') continue
      expect(one.reason).toMatchObject({
        code: 'already_answered',
        details: { state: winner?.state, decided_by: winner?.decided_by },
      })
    }
    const reply = await answer
    expect(reply.behavior).toBe(winner?.state === 'allowed' ? 'allow' : 'deny')
    expect(fixture.events.filter(({ type }) => type === 'approval_resolved')).toHaveLength(1)
    const decisions = (await fixture.auditEntries()).filter(({ action }) => action === 'tool_decided')
    expect(decisions).toHaveLength(1)
  })

  it('expires at its deadline: denied with words, and late answers are refused with the reason', async () => {
    fixture.config.approvals.deadlineMinutes = 10
    const { approval, answer } = await asked(asks('Bash', command))
    fixture.clock.advance(10 * 60_000 - 1)
    expect((await fixture.gateway.approvals.get(owner(), approval.id)).state).toBe('pending')
    fixture.clock.advance(1)
    expect(await answer).toEqual({
      behavior: 'deny',
      message: expect.stringContaining('No one answered in time'),
    })
    expect(await codeOf(fixture.gateway.approvals.answer(owner(), approval.id, allow))).toEqual({
      code: 'already_answered',
      details: expect.objectContaining({ state: 'expired', decided_by: { kind: 'deadline' } }),
    })
    expect(fixture.events.at(-1)).toMatchObject({ type: 'approval_resolved', state: 'expired' })
    expect((await fixture.auditEntries()).at(-1)).toMatchObject({
      decision: 'deny',
      decided_by: { kind: 'deadline' },
    })
  })

  it('stays allowed when the deadline comes while the answer is on its way', async () => {
    let deadline = () => {}
    await using other = await openGateway({
      approvals: (store) => ({
        ...store,
        async settle(id, settlement, expect) {
          const settled = await store.settle(id, settlement, expect)
          if (settlement.state !== 'allowed') return settled
          deadline()
          // Until the deadline's own attempt is through.
          await store.get(id)
          await store.get(id)
          return settled
        },
      }),
    })
    deadline = () => other.clock.advance(240 * 60_000)
    const shown = other.shown()
    const answer = other.permissions.onPermission(asks('Bash', command))
    await other.gateway.approvals.answer(owner(), (await shown).id, allow)
    expect(await answer).toEqual({ behavior: 'allow', updatedInput: command })
    expect(other.events.map((event) => ('state' in event ? event.state : event.type))).toEqual([
      'approval_required',
      'allowed',
    ])
    expect(await other.auditEntries()).toHaveLength(1)
  })

  it('is void when the CLI withdraws it', async () => {
    const controller = new AbortController()
    const { approval, answer } = await asked(asks('Bash', command, controller.signal))
    controller.abort()
    expect((await answer).behavior).toBe('deny')
    expect(await fixture.gateway.approvals.get(owner(), approval.id)).toMatchObject({
      state: 'void',
      message: expect.stringContaining('no longer needs an answer'),
    })
    expect((await codeOf(fixture.gateway.approvals.answer(owner(), approval.id, allow))).code).toBe(
      'already_answered',
    )
  })

  it('that was withdrawn before it could be shown is void too', async () => {
    const answer = await fixture.permissions.onPermission(asks('Bash', command, AbortSignal.abort()))
    expect(answer.behavior).toBe('deny')
    const { approvals } = await fixture.gateway.approvals.list(owner(), { state: 'all', limit: 10 })
    expect(approvals.map(({ state }) => state)).toEqual(['void'])
  })

  it('is void when its session ends, shown or not, and later questions are denied', async () => {
    const first = await asked(asks('Bash', command))
    const second = fixture.permissions.onPermission(asks('Bash', { command: 'ls' }))
    await fixture.permissions.close(say('cli_words', { text: 'The agent crashed.' }))
    expect(await first.answer).toEqual({ behavior: 'deny', message: 'The agent crashed.' })
    expect((await second).behavior).toBe('deny')
    expect((await fixture.permissions.onPermission(asks('Bash', command))).behavior).toBe('deny')
    expect(
      (await fixture.gateway.approvals.list(owner(), { state: 'pending', limit: 10 })).approvals,
    ).toEqual([])
  })

  it('does not stay behind when its session ends while it is being stored', async () => {
    let meanwhile = async () => {}
    await using other = await openGateway({
      approvals: (store) => ({
        ...store,
        async open(approval, epoch) {
          await meanwhile()
          await store.open(approval, epoch)
        },
      }),
    })
    meanwhile = () => other.permissions.close(say('cli_words', { text: 'The agent crashed.' }))
    expect((await other.permissions.onPermission(asks('Bash', command))).behavior).toBe('deny')
    expect(other.events).toEqual([])
    const { approvals } = await other.gateway.approvals.list(owner(), { state: 'all', limit: 10 })
    expect(approvals.map(({ state }) => state)).toEqual(['void'])
  })

  it('of an owner before is void after a takeover, and cannot be answered', async () => {
    const { approval, answer } = await asked(asks('Bash', command))
    const grant = await fixture.store.coordination.leases.acquire(sessionId, 'test/1', 60_000, 'restart')
    const ended = await fixture.gateway.voidOpen(
      sessionId,
      grant?.epoch ?? 0,
      say('cli_words', { text: 'The server was restarted.' }),
    )
    expect(ended.map(({ id, state }) => [id, state])).toEqual([[approval.id, 'void']])
    expect(resolvedEvent(ended[0] ?? approval)).toMatchObject({
      state: 'void',
      message: 'The server was restarted.',
    })
    expect((await answer).behavior).toBe('deny')
    expect((await codeOf(fixture.gateway.approvals.answer(owner(), approval.id, allow))).code).toBe(
      'already_answered',
    )
    // The old owner can ask nothing more.
    expect((await fixture.permissions.onPermission(asks('Bash', command))).behavior).toBe('deny')
  })

  it('that nobody waits for becomes void by an answer, and nothing is said to have run', async () => {
    const { approval } = await asked(asks('Bash', command))
    const orphan = { ...approval, id: 'appr_orphan12345' }
    await fixture.store.coordination.approvals.open(orphan, fixture.session.epoch)
    const { code, details } = await codeOf(fixture.gateway.approvals.answer(owner(), orphan.id, allow))
    expect([code, details]).toEqual(['already_answered', expect.objectContaining({ state: 'void' })])
  })

  it('needs the scope `approve`, and to exist', async () => {
    const { approval } = await asked(asks('Bash', command))
    const chat = owner('agent', ['read', 'chat', 'admin'])
    expect((await codeOf(fixture.gateway.approvals.answer(chat, approval.id, allow))).code).toBe('forbidden')
    expect((await codeOf(fixture.gateway.approvals.answer(owner(), 'appr_nothere00', allow))).code).toBe(
      'not_found',
    )
    expect((await fixture.gateway.approvals.get(owner(), approval.id)).state).toBe('pending')
  })

  it('can stop the turn with a denial', async () => {
    const { approval, answer } = await asked(asks('Bash', command))
    await fixture.gateway.approvals.answer(owner(), approval.id, { decision: 'deny', interrupt: true })
    expect(await answer).toEqual({ behavior: 'deny', message: expect.any(String), interrupt: true })
  })
})

describe('an edited input', () => {
  it('runs in place of what was asked, and the audit log has its hash', async () => {
    const { approval, answer } = await asked(asks('Bash', command))
    const updated = { command: 'npm test -- --bail' }
    await fixture.gateway.approvals.answer(owner(), approval.id, { ...allow, updated_input: updated })
    expect(await answer).toEqual({ behavior: 'allow', updatedInput: updated })
    expect(fixture.events.at(-1)).toMatchObject({ state: 'allowed', edited: true })
    expect((await fixture.auditEntries()).at(-1)).toMatchObject({
      action: 'tool_decided',
      approval_id: approval.id,
      input: updated,
      input_hash: inputHash(updated),
      detail: { edited: true },
    })
  })

  it('is held to deny rules and to the state folder', async () => {
    fixture.config.rules = [{ effect: 'deny', tool: 'Bash', match: '*sudo*' }]
    const bash = await asked(asks('Bash', command))
    const sudo = { ...allow, updated_input: { command: 'sudo npm test' } }
    expect((await codeOf(fixture.gateway.approvals.answer(owner(), bash.approval.id, sudo))).code).toBe(
      'invalid_request',
    )
    const read = await asked(asks('Read', { file_path: '/etc/hostname' }))
    const inside = { ...allow, updated_input: { file_path: join(fixture.stateFolder, 'dorkos.db') } }
    expect((await codeOf(fixture.gateway.approvals.answer(owner(), read.approval.id, inside))).code).toBe(
      'invalid_request',
    )
    // Both still wait for a proper answer.
    expect(
      (await fixture.gateway.approvals.list(owner(), { state: 'pending', limit: 10 })).approvals,
    ).toHaveLength(2)
  })
})

describe('a lasting answer', () => {
  it.each([
    ['session', { kind: 'session', session_id: sessionId }],
    ['always', { kind: 'workspace', workspace_id: 'ws_12345678' }],
    ['everywhere', { kind: 'everywhere' }],
  ] as const)('for %s makes a rule that answers the same call, until it is revoked', async (scope, where) => {
    const { approval, answer } = await asked(asks('Bash', command))
    await fixture.gateway.approvals.answer(owner(), approval.id, { decision: 'allow', scope })
    expect((await answer).behavior).toBe('allow')
    const [rule] = await fixture.rules.list(owner(), false)
    expect(rule).toMatchObject({
      effect: 'allow',
      tool: 'Bash',
      match: 'npm test',
      scope: where,
      origin: 'approval',
    })
    expect(fixture.events.at(-1)).toMatchObject({ type: 'approval_resolved', scope, rule_id: rule?.id })
    expect(await fixture.gateway.approvals.get(owner(), approval.id)).toMatchObject({
      scope,
      rule_id: rule?.id,
    })
    expect((await fixture.permissions.onPermission(asks('Bash', command))).behavior).toBe('allow')
    expect((await fixture.auditEntries()).at(-1)).toMatchObject({
      decided_by: { kind: 'rule', rule_id: rule?.id },
    })
    await asked(asks('Bash', { command: 'npm test 2' }))
    await fixture.rules.revoke(owner(), rule?.id ?? '')
    const again = await asked(asks('Bash', command))
    expect(again.approval.state).toBe('pending')
  })

  it('is what the card said: fixed fields, and a rule that stays so', async () => {
    const input = { repo: 'a', title: 'one' }
    const { approval, answer } = await asked(asks('mcp__git__issue', input))
    expect(approval.proposed_rule?.fields).toEqual(['repo', 'title'])
    await fixture.gateway.approvals.answer(owner(), approval.id, {
      decision: 'allow',
      scope: 'always',
      covers: { kind: 'fields', fields: ['repo'] },
    })
    expect((await answer).behavior).toBe('allow')
    const [rule] = await fixture.rules.list(owner(), false)
    expect(rule).toMatchObject({ tool: 'mcp__git__issue', match: '{"repo":"a"}', fields: ['repo'] })
    const same = await fixture.permissions.onPermission(asks('mcp__git__issue', { ...input, title: 'two' }))
    expect(same.behavior).toBe('allow')
    expect((await fixture.auditEntries()).at(-1)?.decided_by).toEqual({
      kind: 'rule',
      rule_id: rule?.id,
      rule_name: 'mcp__git__issue({"repo":"a"}, …)',
      principal: 'owner',
    })
    await asked(asks('mcp__git__issue', { ...input, repo: 'b' }))
    for (const change of [{ match: '{"repo":"b"}' }, { tool: 'mcp__git__push' }])
      expect((await codeOf(fixture.rules.change(owner(), rule?.id ?? '', change))).code).toBe(
        'invalid_request',
      )
    await fixture.rules.change(owner(), rule?.id ?? '', { effect: 'deny', scope: { kind: 'everywhere' } })
    expect(await fixture.rules.list(owner(), false)).toMatchObject([{ effect: 'deny', fields: ['repo'] }])
  })

  it('that is for commands names the rule of what the CLI then lets run, and can only allow', async () => {
    const seen = (toolCallId: string) =>
      fixture.permissions.onToolCall({
        ...asks('Bash', command),
        toolCallId,
        permissionMode: 'default',
        hookInput: {},
      })
    const question = { ...asks('Bash', command), commandRule: 'npm test *' }
    expect(await seen(question.toolCallId)).toEqual({ verdict: 'pass', commandRules: [] })
    const { approval } = await asked(question)
    expect(approval.proposed_rule).toMatchObject({ match: 'npm test', prefix: 'npm test *' })
    const covers = { kind: 'prefix' } as const
    await fixture.gateway.approvals.answer(owner(), approval.id, { ...allow, scope: 'session', covers })
    const [rule] = await fixture.rules.list(owner(), false)
    expect(rule).toMatchObject({ tool: 'Bash', match: 'npm test *', prefix: true })
    expect(await seen('toolu_next')).toEqual({ verdict: 'pass', commandRules: ['npm test *'] })
    fixture.permissions.onToolFinished({ toolCallId: 'toolu_next', tool: 'Bash', isError: false })
    const by = { kind: 'rule', rule_id: rule?.id, rule_name: 'Bash(npm test *)', principal: 'owner' }
    expect(fixture.events.at(-1)).toMatchObject({ type: 'tool_call_allowed', decided_by: by })
    await vi.waitFor(async () =>
      expect((await fixture.auditEntries()).at(-2)).toMatchObject({ decision: 'allow', decided_by: by }),
    )
    const denies = fixture.rules.change(owner(), rule?.id ?? '', { effect: 'deny' })
    expect((await codeOf(denies)).code).toBe('invalid_request')
    await fixture.rules.revoke(owner(), rule?.id ?? '')
    expect(await seen('toolu_last')).toEqual({ verdict: 'pass', commandRules: [] })
  })

  it('offers no rule for commands where the CLI was told to ask', async () => {
    await fixture.rules.create(owner(), { effect: 'ask', tool: 'Bash', scope: { kind: 'everywhere' } })
    const question = { ...asks('Bash', command), commandRule: 'npm test *' }
    await fixture.permissions.onToolCall({ ...question, permissionMode: 'default', hookInput: {} })
    expect((await asked(question)).approval.proposed_rule?.prefix).toBeUndefined()
  })

  it('that holds everywhere is an administrator’s, and decides nothing when it is refused', async () => {
    const { approval } = await asked(asks('Bash', command))
    const phone = owner('phone', ['read', 'chat', 'approve'])
    const everywhere = { decision: 'allow', scope: 'everywhere' } as const
    expect(await codeOf(fixture.gateway.approvals.answer(phone, approval.id, everywhere))).toMatchObject({
      code: 'forbidden',
      details: { needs: 'admin' },
    })
    expect((await fixture.gateway.approvals.get(owner(), approval.id)).state).toBe('pending')
    expect(await fixture.rules.list(owner(), false)).toEqual([])
  })

  it('makes its rule of the edited input', async () => {
    const { approval } = await asked(asks('Bash', command))
    const updated_input = { command: 'npm test -- -x' }
    await fixture.gateway.approvals.answer(owner(), approval.id, {
      decision: 'allow',
      scope: 'always',
      updated_input,
    })
    expect((await fixture.rules.list(owner(), false)).map(({ match }) => match)).toEqual(['npm test -- -x'])
  })

  it('is refused for a tool that always asks', async () => {
    const { approval } = await asked(asks('mcp__dorkos__set_config', { key: 'port' }))
    expect(approval.proposed_rule).toBeUndefined()
    for (const scope of ['session', 'always'] as const) {
      const answer = fixture.gateway.approvals.answer(owner(), approval.id, { decision: 'allow', scope })
      expect((await codeOf(answer)).code).toBe('invalid_request')
    }
    expect(await fixture.rules.list(owner(), false)).toEqual([])
  })
})

describe('questions, plans and forms', () => {
  it('are published as questions, and answered in the shape that the CLI takes', async () => {
    const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] }
    const { approval, answer } = await asked(asks('AskUserQuestion', input))
    expect(approval.kind).toBe('question')
    const answers = { 'Which?': 'A' }
    await fixture.gateway.approvals.answer(owner(), approval.id, { ...allow, answers })
    expect(await answer).toEqual({ behavior: 'allow', updatedInput: { ...input, answers } })
    expect(fixture.events.map(({ type }) => type)).toEqual(['question_prompt', 'question_resolved'])
    expect(fixture.events.at(-1)).toMatchObject({ state: 'allowed', answer: answers })
  })

  it('approve a plan with the mode to go on in', async () => {
    const { approval, answer } = await asked(asks('ExitPlanMode', { plan: '# Plan' }))
    expect(approval.kind).toBe('plan')
    await fixture.gateway.approvals.answer(owner(), approval.id, {
      ...allow,
      permission_mode: 'acceptEdits',
    })
    expect(await answer).toEqual({
      behavior: 'allow',
      updatedInput: { plan: '# Plan' },
      permissionMode: 'acceptEdits',
    })
  })

  it('pass a form to its server: accepted, declined or closed by a person, cancelled by the deadline', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const elicit = async () => {
      const shown = fixture.shown()
      const question = {
        server: 'ext',
        message: 'Who?',
        schema,
        url: undefined,
        signal: new AbortController().signal,
      }
      const answer = fixture.permissions.onElicitation(question)
      return { id: (await shown).id, answer }
    }
    const first = await elicit()
    await fixture.gateway.approvals.answer(owner(), first.id, { ...allow, answers: { name: 'Ada' } })
    expect(await first.answer).toEqual({ action: 'accept', content: { name: 'Ada' } })
    const second = await elicit()
    await fixture.gateway.approvals.answer(owner(), second.id, { decision: 'deny' })
    expect(await second.answer).toEqual({ action: 'decline' })
    const closed = await elicit()
    const answered = await fixture.gateway.approvals.answer(owner(), closed.id, {
      decision: 'deny',
      dismiss: true,
    })
    expect(await closed.answer).toEqual({ action: 'cancel' })
    expect(answered).toMatchObject({ state: 'denied', decided_by: { kind: 'person' } })
    const third = await elicit()
    fixture.clock.advance(240 * 60_000)
    expect(await third.answer).toEqual({ action: 'cancel' })
    fixture.now.unattended = true
    const nobody = {
      server: 'ext',
      message: 'Who?',
      schema,
      url: undefined,
      signal: new AbortController().signal,
    }
    expect(await fixture.permissions.onElicitation(nobody)).toEqual({ action: 'cancel' })
  })
})

describe('an unattended session', () => {
  it('is denied at once with words, and nobody is asked', async () => {
    fixture.now.unattended = true
    expect(await fixture.permissions.onPermission(asks('Bash', command))).toEqual({
      behavior: 'deny',
      message: expect.stringContaining('Nobody watches'),
    })
    expect(fixture.events).toMatchObject([
      { type: 'tool_call_denied', decided_by: { kind: 'unattended' } },
      { type: 'notice', code: 'permission_denied' },
    ])
    expect((await fixture.gateway.approvals.list(owner(), { state: 'all', limit: 10 })).approvals).toEqual([])
  })
})

describe('the audit log', () => {
  const seen = (
    toolCallId: string,
    tool: string,
    permissionMode: string,
    input: Record<string, unknown> = command,
  ) => fixture.permissions.onToolCall(seenCall({ toolCallId, tool, input, permissionMode }))

  async function written() {
    await fixture.permissions.close(say('cli_words', { text: 'done' }))
    const entries = await fixture.auditEntries()
    for (const entry of entries) auditEntrySchema.parse(entry)
    return entries.map(({ action, decision, decided_by, tool_call_id }) =>
      [tool_call_id, action, decision, decided_by?.kind].filter(Boolean).join(' '),
    )
  }

  it('has every call of every mode, and who let it run', async () => {
    fixture.config.rules = [{ effect: 'deny', tool: 'WebFetch' }]
    await seen('1', 'Bash', 'bypassPermissions')
    fixture.permissions.onToolFinished({ toolCallId: '1', tool: 'Bash', isError: false })
    await seen('2', 'Write', 'acceptEdits', { file_path: 'x' })
    fixture.permissions.onToolFinished({ toolCallId: '2', tool: 'Write', isError: true })
    await seen('3', 'Bash', 'default', { command: 'ls' })
    fixture.permissions.onToolFinished({ toolCallId: '3', tool: 'Bash', isError: false })
    expect((await seen('4', 'WebFetch', 'bypassPermissions', {})).verdict).toBe('deny')
    fixture.permissions.onToolFinished({ toolCallId: '4', tool: 'WebFetch', isError: true })
    await seen('5', 'mcp__dorkos__ping', 'acceptEdits', {})
    await fixture.permissions.onPermission({ ...asks('mcp__dorkos__ping', {}), toolCallId: '5' })
    fixture.permissions.onToolFinished({ toolCallId: '5', tool: 'mcp__dorkos__ping', isError: false })
    await seen('6', 'Bash', 'dontAsk')
    fixture.permissions.onToolDenied({ toolCallId: '6', tool: 'Bash', message: 'dontAsk' })
    fixture.permissions.onToolFinished({ toolCallId: '6', tool: 'Bash', isError: true })
    fixture.permissions.onToolFinished({ toolCallId: '7', tool: 'Unseen', isError: false })
    fixture.permissions.onToolFinished({ toolCallId: '8', tool: 'NotThere', isError: true })
    expect((await written()).toSorted()).toEqual([
      '1 tool_decided allow mode',
      '1 tool_finished',
      '1 tool_requested',
      '2 tool_decided allow mode',
      '2 tool_finished',
      '2 tool_requested',
      '3 tool_decided allow cli',
      '3 tool_finished',
      '3 tool_requested',
      '4 tool_decided deny rule',
      '4 tool_requested',
      '5 tool_decided allow mode',
      '5 tool_finished',
      '5 tool_requested',
      '6 tool_decided deny mode',
      '6 tool_requested',
      '7 tool_decided allow cli',
      '7 tool_finished',
      '7 tool_requested',
      '8 tool_decided deny cli',
      '8 tool_requested',
    ])
    expect((await fixture.audit.verify(owner())).intact).toBe(true)
    expect(fixture.permissions.takeCounts()).toEqual({ ran: 5, denied: 3 })
    expect(fixture.permissions.takeCounts()).toEqual({ ran: 0, denied: 0 })
  })

  it('says in short what was decided and done, where the input is not repeated', async () => {
    await seen('1', 'Bash', 'default', { command: `ls ${'x'.repeat(1000)}` })
    fixture.permissions.onToolFinished({ toolCallId: '1', tool: 'Bash', isError: false })
    await seen('2', 'mcp__dorkos__ping', 'default', {})
    fixture.permissions.onToolFinished({ toolCallId: '2', tool: 'mcp__dorkos__ping', isError: false })
    await fixture.permissions.close(say('cli_words', { text: 'over' }))
    const entries = await fixture.auditEntries()
    const subjects = (action: string) =>
      entries.filter((entry) => entry.action === action).map(({ subject }) => subject)
    const short = `ls ${'x'.repeat(197)}`
    expect(subjects('tool_requested')).toEqual([undefined, undefined])
    expect(subjects('tool_decided')).toEqual([short, undefined])
    expect(subjects('tool_finished')).toEqual([short, undefined])
  })

  it('bounds inputs, and hashes them whole', async () => {
    const input = { file_path: 'big', content: 'x'.repeat(200_000) }
    await seen('1', 'Write', 'default', input)
    const [entry] = await fixture.auditEntries()
    expect(entry?.input_hash).toBe(inputHash(input))
    expect(JSON.stringify(entry?.input).length).toBeLessThan(70_000)
    expect(entry?.input).toMatchObject({ omitted_characters: expect.any(Number) })
  })

  it('has what people do', async () => {
    await fixture.audit.record(owner('phone'), 'token_created', { name: 'x' })
    const rule = await fixture.rules.create(owner(), {
      effect: 'deny',
      tool: 'WebFetch',
      scope: { kind: 'everywhere' },
    })
    await fixture.rules.change(owner(), rule.id, { effect: 'ask' })
    await fixture.rules.revoke(owner(), rule.id)
    const entries = await fixture.auditEntries()
    expect(entries.map(({ action }) => action)).toEqual([
      'token_created',
      'rule_created',
      'rule_changed',
      'rule_revoked',
    ])
    expect(entries[0]).toMatchObject({
      decided_by: { kind: 'person', token_name: 'phone', from: '127.0.0.1' },
    })
    const page = await fixture.audit.list(owner(), { limit: 2 })
    expect(page.entries.map(({ action }) => action)).toEqual(['rule_revoked', 'rule_changed'])
    expect((await fixture.audit.list(owner(), { limit: 2, before: page.before ?? 0 })).entries).toHaveLength(
      2,
    )
  })
})

describe('an input that is another than the one that was looked at', () => {
  it('is denied under the same call, whatever rules say of it, and nobody is asked', async () => {
    fixture.config.rules = [{ effect: 'allow', tool: 'Bash', match: 'npm publish' }]
    const seen = seenCall({ tool: 'Bash', input: command, permissionMode: 'default' })
    const { toolCallId } = seen
    expect((await fixture.permissions.onToolCall(seen)).verdict).toBe('pass')
    const message =
      'The input of this call was changed after it was looked at, so it was denied. Say what you need instead.'
    const changed = { ...asks('Bash', { command: 'npm publish' }), toolCallId }
    expect(await fixture.permissions.onPermission(changed)).toEqual({ behavior: 'deny', message })
    expect(fixture.events).toMatchObject([
      { type: 'tool_call_denied', tool_call_id: toolCallId, decided_by: { kind: 'server' }, message },
      { type: 'notice', code: 'permission_denied', message: `Bash: ${message}` },
    ])
    const decided = (await fixture.auditEntries()).filter(({ action }) => action === 'tool_decided')
    expect(decided).toMatchObject([
      { decision: 'deny', decided_by: { kind: 'server' }, input_hash: inputHash(changed.input) },
    ])
  })
})

describe('what cannot be checked or recorded', () => {
  it('is denied when the input is beyond looking at', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 300; level++) deep = { deep }
    const input = { deep }
    const call = seenCall({ tool: 'mcp__x__y', input })
    expect((await fixture.permissions.onToolCall(call)).verdict).toBe('deny')
    expect((await fixture.permissions.onPermission(asks('mcp__x__y', input))).behavior).toBe('deny')
  })

  it('is denied while the audit log or the approvals cannot be written', async () => {
    let broken = true
    await using other = await openGateway({
      auditLog: (log) => ({
        ...log,
        append: (entries) => (broken ? Promise.reject(new Error('disk full')) : log.append(entries)),
      }),
    })
    const call = seenCall({ tool: 'Bash', input: command })
    expect((await other.permissions.onToolCall(call)).verdict).toBe('deny')
    const shown = other.shown()
    const answer = other.permissions.onPermission(asks('Bash', command))
    await other.gateway.approvals.answer(owner(), (await shown).id, allow)
    expect(await answer).toEqual({ behavior: 'deny', message: expect.stringContaining('audit log') })
    other.config.rules = [{ effect: 'allow', tool: 'Bash' }]
    expect((await other.permissions.onPermission(asks('Bash', command))).behavior).toBe('deny')
    broken = false
    expect((await other.permissions.onPermission(asks('Bash', command))).behavior).toBe('allow')

    await using full = await openGateway({
      approvals: (store) => ({ ...store, open: () => Promise.reject(new Error('disk full')) }),
    })
    expect((await full.permissions.onPermission(asks('Bash', command))).behavior).toBe('deny')
    expect(full.events).toEqual([])
  })

  it('is denied at the deadline even when the store is gone', async () => {
    await using other = await openGateway({
      approvals: (store) => ({ ...store, settle: () => Promise.reject(new Error('disk full')) }),
    })
    const shown = other.shown()
    const answer = other.permissions.onPermission(asks('Bash', command))
    await shown
    other.clock.advance(240 * 60_000)
    expect((await answer).behavior).toBe('deny')
  })
})

describe('rules as a service', () => {
  it('lists those of the configuration, which cannot be changed here', async () => {
    fixture.config.rules = [{ effect: 'allow', tool: 'mcp__*' }]
    expect(await fixture.rules.list(owner(), false)).toMatchObject([
      { id: 'config_1', pattern: true, origin: 'configuration' },
    ])
    expect((await codeOf(fixture.rules.revoke(owner(), 'config_1'))).code).toBe('conflict')
    expect((await codeOf(fixture.rules.change(owner(), 'config_1', { effect: 'deny' }))).code).toBe(
      'conflict',
    )
  })

  it('refuses what could never hold, and what is not there', async () => {
    const scope = { kind: 'everywhere' } as const
    for (const tool of ['mcp__*', 'AskUserQuestion', 'mcp__dorkos__set_config']) {
      const made = fixture.rules.create(owner(), { effect: 'allow', tool, scope })
      expect((await codeOf(made)).code).toBe('invalid_request')
    }
    const rule = await fixture.rules.create(owner(), { effect: 'deny', tool: 'AskUserQuestion', scope })
    expect((await codeOf(fixture.rules.change(owner(), rule.id, { effect: 'allow' }))).code).toBe(
      'invalid_request',
    )
    await fixture.rules.revoke(owner(), rule.id)
    expect((await codeOf(fixture.rules.revoke(owner(), rule.id))).code).toBe('not_found')
    expect((await codeOf(fixture.rules.revoke(owner(), 'rule_nothere0'))).code).toBe('not_found')
    expect((await fixture.rules.list(owner(), true)).some(({ id }) => id === rule.id)).toBe(true)
  })

  it('holds in running sessions from the moment it is made', async () => {
    const call = seenCall({ tool: 'Bash', input: command })
    expect((await fixture.permissions.onToolCall(call)).verdict).toBe('pass')
    const rule = await fixture.rules.create(owner(), {
      effect: 'deny',
      tool: 'Bash',
      scope: { kind: 'session', session_id: sessionId },
    })
    expect((await fixture.permissions.onToolCall(call)).verdict).toBe('deny')
    await fixture.rules.change(owner(), rule.id, { effect: 'ask' })
    expect((await fixture.permissions.onToolCall(call)).verdict).toBe('ask')
    await fixture.rules.revoke(owner(), rule.id)
    expect((await fixture.permissions.onToolCall(call)).verdict).toBe('pass')
    expect(fixture.published.filter(({ type }) => type === 'rules_changed')).toHaveLength(3)
  })
})

/** What ran, against what was decided about; and hooks of the machine's policy, which decide inside of the CLI. */
import { say } from '@dorkos/shared'
import { matchesHook } from 'claude-code-agent'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { owner } from '../../../test/support/actors.ts'
import { asks, type GatewayFixture, openGateway } from '../../../test/support/gateway-fixture.ts'
import { policyHook } from '../../../test/support/policy-hook.ts'
import { PolicyOpinions } from '../hooks/policy-opinions.ts'
import type { SessionPermissions } from './session-permissions.ts'

let fixture: GatewayFixture
let permissions: SessionPermissions
let policy: PolicyOpinions
/** How many lines of the audit log are of earlier tests. */
let before = 0
beforeAll(async () => {
  fixture = await openGateway()
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(async () => {
  before = (await fixture.auditEntries()).length
  policy = new PolicyOpinions([policyHook('PreToolUse', 'Bash')], matchesHook)
  const { session } = fixture
  const hooks = { about: async () => [], loosensSandbox: false, policy }
  permissions = fixture.gateway.openFor({ ...session, hooks })
})
afterEach(() => permissions.close(say('cli_words', { text: 'The test is over.' })))

const entries = async () => (await fixture.auditEntries()).slice(before)

const command = { command: 'npm test' }
const other = { command: 'npm start' }

/** A call that the hook before it has seen. */
async function seen(question: ReturnType<typeof asks>, permissionMode = 'default'): Promise<void> {
  await permissions.onToolCall({ ...question, permissionMode, hookInput: {} })
}
const policySays = (permissionDecision: 'allow' | 'deny') => {
  const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } })
  policy.see({ hook_event: 'PreToolUse', hook_name: 'PreToolUse:Bash', stdout, exit_code: 0 })
}
/** Who decided, in their order. */
async function decided(): Promise<string[]> {
  await permissions.close(say('cli_words', { text: 'done' }))
  const rows = (await entries()).filter(({ action }) => action === 'tool_decided')
  return rows.map(({ decision, decided_by }) => `${decision} ${decided_by?.hook_name ?? decided_by?.kind}`)
}

describe('a call that ran', () => {
  it('with the input that was decided about is as it should be', async () => {
    const question = asks('Bash', command)
    await seen(question)
    expect(permissions.onToolRan(question)).toBeUndefined()
    permissions.onToolFinished({ ...question, isError: false })
    // Reported once more, when it is over.
    expect(permissions.onToolRan(question)).toBeUndefined()
  })

  it('without having been seen before is reported, and what ran is in the audit log', async () => {
    await seen(asks('Bash', command))
    const unseen = asks('Bash', other)
    expect(permissions.onToolRan(unseen)?.message).toContain('without DorkOS seeing the call')
    await permissions.close(say('cli_words', { text: 'done' }))
    const [, ...later] = await entries()
    expect(later).toMatchObject([
      { action: 'tool_ran_otherwise', tool_call_id: unseen.toolCallId, input: other },
    ])
  })

  it('with another input is reported, and what ran is in the audit log', async () => {
    const question = asks('Bash', command)
    await seen(question)
    expect(permissions.onToolRan({ ...question, input: other })?.message).toContain('with input that differs')
    await permissions.close(say('cli_words', { text: 'done' }))
    const [requested, ...later] = await entries()
    expect(later).toMatchObject([
      {
        action: 'tool_ran_otherwise',
        tool_call_id: question.toolCallId,
        input: other,
        detail: { decided_input_hash: requested?.input_hash },
      },
    ])
  })

  it('with the input that a person put in its place is as it should be, and no other is', async () => {
    const question = asks('Bash', command)
    await seen(question)
    const shown = fixture.shown()
    const answer = permissions.onPermission(question)
    const { id } = await shown
    await fixture.gateway.approvals.answer(owner(), id, {
      decision: 'allow',
      scope: 'once',
      updated_input: other,
    })
    expect(await answer).toMatchObject({ updatedInput: other })
    expect(permissions.onToolRan({ ...question, input: other })).toBeUndefined()
    expect(permissions.onToolRan(question)?.message).toContain('with input that differs')
  })

  it('although a person said no, or was to be asked first, is reported', async () => {
    const denied = asks('Bash', command)
    await seen(denied)
    const shown = fixture.shown()
    const answer = permissions.onPermission(denied)
    await fixture.gateway.approvals.answer(owner(), (await shown).id, { decision: 'deny' })
    expect(await answer).toMatchObject({ behavior: 'deny' })
    expect(permissions.onToolRan(denied)?.message).toContain('although it was denied')
    const fetched = asks('WebFetch', { url: 'https://example.com' })
    await seen(fetched)
    expect(permissions.onToolRan(fetched)?.message).toContain('before anyone had answered')
  })

  it('to ask a person something is left to that', async () => {
    const question = asks('AskUserQuestion', { questions: [] })
    expect(permissions.onToolRan(question)).toBeUndefined()
    await seen(question)
    expect(permissions.onToolRan({ ...question, input: { questions: [], answers: {} } })).toBeUndefined()
  })
})

describe('a hook of the machine’s policy', () => {
  it('is the decider of a call that it allowed and nobody was asked about', async () => {
    const question = asks('Bash', command)
    policySays('allow')
    await seen(question)
    permissions.onToolFinished({ ...question, isError: false })
    const next = asks('Bash', command)
    await seen(next)
    permissions.onToolFinished({ ...next, isError: false })
    expect(await decided()).toEqual(['allow PreToolUse: x', 'allow cli'])
  })

  it('is not, where the mode asks nobody', async () => {
    const question = asks('Bash', command)
    policySays('allow')
    await seen(question, 'bypassPermissions')
    permissions.onToolFinished({ ...question, isError: false })
    expect(await decided()).toEqual(['allow mode'])
  })

  it('is the decider of a call that it kept from being seen', async () => {
    policySays('deny')
    permissions.onToolFinished({ ...asks('Bash', command), isError: true })
    permissions.onToolFinished({ ...asks('Bash', command), isError: true })
    expect(await decided()).toEqual(['deny PreToolUse: x', 'deny cli'])
  })
})

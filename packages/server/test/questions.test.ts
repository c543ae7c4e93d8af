/** What an agent asks a person: questions with choices, and plans to review. */
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import type { Answer } from './support/prompts.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()
const { start } = used

const choice = (label: string) => ({ label, description: label })
const questions = [
  {
    question: 'Which colour?',
    header: 'Colour',
    multiSelect: false,
    options: [choice('Red'), choice('Blue')],
  },
  { question: 'Which sizes?', header: 'Sizes', multiSelect: true, options: [choice('S'), choice('L')] },
]

const prompt = async (session: Conversation) =>
  (
    await session.watch.next(
      'question_prompt',
      (event) => session.watch.of('question_prompt').at(-1) === event,
    )
  ).approval
const reply = (session: Conversation) => String(session.watch.of('tool_result').at(-1)?.content[0]?.text)

describe('a question', () => {
  it('is answered with one choice, several, or words of one’s own', async () => {
    const { client } = used.host
    const session = await start([toolUse('AskUserQuestion', { questions }), 'thanks'])
    const approval = await prompt(session)
    expect(approval).toMatchObject({ kind: 'question', tool: 'AskUserQuestion', input: { questions } })
    expect((await client.listApprovals()).approvals).toEqual([approval])
    const params = { id: approval.id }
    for (const answers of [undefined, {}, { 'Which?': 'Red' }, { 'Which colour?': 3 }])
      await expect(
        client.answerApproval({ params, body: { decision: 'allow', ...(answers && { answers }) } }),
      ).rejects.toMatchObject({ status: 400, code: 'invalid_request' })
    const answers = { 'Which colour?': 'Something darker', 'Which sizes?': ['S', 'L'] }
    expect(await client.answerApproval({ params, body: { decision: 'allow', answers } })).toMatchObject({
      state: 'allowed',
      answer: answers,
    })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(reply(session)).toContain('"Which colour?"="Something darker", "Which sizes?"="S, L"')
    expect(session.watch.of('question_resolved')).toMatchObject([
      { approval_id: approval.id, state: 'allowed', answer: answers },
    ])
  })

  it('is asked in bypassPermissions too, and may be declined', async () => {
    const session = await start([toolUse('AskUserQuestion', { questions }), 'I see'], {
      permission_mode: 'bypassPermissions',
    })
    const { id } = await prompt(session)
    await used.host.client.answerApproval({
      params: { id },
      body: { decision: 'deny', message: 'Decide it yourself.' },
    })
    await session.endOf(1)
    expect(reply(session)).toBe('Decide it yourself.')
  })
})

describe('a plan', () => {
  /** The CLI names the file in which it wants the plan; what stands there is what is reviewed. */
  const writePlan: Answer = (request) => {
    const file = /[^\s"\\]*\/plans\/[^\s"\\]*\.md/.exec(JSON.stringify(request.body))?.[0]
    return toolUse('Write', { file_path: file, content: '# The plan' })
  }

  it('is sent back with words, then accepted with the mode to go on in', async () => {
    const session = await start(
      [writePlan, toolUse('ExitPlanMode', {}), toolUse('ExitPlanMode', {}), 'off we go'],
      { permission_mode: 'plan' },
    )
    const { client } = used.host
    const first = await prompt(session)
    expect(first).toMatchObject({ kind: 'plan', input: { plan: '# The plan' } })
    const sentBack = { decision: 'deny', message: 'Smaller, please.' } as const
    await client.answerApproval({ params: { id: first.id }, body: sentBack })
    const second = (await session.watch.next('question_prompt', ({ approval }) => approval.id !== first.id))
      .approval
    expect(session.watch.of('tool_result').at(-1)).toMatchObject({
      is_error: true,
      content: [{ text: 'Smaller, please.' }],
    })
    await client.answerApproval({
      params: { id: second.id },
      body: { decision: 'allow', permission_mode: 'acceptEdits' },
    })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(reply(session)).toContain('approved')
    expect(await session.session()).toMatchObject({ permission_mode: 'acceptEdits' })
    // It holds: an edit runs unasked now.
    const edit = toolUse('Write', { file_path: `${used.host.cwd}/new.txt`, content: 'new' })
    expect(await session.say(used.prompts.on('go on', edit, 'done'))).toMatchObject({ outcome: 'completed' })
    expect(session.watch.of('approval_required')).toEqual([])
    expect(session.watch.of('tool_result').at(-1)).toMatchObject({ is_error: false })
  })
})

/** What a session is run with, and what of it can be changed while it lives. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointBody } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Prompts } from './support/prompts.ts'
import { type Host, startHost } from './support/start-host.ts'

const prompts = new Prompts()
let host: Host
let session: Conversation
beforeAll(async () => {
  host = await startHost(prompts.script)
})
afterEach(() => session?.close())
afterAll(() => host?.close())

async function start(body: EndpointBody<'createSession'>): Promise<Conversation> {
  session = await Conversation.open(host, body)
  return session
}

const change = (body: EndpointBody<'changeSession'>) =>
  host.client.changeSession({ params: session.params, body })
const lastRequest = () =>
  host.model.requests.findLast(({ sessionId, kind }) => sessionId === session.id && kind === 'main')
const ping = toolUse('mcp__dorkos__ping')

const answerSchema = {
  type: 'object',
  properties: { answer: { type: 'integer' } },
  required: ['answer'],
  additionalProperties: false,
}

describe('a session with a schema', () => {
  let answering: Conversation
  beforeAll(async () => {
    answering = await Conversation.open(host, { output_schema: answerSchema })
  })
  afterAll(() => answering?.close())

  it('answers with JSON of a schema', async () => {
    const output = toolUse('StructuredOutput', { answer: 42 })
    const end = await answering.say(prompts.on('the question', output, 'there'))
    expect(end).toMatchObject({ outcome: 'completed', structured_output: { answer: 42 } })
    expect(await answering.turn(end.turn_id)).toMatchObject({ structured_output: { answer: 42 } })
  })

  it('4. is refused before a process starts where no answer could match its schema', async () => {
    for (const output_schema of [{ type: 'array' }, { type: 'object', properties: 7 }, { kind: 'nonsense' }])
      await expect(host.client.createSession({ body: { output_schema } })).rejects.toMatchObject({
        status: 400,
        said: { reason: 'output_schema_invalid' },
      })
  })

  it('says so when the agent does not keep to the schema', async () => {
    const wrong = Array.from({ length: 20 }, () => toolUse('StructuredOutput', { answer: 'forty-two' }))
    const end = await answering.say(prompts.on('the wrong answer', ...wrong))
    expect(end).toMatchObject({
      outcome: 'structured_output_failed',
      reason: expect.stringContaining('schema'),
    })
    expect(end).not.toHaveProperty('structured_output')
    expect(await answering.session()).toMatchObject({ state: 'failed' })
  })

  it('says so when the agent answers in text all the same', async () => {
    // The CLI reminds the model once, and is then content (2.1.325).
    prompts.on(
      '[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call this tool now.',
      'as I said',
    )
    const end = await answering.say(prompts.on('just talk', 'forty-two'))
    expect(end).toMatchObject({
      outcome: 'structured_output_failed',
      reason: expect.stringContaining('schema'),
    })
    expect(await answering.turn(end.turn_id)).toMatchObject({ outcome: 'structured_output_failed' })
    // A command of the CLI's own calls no model, and owes no output.
    const command = await answering.say('/context')
    expect(command).toMatchObject({ outcome: 'completed' })
  })
})

describe('a session', () => {
  it('changes its model and its permission mode while it lives', async () => {
    await start({ content: prompts.on('first', 'one'), model: 'claude-haiku-4-5' })
    await session.endOf(1)
    expect(lastRequest()?.model).toMatch(/haiku/)
    // The CLI tries a model with a short message before it changes to it.
    prompts.on('Hi', 'Hello')
    expect(await change({ model: 'claude-opus-4-5' })).toMatchObject({ model: 'claude-opus-4-5' })
    const refused = await change({ model: 'claude-unheard-of' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'agent_failed', message: expect.stringContaining('set_model') })
    expect(await session.session()).toMatchObject({ model: 'claude-opus-4-5' })
    await session.say(prompts.on('second', 'two'))
    expect(lastRequest()?.model).toMatch(/opus/)

    expect(await change({ permission_mode: 'acceptEdits' })).toMatchObject({ permission_mode: 'acceptEdits' })
    await session.watch.next('session_status', ({ permission_mode }) => permission_mode === 'acceptEdits')
    await session.say(prompts.on('third', ping, 'three'))
    expect(session.watch.of('approval_required')).toEqual([])
    expect(session.watch.of('tool_result')).toMatchObject([{ is_error: false }])
    expect(
      session.watch.of('session_status').filter(({ reason }) => reason === 'the process started'),
    ).toHaveLength(1)
    // Both are kept for the next process.
    await host.client.stopSession({ params: session.params, body: {} })
    await session.say(prompts.on('fourth', ping, 'four'))
    expect(lastRequest()?.model).toMatch(/opus/)
    expect(session.watch.of('approval_required')).toEqual([])
  })

  it('thinks as hard as it is set to, and can be set otherwise while it lives', async () => {
    const effort = () => (lastRequest()?.body.output_config as { effort?: string } | undefined)?.effort
    await start({ content: prompts.on('think', 'one'), model: 'claude-opus-4-6', effort: 'low' })
    await session.endOf(1)
    expect(effort()).toBe('low')
    expect(await session.session()).toMatchObject({ effort: 'low' })
    expect(await change({ effort: 'max' })).toMatchObject({ effort: 'max' })
    await session.watch.next('session_status', (status) => status.effort === 'max')
    await session.say(prompts.on('think more', 'two'))
    expect(effort()).toBe('max')
    // What the process was started with still holds.
    await session.say(
      prompts.on('read a secret', toolUse('Read', { file_path: join(host.home, 'config.jsonc') }), 'no'),
    )
    expect(session.watch.of('tool_result')).toMatchObject([{ is_error: true }])
    expect(
      session.watch.of('session_status').filter(({ reason }) => reason === 'the process started'),
    ).toHaveLength(1)
    // Kept for the next process, and for a fork.
    await host.client.stopSession({ params: session.params, body: {} })
    await session.say(prompts.on('think again', 'three'))
    expect(effort()).toBe('max')
    const fork = await host.client.forkSession({ params: session.params, body: {} })
    expect(fork.effort).toBe('max')
    await host.client.deleteSession({ params: { id: fork.id } })

    expect(await change({ effort: null })).not.toHaveProperty('effort')
    await session.watch.next('session_status', (status) => status.effort === null)
    await session.say(prompts.on('think as you like', 'four'))
    expect(effort()).toBe('high')
    await expect(change({ effort: 'huge' as 'max' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('ends a turn that takes too many steps', async () => {
    const steps = Array.from({ length: 5 }, () => ping)
    await start({
      content: prompts.on('go on and on', ...steps),
      max_turns: 2,
      permission_mode: 'acceptEdits',
    })
    const end = await session.endOf(1)
    expect(end).toMatchObject({ outcome: 'max_turns', reason: expect.stringContaining('steps') })
    expect(session.watch.of('tool_result')).toHaveLength(2)
    await change({ max_turns: 10 })
    const more = await session.say(prompts.on('a bit more', ping, ping, ping, 'done'))
    expect(more).toMatchObject({ outcome: 'completed' })
  })

  it('denies at once what nobody is there to answer', async () => {
    const file = toolUse('Write', { file_path: join(host.cwd, 'unasked.txt'), content: 'x' })
    await start({ content: prompts.on('write it', file, 'I could not'), unattended: true })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(session.watch.of('tool_result')).toMatchObject([{ is_error: true }])
    expect(JSON.stringify(session.watch.of('tool_result')[0]?.content)).toContain(
      'Nobody watches this session',
    )
    expect(session.watch.of('approval_required')).toEqual([])
    expect(readdirSync(host.cwd)).not.toContain('unasked.txt')
    expect(lastRequest()?.system).toContain('Nobody watches this session')
    const { entries } = await host.client.listAudit({ query: { session_id: session.id, limit: 50 } })
    expect(entries.find(({ action }) => action === 'tool_decided')).toMatchObject({
      decision: 'deny',
      decided_by: { kind: 'unattended' },
    })
  })
})

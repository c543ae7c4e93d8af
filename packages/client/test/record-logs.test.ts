/**
 * Records the logs that the reducer's tests replay: each is what a real server sent of a real session of the CLI, live and
 * again as history. Not a test; run by hand after a change of the events:
 *
 *   RECORD_LOGS=1 npx vitest run packages/client/test/record-logs.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { ApprovalAnswer, PermissionMode, StreamEvent } from '@dorkos/shared'
import { apiError, hang, reply, text, thinking, toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { Conversation } from '../../server/test/support/conversation.ts'
import { type Answer, Prompts } from '../../server/test/support/prompts.ts'
import { createShiftingClock } from '../../server/test/support/shifting-clock.ts'
import { type Host, startHost } from '../../server/test/support/start-host.ts'

const prompts = new Prompts()
const clock = createShiftingClock()
let host: Host

/** A subagent's requests do not show the prompt that began it all. */
const subagent: Answer[] = []
const script: typeof prompts.script = (request) => {
  if (request.kind !== 'subagent') return prompts.script(request)
  const next = subagent.shift()
  if (next === undefined) throw new Error('the subagent has no answer left')
  return typeof next === 'function' ? next(request) : next
}

async function historyOf(id: string, limit: number): Promise<StreamEvent[][]> {
  const pages: StreamEvent[][] = []
  let before: string | undefined
  do {
    const page = await host.client.getHistory({
      params: { id },
      query: { limit, ...(before !== undefined && { before }) },
    })
    pages.unshift(page.events)
    before = page.before
  } while (before !== undefined)
  return pages
}

/** Without what is the same in every event, or large. */
function trimmed({ session: _session, ...event }: StreamEvent): object {
  if (event.type !== 'session_status') return event
  const { mcp_servers: _servers, ...rest } = event
  return rest
}

async function save(name: string, session: Conversation): Promise<void> {
  const log = await fullLog(session.id)
  const pages = await historyOf(session.id, 2)
  const [history] = await historyOf(session.id, 500)
  const lines = [
    // `pages`: how many events each page has when they are small.
    { session: session.id, pages: pages.map(({ length }) => length) },
    ...log.map((event) => ({ log: trimmed(event) })),
    ...(history ?? []).map((event) => ({ history: trimmed(event) })),
  ]
  const clean = lines
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
    .replaceAll(host.cwd, '/projects/demo')
    .replaceAll(host.home, '/projects/state')
    .replaceAll(host.root, '/projects')
    .replaceAll(host.cwd.replaceAll('/', '-'), '-projects-demo')
  const file = new URL(`../src/live/fixtures/${name}.jsonl`, import.meta.url)
  writeFileSync(file, clean)
  console.log(name, log.length, 'events,', readFileSync(file).length, 'bytes')
  await session.close()
}

/** All but the very first event, which only says that there is a session. */
async function fullLog(id: string): Promise<StreamEvent[]> {
  const last = (await snapshotOf(id)).at
  const events: StreamEvent[] = []
  const abort = new AbortController()
  for await (const frame of host.client.followSession(id, { signal: abort.signal, lastEventId: '1-1' })) {
    if (frame.frame !== 'message') continue
    events.push(frame.event)
    if (frame.event.id === last) break
  }
  abort.abort()
  return events
}

async function snapshotOf(id: string) {
  const abort = new AbortController()
  try {
    for await (const frame of host.client.followSession(id, { signal: abort.signal }))
      if (frame.frame === 'snapshot') return frame.snapshot
  } finally {
    abort.abort()
  }
  throw new Error('no snapshot came')
}

const write = (name: string, content = 'hello') =>
  toolUse('Write', { file_path: `${host.cwd}/${name}`, content })
/** Paths are replaced in what is recorded, so none may be cut in two. */
const whole = (...blocks: Parameters<typeof reply>[0][number][]) => reply(blocks, { deltaSize: 1000 })
const slowly = { deltaSize: 4, deltaDelayMs: 30 }

describe.skipIf(process.env.RECORD_LOGS === undefined)('logs', () => {
  beforeAll(async () => {
    host = await startHost(script, { clock })
  })
  afterAll(() => host.close())

  const open = (permission_mode: PermissionMode = 'default') => Conversation.open(host, { permission_mode })

  it('plain text', async () => {
    const session = await open()
    await session.say(prompts.on('hello', reply([text('Hello there, this comes in pieces.')], slowly)))
    await session.say(prompts.on('more', reply([text('And **more** of it, in `code` too.')], slowly)))
    await save('plain-text', session)
  })

  it('thinking and tools', async () => {
    const session = await open('bypassPermissions')
    const answer = [
      thinking('I should look at it first. Slowly, and from all sides, so that nothing is overlooked.'),
      text('Let me see.'),
      toolUse('mcp__dorkos__ping', {}),
    ]
    await session.say(
      prompts.on(
        'look around',
        reply(answer, slowly),
        whole(toolUse('Read', { file_path: `${host.cwd}/missing.txt` }), toolUse('Bash', { command: 'ls' })),
        'There is nothing here.',
      ),
    )
    await session.say(prompts.on('again', [toolUse('Bash', { command: 'exit 3' })], 'Still nothing.'))
    await save('thinking-and-tools', session)
  })

  it('a question', async () => {
    const session = await open()
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ]
    for (const [prompt, body] of [
      ['ask me', { decision: 'allow', answers: { 'Which colour?': 'Red' }, scope: 'once' }],
      ['ask again', { decision: 'deny', message: 'Choose yourself.' }],
    ] as const) {
      const asked = session.watch.of('question_prompt').length
      const turn = await session.send(
        prompts.on(prompt, [toolUse('AskUserQuestion', { questions })], 'Thanks.'),
      )
      const { approval } = await session.watch.next(
        'question_prompt',
        (event) => session.watch.of('question_prompt').indexOf(event) === asked,
      )
      await host.client.answerApproval({ params: { id: approval.id }, body })
      await session.end(turn)
    }
    await save('question', session)
  })

  it('a subagent', async () => {
    const session = await open()
    subagent.push(
      [text('The subagent starts.'), toolUse('Bash', { command: 'ls' })],
      whole(write('by-subagent')),
      whole(write('not-by-subagent')),
      'The subagent is done.',
    )
    const input = {
      description: 'do a part',
      prompt: 'do it',
      subagent_type: 'general-purpose',
      run_in_background: false,
    }
    const turn = await session.send(
      prompts.on('delegate', [text('I delegate.'), toolUse('Task', input)], 'It is done.'),
    )
    await session.answer()
    await session.answer({ decision: 'deny', message: 'Enough.' })
    await session.end(turn)
    await save('subagent', session)
  })

  it('interruptions', async () => {
    const session = await open()
    const stop = () => host.client.interruptSession({ params: session.params, body: {} })
    const talk = await session.send(
      prompts.on('talk', hang({ afterDeltas: 2, blocks: [text('I talk and talk')] })),
    )
    await session.watch.next('text_delta')
    await stop()
    await session.end(talk)
    const sleep = await session.send(
      prompts.on('sleep', [toolUse('Bash', { command: 'touch begun; until false; do sleep 1; done' })]),
    )
    await session.answer()
    await session.watch.next('approval_resolved')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await stop()
    await session.end(sleep)
    const calls = [toolUse('mcp__dorkos__ping', {}), toolUse('mcp__dorkos__get_server_info', {})]
    const wait = await session.send(prompts.on('wait', calls))
    await session.watch.next('approval_required', ({ approval }) => approval.tool.endsWith('ping'))
    await session.watch.next('approval_required', ({ approval }) => approval.tool.endsWith('info'))
    await stop()
    await session.end(wait)
    await session.say(prompts.on('go on', 'I go on.'))
    await save('interruptions', session)
  })

  it('a queue, and steering', async () => {
    const session = await open()
    const first = await session.send(
      prompts.on('begin', whole(text('I begin.'), write('begun')), 'I heard you.'),
    )
    const { approval } = await session.watch.next('approval_required')
    const next = await session.send(prompts.on('then this', 'Then that.'))
    const never = await session.send(prompts.on('never', 'Never.'))
    await session.watch.next('queue_update', ({ queue }) => queue.length === 2)
    await host.client.withdrawMessage({ params: { ...session.params, messageId: never.id } })
    await session.send('mind the gap', 'steer')
    prompts.on('mind the gap', 'I mind the gap.')
    await host.client.answerApproval({
      params: { id: approval.id },
      body: { decision: 'allow', scope: 'once' },
    })
    await session.end(first)
    await session.end(next)
    await save('queue-and-steer', session)
  })

  it('errors', async () => {
    const session = await open()
    await session.say(prompts.on('try', apiError(529), 'The second try worked.'))
    await session.say(prompts.on('too much', apiError(429), 'Then it was less.'))
    await session.say(
      prompts.on('fail', ...Array.from({ length: 4 }, () => apiError(403, 'You may not.', { sticky: true }))),
    )
    await session.say(prompts.on('and now', 'It works again.'))
    await save('errors', session)
  })

  it('calls that a rule allowed', async () => {
    const session = await open()
    const again = () => [toolUse('Bash', { command: 'echo once more > again; sleep 0.3' })]
    const turn = await session.send(prompts.on('twice', again(), again(), 'Done.'))
    await session.answer({ decision: 'allow', scope: 'session' })
    await session.end(turn)
    // A process that is started anew takes the session over.
    await host.client.stopSession({ params: session.params, body: {} })
    await session.say(prompts.on('once more', again(), 'Done again.'))
    await save('rules', session)
  })

  it('denials that nobody was asked about', async () => {
    const session = await open()
    const scope = { kind: 'session', session_id: session.id } as const
    await host.client.createRule({ body: { effect: 'deny', tool: 'Bash', scope } })
    const secret = toolUse('Read', { file_path: `${host.home}/config.jsonc` })
    await session.say(prompts.on('try it', whole(toolUse('Bash', { command: 'ls' }), secret), 'No luck.'))
    await host.client.changeSession({ params: session.params, body: { permission_mode: 'dontAsk' } })
    await session.say(prompts.on('write it', whole(write('unasked')), 'No luck either.'))
    await save('denials', session)
  })

  // The last one: it moves the server's clock.
  it('approvals', async () => {
    const session = await open()
    const names = ['ping', 'get_server_info', 'get_session_count'] as const
    const calls = names.map((name) => toolUse(`mcp__dorkos__${name}`, {}))
    const parallel = await session.send(prompts.on('ask three', calls, 'One of three.'))
    await session.watch.next('approval_required', () => session.watch.of('approval_required').length === 3)
    const asked = session.watch.of('approval_required').map(({ approval }) => approval)
    const answer = (name: string, body: ApprovalAnswer) =>
      host.client.answerApproval({
        params: { id: asked.find(({ tool }) => tool.endsWith(name))?.id ?? '' },
        body,
      })
    await answer('get_server_info', { decision: 'deny', message: 'Not this one.' })
    await answer('ping', { decision: 'allow', scope: 'once' })
    await session.watch.next('tool_result', ({ is_error }) => !is_error)
    clock.advance(241 * 60_000)
    await session.end(parallel)
    const edited = await session.send(prompts.on('write', whole(write('note')), 'Written.'))
    await session.watch.next('approval_required', ({ approval }) => approval.tool === 'Write')
    const { approvals } = await host.client.listApprovals({ query: { session_id: session.id } })
    for (const { id, input } of approvals)
      await host.client.answerApproval({
        params: { id },
        body: { decision: 'allow', scope: 'once', updated_input: { ...input, content: 'edited' } },
      })
    await session.end(edited)
    await save('approvals', session)
  })
})

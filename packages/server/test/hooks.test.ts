/** What hooks of a trusted workspace say and do is published: live, in the history, after a restart. With the real CLI. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamEvent } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { trustWorkspace } from './support/trust-workspace.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()
let made = 0

async function trustedWith(hooks: Record<string, string[]>, files: Record<string, string> = {}) {
  const path = join(used.host.root, `hooked-${++made}`)
  mkdirSync(join(path, '.claude'), { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  const settings = Object.entries(hooks).map(([event, commands]) => [
    event,
    [{ hooks: commands.map((command) => ({ type: 'command', command })) }],
  ])
  writeFileSync(
    join(path, '.claude', 'settings.json'),
    JSON.stringify({ hooks: Object.fromEntries(settings) }),
  )
  const { id } = await used.host.client.createWorkspace({ body: { path } })
  await trustWorkspace(used.host.client, id)
  const listed = await used.host.client.listWorkspaceHooks({ params: { id } })
  for (const { digest, decides } of listed.hooks)
    if (digest !== undefined && decides)
      await used.host.client.allowWorkspaceHook({ params: { id }, body: { digest, grant: 'run' } })
  return id
}

const ofType = <T extends StreamEvent['type']>(events: readonly StreamEvent[], type: T) =>
  events.filter((event): event is Extract<StreamEvent, { type: T }> => event.type === type)
const reported = (events: readonly StreamEvent[]) =>
  ofType(events, 'hook_result')
    .map(({ hook, outcome, output }) => [hook, outcome, output])
    .toSorted()
const historyOf = async (id: string) => (await used.host.client.getHistory({ params: { id } })).events
const echo = (word: string) => toolUse('Bash', { command: `echo ${word}`, description: 'a test' })

describe('hooks of a trusted workspace', () => {
  it('are reported where they spoke, failed or objected; silent ones are not', async () => {
    const message = JSON.stringify({ systemMessage: 'formatted\nby the hook' })
    const workspace = await trustedWith(
      {
        PreToolUse: ['exit 0'],
        PostToolUse: ['cat message.json', 'echo broken >&2; exit 1', 'echo use tabs >&2; exit 2', 'true'],
        Stop: ['if [ -e told ]; then exit 0; fi; touch told; echo not yet >&2; exit 2'],
      },
      { 'message.json': message },
    )
    const session = await used.start([echo('one'), 'Finished.', 'Really.'], { workspace_id: workspace })
    await session.endOf(1)
    const live = session.watch.events
    expect(reported(live)).toEqual([
      ['PostToolUse:Bash', 'blocked', 'use tabs'],
      ['PostToolUse:Bash', 'failed', 'broken'],
      ['PostToolUse:Bash', 'said', 'formatted\nby the hook'],
      ['Stop', 'blocked', 'not yet'],
    ])
    // Visibility once: neither as the CLI's notices, nor as a message that nobody wrote.
    expect(ofType(live, 'notice')).toEqual([])
    expect(ofType(live, 'user_message')).toHaveLength(1)
    expect(ofType(live, 'cli_message')).toEqual([])

    const history = await historyOf(session.id)
    expect(ofType(history, 'hook_result')).toEqual(ofType(live, 'hook_result'))
    const order = (events: readonly StreamEvent[]) =>
      events
        .map(({ type }) => type)
        .filter((type) => /^(hook_|user_|tool_call_end|text_|turn_end)/.test(type))
    const deltasJoined = (types: string[]) =>
      types.filter((type, at) => type !== 'text_delta' || types[at - 1] !== type)
    expect(deltasJoined(order(history))).toEqual(deltasJoined(order(live)))
    expect(ofType(history, 'user_message')).toHaveLength(1)
    await used.host.restart()
    expect(ofType(await historyOf(session.id), 'hook_result')).toEqual(ofType(live, 'hook_result'))
  })

  it('deny a call, and nobody else did', async () => {
    const workspace = await trustedWith({
      PreToolUse: ["if grep -q forbidden; then echo 'not that word' >&2; exit 2; fi"],
    })
    const session = await used.start([echo('forbidden'), echo('fine'), 'Done.'], { workspace_id: workspace })
    await session.endOf(1)
    const results = (events: readonly StreamEvent[]) =>
      ofType(events, 'tool_result').map(({ stopped, denied_by }) => [stopped, denied_by])
    const live = session.watch.events
    expect(results(live)).toEqual([
      ['denied', 'hook'],
      [undefined, undefined],
    ])
    expect(reported(live)).toEqual([])
    expect(ofType(live, 'tool_call_denied')).toMatchObject([
      { decided_by: { kind: 'hook' }, message: 'not that word' },
    ])
    expect(results(await historyOf(session.id))).toEqual(results(live))
  })
})

describe('a call that a rule denies', () => {
  it('names the rule, live and in the history', async () => {
    const rule = { effect: 'deny', tool: 'Bash', match: 'echo secret' } as const
    const { id } = await used.host.client.createRule({ body: { ...rule, scope: { kind: 'everywhere' } } })
    const session = await used.start([echo('secret'), 'Done.'])
    await session.endOf(1)
    const live = ofType(session.watch.events, 'tool_call_denied')
    const [call] = ofType(session.watch.events, 'tool_call_end')
    expect(live).toMatchObject([
      {
        tool_call_id: call?.tool_call_id,
        decided_by: { kind: 'rule', rule_id: id },
        message: expect.any(String),
      },
    ])
    expect(ofType(await historyOf(session.id), 'tool_call_denied')).toEqual(live)
  })
})

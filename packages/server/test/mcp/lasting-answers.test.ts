/** What "allow" can go on to mean for a tool of an MCP server: these fields fixed, whatever the input; and where. */
import { mkdirSync } from 'node:fs'
import type { ApprovalAnswer, Covers, EndpointBody } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, server } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost({ config: { mcpServers: { tracker: server({ tools: ['add', 'close'] }) } } })
const add = 'mcp__tracker__add'
type Input = Record<string, unknown>
let other: string
beforeAll(async () => {
  const { client, root } = used.host
  mkdirSync(`${root}/other`)
  other = (await client.createWorkspace({ body: { path: `${root}/other` } })).id
  await connect(used.host, ['tracker'])
  await connect(used.host, ['tracker'], other)
})
beforeEach(async () => {
  const { rules } = await used.host.client.listRules()
  for (const { id } of rules) await used.host.client.revokeRule({ params: { id } })
})

/**
 * Calls the tool with each input in a turn of the session that cases share, or in a session of its own, and gives those that were asked
 * about. The first is answered like this.
 */
async function askedFor(
  inputs: readonly Input[],
  answer: ApprovalAnswer = { decision: 'allow', scope: 'once' },
  { tool = add, own }: { tool?: string; own?: EndpointBody<'createSession'> } = {},
): Promise<Input[]> {
  const answers = [...inputs.map((input) => toolUse(tool, input)), 'done']
  const session = own ? await used.start(answers, own) : await used.turn(answers)
  const ended = session.endOf(1)
  const asked: Input[] = []
  for (;;) {
    const next = session.answer(asked.length === 0 ? answer : undefined)
    const approval = await Promise.race([next, ended.then(() => undefined)])
    if (!approval) break
    asked.push(approval.input)
  }
  expect(await ended).toMatchObject({ outcome: 'completed' })
  // It waits for one more, which is not to be that of another turn.
  await session.watch.close()
  expect(session.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual(inputs.map(() => false))
  return asked
}

const issue = (project: string, title: string) => ({ project, title, labels: { urgent: true, kind: [1] } })
const lasting = (covers: Covers, scope: 'session' | 'always' | 'everywhere' = 'always') =>
  ({ decision: 'allow', scope, covers }) as const
const project: Covers = { kind: 'fields', fields: ['project', 'labels'] }

describe('an answer for a tool', () => {
  it('with fields that stay the same asks again where one of them is another, and names its rule where not', async () => {
    const first = issue('a', 'one')
    const same = { title: 'two', labels: { kind: [1], urgent: true }, project: 'a' }
    const otherProject = issue('b', 'one')
    const without = { title: 'three', project: 'a' }
    expect(await askedFor([first, same, otherProject, without], lasting(project))).toEqual([
      first,
      otherProject,
      without,
    ])
    const { rules } = await used.host.client.listRules()
    expect(rules).toMatchObject([
      {
        effect: 'allow',
        tool: add,
        fields: ['labels', 'project'],
        match: '{"labels":{"kind":[1],"urgent":true},"project":"a"}',
        scope: { kind: 'workspace' },
      },
    ])
    const { entries } = await used.host.client.listAudit({ query: { action: 'tool_decided', tool: add } })
    expect(entries.map(({ decided_by }) => decided_by?.kind)).toEqual(['person', 'person', 'rule', 'person'])
    expect(entries[2]?.decided_by?.rule_id).toBe(rules[0]?.id)
    // Of this tool alone.
    expect(await askedFor([first], undefined, { tool: 'mcp__tracker__close' })).toEqual([first])
  })

  it('whatever its input asks no more', async () => {
    expect(await askedFor([issue('a', 'one'), issue('b', 'two'), {}], lasting({ kind: 'tool' }))).toEqual([
      issue('a', 'one'),
    ])
  })

  it('of DorkOS’s own holds as well, and does not beat a denial', async () => {
    const tool = 'mcp__dorkos__get_session_count'
    expect(await askedFor([{}, {}], lasting({ kind: 'tool' }), { tool })).toEqual([{}])
    expect(await askedFor([{}], undefined, { tool })).toEqual([])
    const scope = { kind: 'everywhere' } as const
    await used.host.client.createRule({ body: { effect: 'deny', tool, scope } })
    const session = await used.turn([toolUse(tool), 'I see'])
    await session.endOf(1)
    expect(session.watch.of('tool_result')).toMatchObject([{ is_error: true }])
  })

  it.each<[ReturnType<typeof lasting>['scope'], number, number]>([
    ['session', 1, 1],
    ['everywhere', 0, 0],
  ])('for %s holds there and no further', async (scope, elsewhere, inOther) => {
    const calls = [issue('a', 'one'), issue('a', 'two')]
    expect(await askedFor(calls, lasting(project, scope), { own: {} })).toHaveLength(1)
    expect(await askedFor([issue('a', 'three')])).toHaveLength(elsewhere)
    const own = { workspace_id: other }
    expect(await askedFor([issue('a', 'four')], undefined, { own })).toHaveLength(inOther)
  })
})

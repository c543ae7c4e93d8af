/** What subagents said is still there after a reload, as it was seen live. */
import type { StreamEvent } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { useHost } from './support/use-host.ts'

const used = useHost()

const agent = (prompt: string) =>
  toolUse('Agent', {
    description: prompt,
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: false,
  })
const call = (name: string) => toolUse('mcp__dorkos__ping', {}, `toolu_${name}`)

/** What subagents said, by the call that began them. */
function words(events: readonly StreamEvent[]) {
  const said: Record<string, string[]> = {}
  for (const event of events) {
    const parent = 'parent' in event ? event.parent : undefined
    if (parent === undefined) continue
    const line =
      event.type === 'text_delta'
        ? `text ${event.text}`
        : event.type === 'tool_call_end'
          ? `call ${event.tool_call_id}`
          : event.type === 'tool_result'
            ? `result ${event.tool_call_id} ${event.is_error}`
            : undefined
    if (line !== undefined) said[parent] = [...(said[parent] ?? []), line]
  }
  return said
}

it('is in the history, after the call that began each', async () => {
  const { prompts, host } = used
  prompts.on('look left', call('left'), 'nothing on the left')
  prompts.on('look right', 'nothing on the right')
  const session = await used.start([agent('look left'), agent('look right'), 'all seen'], {
    permission_mode: 'bypassPermissions',
  })
  await session.endOf(1)
  const calls = session.watch.of('subagent_start').map(({ tool_call_id }) => tool_call_id)
  const [left = '', right = ''] = calls
  const expected = {
    [left]: ['call toolu_left', 'result toolu_left false', 'text nothing on the left'],
    [right]: ['text nothing on the right'],
  }
  const { events } = await host.client.getHistory({ params: session.params })
  expect(words(events)).toEqual(expected)
  const at = (find: (event: StreamEvent) => boolean) => events.findIndex(find)
  const begun = at((event) => event.type === 'tool_call_end' && event.tool_call_id === left)
  const spoken = at((event) => 'parent' in event && event.parent === left)
  const ended = at((event) => event.type === 'tool_result' && event.tool_call_id === left)
  expect([begun < spoken, spoken < ended]).toEqual([true, true])
  const ids = events.map(({ id }) => Number(id.slice(2)))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))

  // Pages of one message each hold the same, once, and under the same ids.
  const paged: StreamEvent[] = []
  let before: string | undefined
  do {
    const query = { limit: 1, ...(before !== undefined && { before }) }
    const page = await host.client.getHistory({ params: session.params, query })
    paged.unshift(...page.events)
    before = page.before
  } while (before !== undefined)
  expect(words(paged)).toEqual(expected)
  const idOf = (all: readonly StreamEvent[]) =>
    all.find((event) => event.type === 'tool_call_end' && event.tool_call_id === 'toolu_left')?.id
  expect(idOf(paged)).toBe(idOf(events))

  const response = await fetch(`${host.server.url}/api/sessions/${session.id}/export?format=markdown`, {
    headers: { authorization: `Bearer ${await host.server.ownToken()}` },
  })
  expect(await response.text()).toContain('nothing on the left')
})

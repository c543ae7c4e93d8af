/** A process that is started before anybody writes, where the workspace is in a container. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxedWorkspace } from '../support/boxed-workspace.ts'
import { until } from '../support/cli-processes.ts'
import { containerProcesses } from '../support/container-processes.ts'
import { containersHere } from '../support/containers-here.ts'
import { Conversation } from '../support/conversation.ts'
import { Prompts } from '../support/prompts.ts'
import { createShiftingClock } from '../support/shifting-clock.ts'
import { type Host, startHost } from '../support/start-host.ts'

describe.skipIf(!containersHere)('a spare process', { timeout: 120_000 }, () => {
  const prompts = new Prompts()
  const clock = createShiftingClock()
  let host: Host
  beforeAll(async () => {
    host = await startHost(prompts.script, { clock, env: { DORKOS_SPARE_PROCESSES: '2' } })
  })
  afterAll(() => host?.close())

  it('is in the container of a workspace that has one, and goes with it', async () => {
    const workspace_id = (await boxedWorkspace(host)).id
    const boxed = () =>
      containerProcesses(host).flatMap(({ pid, command }) => {
        const id = command.flatMap((word) => /^--session-id=(.+)$/.exec(word)?.[1] ?? [])[0]
        return id !== undefined && command[0]?.endsWith('claude') ? [{ pid, id }] : []
      })
    await host.client.prepareNewSession({ body: { workspace_id } })
    await until(() => boxed().length === 1)
    const [spare] = boxed()
    const content = prompts.on('boxed hello', 'hello from the box')
    const session = await Conversation.open(host, { workspace_id, content })
    expect(session.id).toBe(spare?.id)
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(boxed()).toEqual([spare])

    await host.client.prepareNewSession({ body: { workspace_id } })
    await until(() => boxed().length === 2)
    await session.close()
    // What is unused is looked for every quarter of a minute.
    await until(() => {
      clock.advance(15_000)
      return containerProcesses(host).length === 0
    })
    expect((await host.client.listSessions({ query: { workspace_id } })).sessions).toHaveLength(1)
  })
})

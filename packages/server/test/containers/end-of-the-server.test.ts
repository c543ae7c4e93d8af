/** What is left of a container when the server dies. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import { type ModelRequest, reply, text, toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxedWorkspace } from '../support/boxed-workspace.ts'
import { containerProcesses, noContainerProcess } from '../support/container-processes.ts'
import { containersHere } from '../support/containers-here.ts'
import { Conversation } from '../support/conversation.ts'
import { type SpawnedHost, spawnHost } from '../support/spawn-host.ts'

const obeys = (request: ModelRequest) => {
  if (request.toolResults.length > 0) return reply([text('it ran')])
  const command = /^run (.*)$/.exec(request.lastUserText)?.[1]
  return command ? reply([toolUse('Bash', { command })]) : reply([text(`done: ${request.lastUserText}`)])
}

describe.skipIf(!containersHere)('a container', { timeout: 90_000 }, () => {
  let host: SpawnedHost
  let workspace: Workspace
  beforeAll(async () => {
    host = await spawnHost(obeys, { graceMs: 500 })
    workspace = await boxedWorkspace(host)
  })
  afterAll(() => host?.close())

  it.each(['kill', 'stop'] as const)('goes with the server (%s), in the middle of a command', async (how) => {
    const session = await Conversation.open(host, {
      content: 'run setsid sleep 1000 & sleep 999 & sleep 998',
      workspace_id: workspace.id,
      permission_mode: 'bypassPermissions',
    })
    const sleepers = () => containerProcesses(host).filter(({ command: [program] }) => program === 'sleep')
    await expect.poll(() => sleepers().length, { timeout: 50_000 }).toBe(3)
    const sleeping = sleepers()
    await session.watch.close()
    await host[how]()
    await noContainerProcess(host)
    for (const { pid } of sleeping) expect(() => process.kill(pid, 0)).toThrow()
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(workspace.path)

    // What it left on disk does not stand in its own way.
    await host.start()
    const again = new Conversation(host, session.id)
    await expect.poll(async () => (await again.session()).state).not.toBe('working')
    expect(await again.say('hello')).toMatchObject({ outcome: 'completed' })
    const { events } = await host.client.getHistory({ params: again.params })
    expect(events.filter(({ type }) => type === 'turn_end')).toMatchObject([
      { outcome: 'interrupted' },
      { outcome: 'completed' },
    ])
    await again.close()
    await noContainerProcess(host)
    expect(readdirSync(join(host.home, 'run'))).toEqual([])
  })
})

/** A module that the owner saves is a tool of the sessions that run: added, changed, broken and removed, in one CLI process. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { expect, it, vi } from 'vitest'
import { Prompts } from './support/prompts.ts'
import { startHost } from './support/start-host.ts'

const moduleText = (name: string, answer: string) => `
import { tool } from 'claude-code-agent'
import { z } from 'zod'
export const made = tool('${name}', 'Greets somebody', { who: z.string() }, async ({ who }) => ({
  content: [{ type: 'text', text: '${answer} ' + who }],
}))
`

it('reaches sessions that run', { timeout: 120_000 }, async () => {
  const prompts = new Prompts()
  const host = await startHost(prompts.script)
  const folder = join(host.home, 'tools')
  const say = async (id: string, content: string) => {
    const events = []
    for await (const frame of host.client.streamMessage({ params: { id }, body: { content } }))
      if (frame.frame === 'message') events.push(frame.event)
    return events
  }
  const offered = () =>
    (host.model.requests.at(-1)?.body.tools ?? [])
      .map(({ name }) => name)
      .filter((name) => name.startsWith('mcp__tools__'))
  const tools = async () => {
    const { folders } = await host.client.listToolModules({ query: {} })
    return {
      names: folders.flatMap((one) => one.tools.map(({ name }) => name)),
      faults: folders.flatMap((one) => one.faults),
    }
  }
  /** A session that runs learns of a change by a notification, which the turn that is about to begin may just miss. */
  const isOffered = (id: string, names: string[]) =>
    vi.waitFor(
      async () => {
        await say(id, prompts.on('next', 'seen'))
        expect(offered()).toEqual(names)
      },
      { timeout: 50_000 },
    )
  try {
    const body = { permission_mode: 'bypassPermissions' as const }
    const { session } = await host.client.createSession({ body })
    await say(session.id, prompts.on('before', 'nothing yet'))
    expect(offered()).toEqual([])

    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'greet.mjs'), moduleText('greet', 'Hello'))
    await vi.waitFor(async () => expect((await tools()).names).toEqual(['greet']), { timeout: 50_000 })
    await isOffered(session.id, ['mcp__tools__greet'])
    const call = prompts.on('use it', toolUse('mcp__tools__greet', { who: 'Ada' }), 'done')
    const events = await say(session.id, call)
    expect(JSON.stringify(events.filter(({ type }) => type === 'tool_result'))).toContain('Hello Ada')

    writeFileSync(join(folder, 'greet.mjs'), moduleText('welcome', 'Welcome'))
    await vi.waitFor(async () => expect((await tools()).names).toEqual(['welcome']), { timeout: 50_000 })
    await isOffered(session.id, ['mcp__tools__welcome'])

    writeFileSync(join(folder, 'broken.mjs'), 'export const x = \n\n  ;;(')
    await vi.waitFor(async () => expect((await tools()).faults).toHaveLength(1), { timeout: 50_000 })
    const { names, faults } = await tools()
    expect(names).toEqual(['welcome'])
    expect(faults[0]).toMatchObject({ file: join(folder, 'broken.mjs'), line: expect.any(Number) })

    rmSync(join(folder, 'broken.mjs'))
    rmSync(join(folder, 'greet.mjs'))
    await vi.waitFor(async () => expect((await tools()).names).toEqual([]), { timeout: 50_000 })
    await isOffered(session.id, [])
  } finally {
    await host.close()
  }
})

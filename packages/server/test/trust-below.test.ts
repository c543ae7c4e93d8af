/** Trust is for the workspace's own directory. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startHost, Watch } from './support/start-host.ts'

it('what lies below a trusted workspace loads nothing, and a directory that was moved is not worked in', async () => {
  const host = await startHost(() => 'done')
  try {
    const below = join(host.cwd, 'vendor')
    const mark = join(host.root, 'hook-ran')
    mkdirSync(join(below, '.claude'), { recursive: true })
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `touch ${mark}` }] }] }
    writeFileSync(join(below, '.claude/settings.json'), JSON.stringify({ hooks }))
    const [main] = (await host.client.listWorkspaces()).workspaces
    await host.client.changeWorkspace({ params: { id: main!.id }, body: { trusted: true } })

    const { session, message } = await host.client.createSession({ body: { cwd: below, content: 'go' } })
    const watch = new Watch(host.client, session.id)
    await watch.next('turn_end', ({ turn_id }) => turn_id === message?.turn.id)
    expect(existsSync(mark)).toBe(false)

    await host.client.stopSession({ params: { id: session.id }, body: {} })
    renameSync(below, join(host.cwd, 'elsewhere'))
    symlinkSync(host.root, below)
    const sent = await host.client.sendMessage({ params: { id: session.id }, body: { content: 'again' } })
    const end = await watch.next('turn_end', ({ turn_id }) => turn_id === sent.turn.id)
    expect(end).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('now leads to') })
    await watch.close()

    // Where the CLI itself keeps its settings, nobody works.
    mkdirSync(join(host.root, '.claude/projects'), { recursive: true })
    const refused = host.client.createSession({ body: { cwd: join(host.root, '.claude') } })
    await expect(refused).rejects.toMatchObject({ code: 'outside_roots' })
  } finally {
    await host.close()
  }
})

/** Tool modules in a workspace: nothing of them is loaded but what was approved, byte for byte. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it, vi } from 'vitest'
import { lastOffer, mainWorkspace, put, trust } from './support/mcp-servers.ts'
import { useHost } from './support/use-host.ts'

const moduleText = (name: string, mark: string) => `
import { writeFileSync } from 'node:fs'
import { tool } from 'claude-code-agent'
import { text } from '../shared/text.mjs'
writeFileSync(${JSON.stringify(mark)}, 'loaded')
export const made = tool('${name}', 'Says something', {}, async () => ({ content: [{ type: 'text', text }] }))
`

describe('modules of a workspace', () => {
  const used = useHost()

  it('are tools once they are approved, and no longer when something they import changes', async () => {
    const { host } = used
    const { id } = await mainWorkspace(host)
    const mark = join(host.root, 'loaded-say')
    put(join(host.cwd, '.dorkos/tools/say.mjs'), moduleText('say', mark))
    const imported = put(join(host.cwd, '.dorkos/shared/text.mjs'), 'export const text = "approved"\n')

    const before = await used.start(['nothing'])
    await before.endOf(1)
    expect(lastOffer(host, before)).toEqual([])
    expect(existsSync(mark)).toBe(false)
    const { items } = await host.client.getWorkspaceTrust({ params: { id } })
    expect(items.map(({ path }) => path).toSorted()).toEqual([
      '.dorkos/shared/text.mjs',
      '.dorkos/tools/say.mjs',
    ])

    await trust(host, id)
    await vi.waitFor(
      async () => {
        const { folders } = await host.client.listToolModules({ query: {} })
        expect(folders).toMatchObject([{ workspace_id: id, faults: [], tools: [{ name: 'say' }] }])
      },
      { timeout: 50_000 },
    )
    const session = await used.start([toolUse('mcp__workspace-tools__say', {}), 'done'], {
      permission_mode: 'bypassPermissions',
    })
    await session.endOf(1)
    expect(JSON.stringify(session.watch.of('tool_result'))).toContain('approved')

    writeFileSync(imported, 'export const text = "changed by somebody"\n')
    await vi.waitFor(
      async () =>
        expect(await host.client.getWorkspaceTrust({ params: { id } })).toMatchObject({ state: 'changed' }),
      20_000,
    )
    const after = await used.start(['nothing'])
    await after.endOf(1)
    expect(lastOffer(host, after)).toEqual([])
    expect(await host.client.listToolModules({ query: {} })).toEqual({ folders: [] })
  })
})

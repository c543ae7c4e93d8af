/** An agent that writes an `.mcp.json`, in a mode where nobody is asked, gets no server by it. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { lastOffer, mainWorkspace, put, server, trust } from '../support/mcp-servers.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { type UsedHost, useHost } from '../support/use-host.ts'

const states = ['untrusted', 'trusted'] as const

/** Has an agent write the file by each of these tools, and says whether it did. Neither its session nor another has the server then, and it never ran. */
async function tryIt(
  used: UsedHost,
  ways: readonly ('Write' | 'Bash')[],
  state: (typeof states)[number],
): Promise<boolean> {
  const { host } = used
  const { id } = await mainWorkspace(host)
  const file = join(host.cwd, '.mcp.json')
  const starts = join(host.root, `starts-${state}`)
  rmSync(file, { force: true })
  if (state === 'trusted') {
    put(file, { mcpServers: {} })
    await trust(host, id)
  }
  const content = JSON.stringify({ mcpServers: { mine: server({ starts }) } })
  const command = `cat > .mcp.json <<'END'\n${content}\nEND`
  const writes = {
    Write: toolUse('Write', { file_path: file, content }),
    Bash: toolUse('Bash', { command, description: 'writes it' }),
  }
  // The CLI writes over a file only after it was read.
  const before = existsSync(file) ? [toolUse('Read', { file_path: file })] : []
  const session = await used.start([...before, ...ways.map((way) => writes[way]), 'done'], {
    permission_mode: 'bypassPermissions',
  })
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  const isWritten = existsSync(file) && readFileSync(file, 'utf8').trim() === content
  const results = session.watch.of('tool_result').slice(-ways.length)
  expect(results.map(({ is_error }) => is_error)).toEqual(ways.map(() => !isWritten))
  if (isWritten) {
    const named = async () =>
      (await host.client.listMcpServers()).servers.map(({ name, reason }) => [name, reason])
    await expect.poll(named).toEqual([['mine', 'trust']])
    const now = await host.client.getWorkspaceTrust({ params: { id } })
    expect(now.state).toBe(state === 'trusted' ? 'changed' : 'untrusted')
  }
  await session.say(used.prompts.on('and now?', 'ok'))
  expect(lastOffer(host, session)).toEqual([])
  const other = await used.start(['ok'])
  await other.endOf(1)
  expect(lastOffer(host, other)).toEqual([])
  expect(existsSync(starts)).toBe(false)
  await host.client.takeWorkspaceTrust({ params: { id } })
  return isWritten
}

describe('its tools do not write it', () => {
  const used = useHost()

  it.each(states)('neither a command in the sandbox nor Write, in a workspace that is %s', async (state) => {
    expect(await tryIt(used, sandboxHere ? ['Write', 'Bash'] : ['Write'], state)).toBe(false)
  })
})

describe('where no sandbox keeps a command from it', () => {
  const used = useHost({ flags: { '--sandbox': 'off' } })

  it.each(states)('it is written, and counts for nothing in a workspace that is %s', async (state) => {
    expect(await tryIt(used, ['Bash'], state)).toBe(true)
  })
})

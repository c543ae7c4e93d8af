/** Where no container can be made, a workspace of that mode does not run at all. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnose.ts'
import { boxedWorkspace } from '../support/boxed-workspace.ts'
import { containersHere } from '../support/containers-here.ts'
import { type Host, startHost } from '../support/start-host.ts'

let host: Host
const paths: string[] = []
afterEach(async () => {
  await host?.close()
  for (const path of paths.splice(0)) rmSync(path, { recursive: true })
})

/** Programs that the server itself needs, and no other. */
function pathWithout(...missing: string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-path-')))
  paths.push(folder)
  for (const name of ['bwrap', 'socat'].filter((program) => !missing.includes(program)))
    symlinkSync(join('/usr/bin', name), join(folder, name))
  return folder
}

const said = 'nobody hears this'

describe('without bubblewrap or socat', { timeout: 60_000 }, () => {
  it('no workspace in a container is made, and status and doctor say why', async () => {
    const PATH = pathWithout('bwrap', 'socat')
    host = await startHost(() => said, { env: { PATH } })
    await expect(boxedWorkspace(host)).rejects.toThrow('bubblewrap and socat not installed')
    const { workspaces } = await host.client.listWorkspaces()
    expect(workspaces.map(({ mode }) => mode)).toEqual(['host'])
    expect(await host.client.getStatus()).toMatchObject({
      containers: { available: false, reason: expect.stringContaining('bubblewrap and socat not installed') },
    })
    expect(await diagnose(host.env)).toContainEqual(
      expect.objectContaining({
        check: 'containers',
        state: 'warning',
        detail: expect.stringContaining('socat'),
      }),
    )
  })

  it.skipIf(!containersHere).each(['bwrap', 'socat'])(
    '%s: one that was made before refuses',
    async (missing) => {
      host = await startHost(() => said, { config: { sessions: { prewarm: false } } })
      const { id } = await boxedWorkspace(host)
      const { session } = await host.client.createSession({ body: { workspace_id: id } })
      host.env.PATH = pathWithout(missing)
      await host.restart()
      const name = missing === 'bwrap' ? 'bubblewrap' : 'socat'
      const why = `“boxed” runs in a container, and containers aren’t available here: ${name} not installed`
      await expect(host.client.startSession({ params: { id: session.id }, body: {} })).rejects.toThrow(why)
      await expect(host.client.createSession({ body: { workspace_id: id, content: 'x' } })).rejects.toThrow(
        why,
      )
      expect(host.model.requests).toEqual([])
    },
  )
})

describe.skipIf(!containersHere)('with a login or a cloud', { timeout: 60_000 }, () => {
  it('refuses, since the CLI would need it inside', async () => {
    const cloud = {
      CLAUDE_CODE_USE_BEDROCK: '1',
      AWS_REGION: 'eu-west-1',
      AWS_BEARER_TOKEN_BEDROCK: 'not-real',
    }
    host = await startHost(() => said, { env: { ...cloud, ANTHROPIC_API_KEY: undefined } })
    const { id } = await boxedWorkspace(host)
    await expect(host.client.createSession({ body: { workspace_id: id, content: 'x' } })).rejects.toThrow(
      'which never gets a key or a login',
    )
    expect(await host.client.getStatus()).toMatchObject({ containers: { available: false } })
    expect(await diagnose(host.env)).toContainEqual(
      expect.objectContaining({
        check: 'containers',
        state: 'warning',
        detail: expect.stringContaining('reaches the model directly'),
      }),
    )
  })
})

describe.skipIf(!containersHere)('directories', { timeout: 60_000 }, () => {
  it('takes none that holds what a container keeps out, nor one around or in another', async () => {
    host = await startHost(() => said, { config: { roots: ['/'] } })
    const create = (path: string, mode: 'host' | 'container' = 'container') =>
      host.client.createWorkspace({ body: { path, mode } })
    for (const path of [host.root, '/', '/tmp', '/etc', '/usr', '/proc/self/task'])
      await expect(create(path), path).rejects.toMatchObject({ status: expect.any(Number) })
    await expect(create(`${host.home}-containers`)).rejects.toThrow()
    mkdirSync(join(host.root, 'a', 'b'), { recursive: true })
    await create(join(host.root, 'a', 'b'))
    await expect(create(join(host.root, 'a'))).rejects.toThrow('is inside')
    mkdirSync(join(host.root, 'a', 'b', 'c'))
    await expect(create(join(host.root, 'a', 'b', 'c'), 'host')).rejects.toThrow('runs in a container')
    const { workspaces } = await host.client.listWorkspaces()
    expect(workspaces.filter(({ mode }) => mode === 'container')).toHaveLength(1)
  })
})

/** What every store of trust keeps to. */
import type { Workspace } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { time } from './fixtures.conformance.ts'
import type { Records } from './records.ts'
import type { TrustRecord } from './trust.ts'

export function trustTests(get: () => Records, newWorkspace: () => Workspace): void {
  const recordOf = (workspaceId: string, digest: string): TrustRecord => ({
    workspaceId,
    digest,
    items: [
      { kind: 'file', path: 'a\u0000\ud800', digest: 'd', runs: ['x'], text: 'line\n', secrets: { a: 'b' } },
    ],
    principal: 'owner',
    at: time,
  })

  it('keeps what was trusted last, until it is removed', async () => {
    const { id, ...rest } = newWorkspace()
    await get().workspaces.create({ id, ...rest })
    expect(await get().trust.get(id)).toBeUndefined()
    expect(await get().trust.digestOf(id)).toBeUndefined()
    await get().trust.put(recordOf(id, 'first'))
    await get().trust.put(recordOf(id, 'second'))
    expect(await get().trust.get(id)).toEqual(recordOf(id, 'second'))
    expect(await get().trust.digestOf(id)).toBe('second')
    await get().trust.remove(id)
    await get().trust.remove(id)
    expect(await get().trust.get(id)).toBeUndefined()
  })

  it('of a workspace changes only from what it was found to be, where that is asked for', async () => {
    const workspace = newWorkspace()
    await get().workspaces.create(workspace)
    const change = (trust: Workspace['trust'], from?: Workspace['trust']) =>
      get().workspaces.change(workspace.id, { trust }, from)
    await change('trusted')
    expect(await change('changed', 'untrusted')).toBeUndefined()
    expect(await get().workspaces.get(workspace.id)).toMatchObject({ trust: 'trusted', trusted: true })
    expect(await change('changed', 'trusted')).toMatchObject({ trust: 'changed', trusted: false })
    expect(await get().workspaces.remove(workspace.id)).toBe(true)
  })

  it('goes with its workspace, and is not kept for one that is not there', async () => {
    const workspace = newWorkspace()
    await get().workspaces.create(workspace)
    await get().trust.put(recordOf(workspace.id, 'one'))
    await get().workspaces.change(workspace.id, { trust: 'changed' })
    expect(await get().workspaces.get(workspace.id)).toMatchObject({ trust: 'changed', trusted: false })
    expect(await get().workspaces.remove(workspace.id)).toBe(true)
    expect(await get().trust.get(workspace.id)).toBeUndefined()
    await expect(get().trust.put(recordOf(workspace.id, 'two'))).rejects.toThrow()
  })
}

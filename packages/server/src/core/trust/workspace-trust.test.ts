/** Two servers that look at one workspace, each with a keeper of its own over one store. */
import type { TrustState, Workspace } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { TrustKeeper } from './workspace-trust.ts'

/** Trusted with the digest `trusted`. `found`: of what is in its files now. */
function sharedWorkspace(trust: TrustState, found: string) {
  let workspace = { id: 'ws_1', path: '/w', trust, trusted: trust === 'trusted' } as Workspace
  let digest: string | undefined = 'trusted'
  const changes: string[] = []
  const keeper = (name: string, beforeAnswer: () => Promise<unknown> = async () => {}) =>
    new TrustKeeper({
      files: {
        read: async () => ({
          digest: found,
          items: [],
          faults: [],
          closedFiles: [],
          closedFolders: [],
          modules: {},
          profiles: {},
        }),
      },
      store: {
        get: async () => undefined,
        async digestOf() {
          const asked = digest
          await beforeAnswer()
          return asked
        },
        async put(record) {
          digest = record.digest
        },
        async remove() {
          digest = undefined
        },
      },
      workspaces: {
        get: async () => workspace,
        async change(_id, { trust: to = workspace.trust }, from = workspace.trust) {
          if (workspace.trust !== from) return undefined
          workspace = { ...workspace, trust: to, trusted: to === 'trusted' }
          return workspace
        },
      },
      audit: { append: async () => {}, record: async () => {} },
      clock: { now: () => 0 },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      onChange: ({ how }) => changes.push(`${name} ${how}`),
    })
  return { keeper, changes, state: () => workspace.trust }
}

it.each([
  ['would be lost', 'trusted', 'other'],
  ['would be found again', 'changed', 'trusted'],
] as const)('trust that %s while another server takes it back stays taken back', async (_, before, found) => {
  const { keeper, changes, state } = sharedWorkspace(before, found)
  const a = keeper('a')
  const b = keeper('b', () => a.take('ws_1'))
  expect(await b.check('ws_1')).toMatchObject({ workspace: { trust: 'untrusted' }, covers: undefined })
  expect(state()).toBe('untrusted')
  expect(changes).toEqual(['a taken'])
})

import { describe, expect, it } from 'vitest'
import type { Clock } from '../ports/clock.ts'
import type { McpSharingChoice, McpStore, McpSwitch } from '../ports/mcp-store.ts'
import { McpSwitches } from './switches.ts'

const clock = { now: () => 0 } as Clock
const workspace = { kind: 'workspace', id: 'w' } as const
const session = { kind: 'session', id: 's' } as const

async function opened(kept: McpSwitch[] = []) {
  const stored = [...kept]
  const sharings: McpSharingChoice[] = []
  const store = {
    switches: async () => [...stored],
    switchOff: async (what: McpSwitch) => void stored.push(what),
    switchOn: async (what: McpSwitch) => {
      const at = stored.findIndex(
        ({ server, tool, target }) =>
          server === what.server && tool === what.tool && target.id === what.target.id,
      )
      return at >= 0 && stored.splice(at, 1).length > 0
    },
    sharings: async () => [...sharings],
    setSharing: async (choice: McpSharingChoice) => {
      const at = sharings.findIndex(({ server }) => server === choice.server)
      sharings.splice(at < 0 ? sharings.length : at, at < 0 ? 0 : 1, choice)
    },
    removeSharing: async ({ server }: { server: string }) => {
      const at = sharings.findIndex((one) => one.server === server)
      return at >= 0 && sharings.splice(at, 1).length > 0
    },
  } as Partial<McpStore> as McpStore
  const notified: string[] = []
  const switches = new McpSwitches(store, clock, ({ server, tool }) => notified.push(tool ?? server))
  await switches.load()
  return { switches, stored, sharings, notified }
}

describe('switches', () => {
  it('hold for their workspace and session alone', async () => {
    const { switches, notified } = await opened()
    await switches.set({ target: workspace, server: 'github' }, true, 'owner')
    await switches.set({ target: session, server: 'memory' }, true, 'owner')
    await switches.set({ target: session, server: 'files', tool: 'write' }, true, 'owner')
    expect(switches.serversOff('w', 's')).toEqual(new Set(['github', 'memory']))
    expect(switches.serversOff('w', 'other')).toEqual(new Set(['github']))
    expect(switches.serversOff(undefined, undefined)).toEqual(new Set())
    expect(switches.isToolOff('w', 's', 'files', 'write')).toBe(true)
    expect(switches.isToolOff('w', 'other', 'files', 'write')).toBe(false)
    expect(notified).toEqual(['github', 'memory', 'write'])
  })

  it('are found under every spelling that is one name to the CLI', async () => {
    const { switches, stored } = await opened()
    await switches.set({ target: session, server: 'my.files', tool: 'write' }, true, 'owner')
    expect(switches.isToolOff(undefined, 's', 'my_files', 'write')).toBe(true)
    await switches.set({ target: session, server: 'my_files', tool: 'write' }, false, 'owner')
    expect(switches.isToolOff(undefined, 's', 'my.files', 'write')).toBe(false)
    expect(stored).toEqual([])
  })

  it('are those of the store once another process has changed them', async () => {
    const { stored, switches } = await opened()
    expect(await switches.load()).toBe(false)
    stored.push({ target: session, server: 'github', by: 'owner', at: '2026-01-01T00:00:00.000Z' })
    expect(await switches.load()).toBe(true)
    expect(switches.serversOff(undefined, 's')).toEqual(new Set(['github']))
  })

  it('come back after a restart, and are forgotten with their place', async () => {
    const { stored, switches } = await opened()
    await switches.set({ target: session, server: 'github' }, true, 'owner')
    const again = await opened(stored)
    expect(again.switches.serversOff(undefined, 's')).toEqual(new Set(['github']))
    again.switches.forget(session)
    expect(again.switches.serversOff(undefined, 's')).toEqual(new Set())
  })
})

describe('choices of sharing', () => {
  it('hold for their workspace, for all spellings that are one server to the model, and one at a time', async () => {
    const { switches, sharings, notified } = await opened()
    await switches.setSharing({ workspaceId: 'w', server: 'my.browser' }, 'shared', 'owner')
    expect(switches.sharingOf('w', 'my_browser')).toBe('shared')
    expect(switches.sharingOf('w', 'browser')).toBeUndefined()
    expect(switches.sharingOf('other', 'my.browser')).toBeUndefined()
    expect(switches.sharingOf(undefined, 'my.browser')).toBeUndefined()
    await switches.setSharing({ workspaceId: 'w', server: 'my_browser' }, 'session', 'owner')
    expect(sharings).toMatchObject([{ server: 'my_browser', sharing: 'session', by: 'owner' }])
    await switches.setSharing({ workspaceId: 'w', server: 'my:browser' }, undefined, 'owner')
    expect(switches.sharingOf('w', 'my.browser')).toBeUndefined()
    expect(sharings).toEqual([])
    expect(notified).toEqual(['my.browser', 'my_browser', 'my:browser'])
  })

  it('that another process made are found, and forgotten with their workspace', async () => {
    const { switches, sharings } = await opened()
    sharings.push({ workspaceId: 'w', server: 'browser', sharing: 'shared', by: 'owner', at: '' })
    expect(await switches.load()).toBe(true)
    expect(await switches.load()).toBe(false)
    expect(switches.sharingOf('w', 'browser')).toBe('shared')
    switches.forget(session)
    expect(switches.sharingOf('w', 'browser')).toBe('shared')
    switches.forget(workspace)
    expect(switches.sharingOf('w', 'browser')).toBeUndefined()
  })
})

/** A real server over the real CLI, offline, with terminals beside it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningServer, startServer } from '@dorkos/server'
import { type ApiClient, createApiClient } from '@dorkos/shared'
import { type Offline, type Script, startOffline } from '@dorkos/testkit'
import { FakeTerminal } from './fake-terminal.ts'

export interface OfflineServer extends AsyncDisposable {
  readonly offline: Offline
  readonly server: RunningServer
  /** A client with every right: the page of the owner. */
  readonly page: ApiClient
  terminal(options?: { isTTY?: boolean; input?: string; reconnectMs?: number }): FakeTerminal
}

export async function startOfflineServer(script: Script): Promise<OfflineServer> {
  const offline = await startOffline(script)
  const { cwd } = offline
  const env = { ...offline.env, DORKOS_SPARE_PROCESSES: '0' }
  const server = await startServer({ env, cwd, flags: { '--port': '0' }, validateResponses: true }).catch(
    async (error: unknown) => {
      await offline.dispose()
      throw error
    },
  )
  const token = await server.ownToken()
  return {
    offline,
    server,
    page: createApiClient({ baseUrl: server.url, token }),
    terminal: (options = {}) => new FakeTerminal({ env, cwd, ...options }),
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 })
      await offline.dispose()
    },
  }
}

export async function serverFileOf(home: string): Promise<{ url: string; pid: number }> {
  return JSON.parse(await readFile(join(home, '.dorkos', 'server.json'), 'utf8'))
}

/** What the supervisor's tests start from: a supervisor that is closed after each test, and entries of the servers in this folder. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpLaunch, ServerEntry, Sharing } from '../../src/server-entry.ts'
import type { ServerState, ServerStatus } from '../../src/server-status.ts'
import type { ServerHold } from '../../src/supervisor/supervised-server.ts'
import { createSupervisor } from '../../src/supervisor/supervisor.ts'
import type { Supervisor, SupervisorOptions } from '../../src/supervisor/supervisor-types.ts'

export const supportFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export interface GatewayFixture {
  dir: string
  mark: string
  supervisor(options?: Partial<SupervisorOptions>): Supervisor
  /** Process ids of all starts of servers that were given this as `countFile`. */
  starts(file: string): number[]
  end(): Promise<void>
}

export function gatewayFixture(): GatewayFixture {
  const dir = mkdtempSync(join(tmpdir(), 'mcp-gateway-'))
  const mark = dir.slice(dir.lastIndexOf('-') + 1)
  const supervisors: Supervisor[] = []
  return {
    dir,
    mark,
    supervisor(options = {}) {
      const supervisor = createSupervisor({ mark, ...options })
      supervisors.push(supervisor)
      return supervisor
    },
    starts(file) {
      try {
        return readFileSync(file, 'utf8').trim().split('\n').map(Number)
      } catch {
        return []
      }
    },
    async end() {
      await Promise.all(supervisors.map((supervisor) => supervisor.close()))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export interface PlainOptions {
  name?: string
  sharing?: Sharing
  timeoutMs?: number
  env?: Record<string, string>
  /** See plain-server.mjs. */
  server?: Record<string, unknown>
}

export function plainEntry(options: PlainOptions = {}): ServerEntry {
  const args = [supportFile('plain-server.mjs'), JSON.stringify(options.server ?? {})]
  return stdioEntry(process.execPath, args, options)
}

export function stdioEntry(command: string, args: string[], options: PlainOptions = {}): ServerEntry {
  const env = { PATH: process.env.PATH ?? '', ...options.env }
  return {
    name: options.name ?? 'plain',
    launch: { type: 'stdio', command, args, env, cwd: tmpdir() },
    sharing: options.sharing ?? 'until_asked',
    timeoutMs: options.timeoutMs ?? 20_000,
  }
}

export function httpEntry(
  launch: Omit<HttpLaunch, 'headers'> & { headers?: Record<string, string> },
): ServerEntry {
  return { name: 'web', launch: { headers: {}, ...launch }, sharing: 'until_asked', timeoutMs: 20_000 }
}

export function call(
  hold: ServerHold,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  return hold.request('tools/call', { name, arguments: args })
}

export async function textOf(answer: Promise<Record<string, unknown>>): Promise<string> {
  const { content } = (await answer) as { content: { text: string }[] }
  return content.map((part) => part.text).join('')
}

/** Resolves with the status as soon as it is as wanted. */
export function statusWhere(
  hold: ServerHold,
  isWanted: (status: ServerStatus) => boolean,
): Promise<ServerStatus> {
  return new Promise((resolve) => {
    let end = () => {}
    const check = () => {
      const status = hold.status()
      if (!isWanted(status)) return
      end()
      resolve(status)
    }
    end = hold.onChange(check)
    check()
  })
}

export function inState(hold: ServerHold, state: ServerState): Promise<ServerStatus> {
  return statusWhere(hold, (status) => status.state === state)
}

/** What DorkOS's tools read, as values in memory. */
import { type Session, say } from '@dorkos/shared'
import { vi } from 'vitest'
import type { Actor } from '../../src/core/actor.ts'
import { AppError } from '../../src/core/app-error.ts'
import type { McpToolDeps, ServerToolDeps } from '../../src/core/tools/mcp-tool-deps.ts'
import type { Visibility } from '../../src/core/tools/visibility.ts'
import { owner } from './actors.ts'

export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export function session(number: number, more: Partial<Session> = {}): Session {
  return {
    id: id(number),
    title: `Session ${number}`,
    first_prompt: 'what was said',
    cwd: '/projects',
    origin: 'dorkos',
    state: 'idle',
    live: number < 3,
    permission_mode: 'default',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    archived: false,
    pinned: false,
    unattended: false,
    demo: false,
    cli_session_ids: ['a'],
    pending_approvals: 0,
    queued_messages: 0,
    ...more,
  }
}

const tokens = { input: 1, output: 2, cache_read: 3, cache_write: 4 }

export function serverDeps(sessions = Array.from({ length: 150 }, (_, index) => session(index))) {
  const settings = new Map<string, unknown>([['sessions.idleMinutes', 30]])
  const describeKey = (key: string) => ({
    key,
    value: settings.get(key),
    writable: true,
    description: 'd',
    expects: 'e',
  })
  return {
    visibilityOf: async (): Promise<Visibility> => ({ actor: owner(), kind: 'all' }),
    sessions: {
      list: vi.fn(async (_actor: Actor, { limit, live }: { limit: number; live?: boolean }) => ({
        sessions: sessions.filter((one) => !live || one.live).slice(0, limit),
      })),
      async get(_actor: Actor, wanted: string) {
        const found = sessions.find((one) => one.id === wanted)
        if (!found)
          throw new AppError('not_found', say('cli_words', { text: `There is no session ${wanted}.` }))
        return found
      },
    },
    config: {
      agentKeys: (_actor: Actor) => [...settings.keys()].map(describeKey),
      async changeFromAgent(_actor: Actor, key: string, value: unknown) {
        if (!settings.has(key))
          throw new AppError('forbidden', say('cli_words', { text: `${key} cannot be changed by an agent.` }))
        settings.set(key, value)
        return describeKey(key)
      },
    },
    costs: {
      report: vi.fn(async () => ({
        totals: ['2026-01-01', '2026-01-03', '2026-01-02'].map((key, index) => ({
          key,
          usd: index,
          tokens,
          turns: 1,
        })),
        total: { usd: 3, tokens, turns: 3 },
      })),
    },
    proposeCommit: vi.fn(async (_id: string, _message: string) => {}),
    serverInfo: () => ({ port: 5151, version: '9.9.9' }),
    now: () => Date.parse('2026-02-01T00:00:00Z'),
  } satisfies ServerToolDeps
}

export function makeDeps() {
  return {
    transcriptReader: { listSessions: vi.fn(async (_cwd: string): Promise<unknown[]> => [1, 2, 3]) },
    defaultCwd: '/test/cwd',
    server: serverDeps(),
  } satisfies McpToolDeps
}

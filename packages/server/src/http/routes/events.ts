/** The event streams. */
import { sessionIdSchema } from '@dorkos/shared'
import { z } from 'zod'
import { type FollowDeps, followAll, followSession } from '../follow-sessions.ts'
import { invalidRequest } from '../problem.ts'
import { type Handlers, RawReply } from '../route.ts'

const idList = z.array(sessionIdSchema)

export function eventRoutes(follow: FollowDeps) {
  return {
    followSession: ({ actor, params, header }) =>
      new RawReply((response) => followSession(follow, actor, params.id, header('last-event-id'), response)),
    followAll({ actor, query, header }) {
      const request = { sessions: idsOf(query.sessions), cursors: header('last-event-id') }
      return new RawReply((response) => followAll(follow, actor, request, response))
    },
  } satisfies Partial<Handlers>
}

function idsOf(text = ''): string[] {
  const parsed = idList.safeParse(text === '' ? [] : text.split(','))
  if (parsed.success) return [...new Set(parsed.data)]
  throw invalidRequest(
    parsed.error.issues.map((issue) => ({ ...issue, path: ['query', 'sessions', ...issue.path] })),
  )
}

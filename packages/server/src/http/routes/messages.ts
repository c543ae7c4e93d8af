/** Messages, the turns that they cause, and the event streams that report them. */
import { sessionIdSchema } from '@dorkos/shared'
import { z } from 'zod'
import type { SessionService } from '../../core/services.ts'
import { followMessage } from '../follow-message.ts'
import { type FollowDeps, followAll, followSession } from '../follow-sessions.ts'
import { invalidRequest } from '../problem.ts'
import { type Handlers, RawReply } from '../route.ts'
import type { CheckDriving } from '../session-rights.ts'

const idList = z.array(sessionIdSchema)

export function messageRoutes(sessions: SessionService, follow: FollowDeps, checkDriving: CheckDriving) {
  return {
    async sendMessage({ actor, params, body, idempotencyKey, header }) {
      await checkDriving(actor, params.id)
      const send = () => sessions.send(actor, params.id, body, idempotencyKey)
      if (!wantsEventStream(header('accept'))) return send()
      return new RawReply((response) => followMessage(follow, actor, params.id, send, response))
    },
    listTurns: async ({ actor, params, query }) => ({ turns: await sessions.turns(actor, params.id, query) }),
    async editMessage({ actor, params, body }) {
      await checkDriving(actor, params.id)
      return sessions.editMessage(actor, params.id, params.messageId, body.content)
    },
    withdrawMessage: ({ actor, params }) => sessions.withdrawMessage(actor, params.id, params.messageId),
    async moveMessage({ actor, params, body }) {
      await checkDriving(actor, params.id)
      return sessions.moveMessage(actor, params.id, params.messageId, body.before ?? undefined)
    },
    async resendMessage({ actor, params, body }) {
      await checkDriving(actor, params.id)
      return sessions.resendMessage(actor, params.id, params.messageId, body.content)
    },
    async steerMessage({ actor, params }) {
      await checkDriving(actor, params.id)
      return sessions.steerMessage(actor, params.id, params.messageId)
    },
    async settleMessage({ actor, params, body }) {
      if (body.action === 'run') await checkDriving(actor, params.id)
      return sessions.settleMessage(actor, params.id, params.messageId, body.action)
    },
    async releaseQueue({ actor, params }) {
      await checkDriving(actor, params.id)
      return sessions.releaseQueue(actor, params.id)
    },
    followSession: ({ actor, params, header }) =>
      new RawReply((response) => followSession(follow, actor, params.id, header('last-event-id'), response)),
    followAll({ actor, query, header }) {
      const request = { sessions: idsOf(query.sessions), cursors: header('last-event-id') }
      return new RawReply((response) => followAll(follow, actor, request, response))
    },
  } satisfies Partial<Handlers>
}

function wantsEventStream(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === 'text/event-stream')
}

function idsOf(text = ''): string[] {
  const parsed = idList.safeParse(text === '' ? [] : text.split(','))
  if (parsed.success) return [...new Set(parsed.data)]
  throw invalidRequest(
    parsed.error.issues.map((issue) => ({ ...issue, path: ['query', 'sessions', ...issue.path] })),
  )
}

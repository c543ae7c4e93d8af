/** Messages and the turns that they cause. */
import type { SessionService } from '../../core/services.ts'
import { followMessage } from '../follow-message.ts'
import type { FollowDeps } from '../follow-session.ts'
import { type Handlers, RawReply } from '../route.ts'

export function messageRoutes(sessions: SessionService, follow: FollowDeps) {
  return {
    async sendMessage({ caller, params, body, idempotencyKey, header }) {
      const send = () => sessions.send(caller, params.id, body, idempotencyKey)
      if (!wantsEventStream(header('accept'))) return send()
      return new RawReply((response) => followMessage(follow, caller, params.id, send, response))
    },
    listTurns: async ({ params, query }) => ({ turns: await sessions.turns(params.id, query) }),
    editMessage: ({ caller, params, body }) =>
      sessions.editMessage(caller, params.id, params.messageId, body.content),
    withdrawMessage: ({ caller, params }) => sessions.withdrawMessage(caller, params.id, params.messageId),
    steerMessage: ({ caller, params }) => sessions.steerMessage(caller, params.id, params.messageId),
    settleMessage: ({ caller, params, body }) =>
      sessions.settleMessage(caller, params.id, params.messageId, body.action),
  } satisfies Partial<Handlers>
}

function wantsEventStream(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === 'text/event-stream')
}

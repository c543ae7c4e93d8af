/** Messages and the turns that they cause. */
import type { SessionService } from '../../core/services.ts'
import { followMessage } from '../follow-message.ts'
import type { FollowDeps } from '../follow-session.ts'
import { type Handlers, RawReply } from '../route.ts'
import type { CheckDriving } from '../session-rights.ts'

export function messageRoutes(sessions: SessionService, follow: FollowDeps, checkDriving: CheckDriving) {
  return {
    async sendMessage({ caller, params, body, idempotencyKey, header }) {
      await checkDriving(caller, params.id)
      const send = () => sessions.send(caller, params.id, body, idempotencyKey)
      if (!wantsEventStream(header('accept'))) return send()
      return new RawReply((response) => followMessage(follow, caller, params.id, send, response))
    },
    listTurns: async ({ params, query }) => ({ turns: await sessions.turns(params.id, query) }),
    async editMessage({ caller, params, body }) {
      await checkDriving(caller, params.id)
      return sessions.editMessage(caller, params.id, params.messageId, body.content)
    },
    withdrawMessage: ({ caller, params }) => sessions.withdrawMessage(caller, params.id, params.messageId),
    async moveMessage({ caller, params, body }) {
      await checkDriving(caller, params.id)
      return sessions.moveMessage(caller, params.id, params.messageId, body.before ?? undefined)
    },
    async steerMessage({ caller, params }) {
      await checkDriving(caller, params.id)
      return sessions.steerMessage(caller, params.id, params.messageId)
    },
    async settleMessage({ caller, params, body }) {
      if (body.action === 'run') await checkDriving(caller, params.id)
      return sessions.settleMessage(caller, params.id, params.messageId, body.action)
    },
    async releaseQueue({ caller, params }) {
      await checkDriving(caller, params.id)
      return sessions.releaseQueue(caller, params.id)
    },
  } satisfies Partial<Handlers>
}

function wantsEventStream(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === 'text/event-stream')
}

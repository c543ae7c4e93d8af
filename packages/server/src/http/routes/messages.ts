/** Messages and the turns that they cause. */
import type { SessionService } from '../../core/services.ts'
import { followMessage } from '../follow-message.ts'
import type { FollowDeps } from '../follow-sessions.ts'
import { type Handlers, RawReply } from '../route.ts'
import type { CheckDriving } from '../session-rights.ts'

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
  } satisfies Partial<Handlers>
}

function wantsEventStream(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === 'text/event-stream')
}

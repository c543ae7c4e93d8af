/** The part of the endpoint table that is about messages to an agent, and the turns that they become. */
import { z } from 'zod'
import { emptyBody, largeBody, limit, sessionParams } from './endpoint-fields.ts'
import { uuidSchema } from './ids.ts'
import { acceptedMessageSchema, messageContentSchema, sessionSchema, turnSchema } from './session.ts'

const message = sessionParams.extend({ messageId: uuidSchema })

const sendBody = z.strictObject({
  content: messageContentSchema,
  /** `steer` goes into the running turn if there is one; otherwise the message waits for its own turn. */
  delivery: z.enum(['queue', 'steer']).default('queue'),
})

export const messageEndpoints = {
  sendMessage: {
    method: 'POST',
    path: '/api/sessions/:id/messages',
    summary: 'Send a message: on disk before the answer, run in order',
    scope: 'chat',
    params: sessionParams,
    body: sendBody,
    response: acceptedMessageSchema,
    status: 202,
    stream: 'accept',
    idempotent: true,
    bodyLimit: largeBody,
  },

  listTurns: {
    method: 'GET',
    path: '/api/sessions/:id/turns',
    summary: 'Turns, newest first: queued, running and ended',
    scope: 'read',
    params: sessionParams,
    query: z.object({
      state: z.enum(['queued', 'claimed', 'running', 'ended']).optional(),
      limit: limit(500, 50),
    }),
    response: z.object({ turns: z.array(turnSchema) }),
  },

  editMessage: {
    method: 'PATCH',
    path: '/api/sessions/:id/messages/:messageId',
    summary: 'Change a message that still waits',
    scope: 'chat',
    params: message,
    body: z.strictObject({ content: messageContentSchema }),
    response: turnSchema,
    bodyLimit: largeBody,
  },
  withdrawMessage: {
    method: 'DELETE',
    path: '/api/sessions/:id/messages/:messageId',
    summary: 'Take back a message that still waits',
    scope: 'chat',
    params: message,
    response: turnSchema,
  },
  moveMessage: {
    method: 'POST',
    path: '/api/sessions/:id/messages/:messageId/move',
    summary: 'Give a waiting message another place in the queue',
    scope: 'chat',
    params: message,
    body: z.strictObject({
      /** The waiting message that it goes before; null: the end. */
      before: uuidSchema.nullable(),
    }),
    response: turnSchema,
  },
  resendMessage: {
    method: 'POST',
    path: '/api/sessions/:id/messages/:messageId/resend',
    summary: 'Send the last message again, changed or as it was, in its place',
    scope: 'chat',
    params: message,
    body: z.strictObject({
      /** Absent: as it was. */
      content: messageContentSchema.optional(),
    }),
    response: acceptedMessageSchema,
    status: 202,
    bodyLimit: largeBody,
  },
  steerMessage: {
    method: 'POST',
    path: '/api/sessions/:id/messages/:messageId/steer',
    summary: 'Put a waiting message into the running turn',
    scope: 'chat',
    params: message,
    body: emptyBody,
    response: turnSchema,
  },
  settleMessage: {
    method: 'POST',
    path: '/api/sessions/:id/messages/:messageId/settle',
    summary: 'Decide about a message that may or may not have run before a crash',
    scope: 'chat',
    params: message,
    body: z.strictObject({ action: z.enum(['run', 'drop']) }),
    response: turnSchema,
  },
  releaseQueue: {
    method: 'POST',
    path: '/api/sessions/:id/queue/release',
    summary: 'Run the messages that a stop held',
    scope: 'chat',
    params: sessionParams,
    body: emptyBody,
    response: sessionSchema,
  },
} as const

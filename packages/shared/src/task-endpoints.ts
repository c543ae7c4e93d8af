/** The part of the endpoint table that is about commands and subagents which run for a session: what they print, and how to stop one. */
import { z } from 'zod'
import { emptyBody, limit, sessionParams } from './endpoint-fields.ts'
import { taskSchema } from './task.ts'

const taskParams = sessionParams.extend({ taskId: z.string().min(1).max(200) })

const taskOutputSchema = z.object({
  /** Whole characters; bytes that are no UTF-8 are replaced. */
  text: z.string(),
  /** Where the text begins. It is another than was asked for where the output is shorter by now. */
  offset: z.number().int(),
  /** Where to go on, now or once there is more. */
  next_offset: z.number().int(),
  /** Of all that was printed so far. */
  bytes: z.number().int(),
})
export type TaskOutput = z.infer<typeof taskOutputSchema>

export const taskEndpoints = {
  listTasks: {
    method: 'GET',
    path: '/api/sessions/:id/tasks',
    summary: 'Commands and subagents that run for the session, and those that ended last',
    scope: 'read',
    params: sessionParams,
    response: z.object({ tasks: z.array(taskSchema) }),
  },
  getTaskOutput: {
    method: 'GET',
    path: '/api/sessions/:id/tasks/:taskId/output',
    summary: 'What a command has printed so far, in pages; asked again with `next_offset`, what came since',
    scope: 'read',
    params: taskParams,
    query: z.object({
      /** In bytes. Absent: the last `limit` of them. */
      offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
      /** In bytes. */
      limit: limit(1024 * 1024, 64 * 1024),
    }),
    response: taskOutputSchema,
  },
  stopTask: {
    method: 'POST',
    path: '/api/sessions/:id/tasks/:taskId/stop',
    summary: 'Stop one command or subagent; the rest of the session goes on',
    scope: 'chat',
    params: taskParams,
    body: emptyBody,
  },
} as const

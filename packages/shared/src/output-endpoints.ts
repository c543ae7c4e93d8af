/** The part of the endpoint table that gives what events have no room for: whole outputs and pictures, and the whole of a session as a file. */
import { z } from 'zod'
import { limit, sessionParams } from './endpoint-fields.ts'
import { uuidSchema } from './ids.ts'
import { saidSchema } from './words/said.ts'

/** What is served as a picture; anything else that claims to be one is not given out as one. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** A file: the answer itself, to be read as text, as a blob or as a stream. */
const fileSchema = z.custom<Response>()

const toolCallParams = sessionParams.extend({ toolCallId: z.string().min(1).max(200) })
/** The n-th picture of a message or result, from 0. */
const picture = { index: z.coerce.number().int().min(0).max(10_000) }

const toolOutputSchema = z.object({
  /** From `offset` on, whole characters; bytes that are no UTF-8 are replaced. */
  text: z.string(),
  /** Of the whole text. */
  bytes: z.number().int(),
  /** Where to go on; absent at the end. */
  next_offset: z.number().int().optional(),
  /** What of the output exists no more, or never did outside of the tool: the CLI did not keep it, or its file is gone. Absent: this is all. */
  missing: z.string().optional(),
  said: saidSchema.optional(),
  pictures: z.array(
    z.object({ index: z.number().int(), media_type: z.enum(pictureTypes), bytes: z.number().int() }),
  ),
})
export type ToolOutput = z.infer<typeof toolOutputSchema>

export const outputEndpoints = {
  getToolOutput: {
    method: 'GET',
    path: '/api/sessions/:id/tool-calls/:toolCallId/output',
    summary: 'What a tool call returned, whole, in pages of text; its pictures are named',
    scope: 'read',
    params: toolCallParams,
    query: z.object({
      /** In bytes: 0, or the `next_offset` of a page. */
      offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
      /** In bytes. */
      limit: limit(1024 * 1024, 256 * 1024),
    }),
    response: toolOutputSchema,
  },
  downloadToolOutput: {
    method: 'GET',
    path: '/api/sessions/:id/tool-calls/:toolCallId/output/file',
    summary: 'The text of what a tool call returned, whole, as a file',
    scope: 'read',
    params: toolCallParams,
    file: ['text/plain'],
    response: fileSchema,
  },
  getToolPicture: {
    method: 'GET',
    path: '/api/sessions/:id/tool-calls/:toolCallId/pictures/:index',
    summary: 'A picture that a tool call returned, as the tool gave it where the CLI kept that',
    scope: 'read',
    params: toolCallParams.extend(picture),
    file: pictureTypes,
    response: fileSchema,
  },
  getMessagePicture: {
    method: 'GET',
    path: '/api/sessions/:id/messages/:messageId/pictures/:index',
    summary: 'A picture of a message to the agent',
    scope: 'read',
    params: sessionParams.extend({ messageId: uuidSchema, ...picture }),
    file: pictureTypes,
    response: fileSchema,
  },
  exportSession: {
    method: 'GET',
    path: '/api/sessions/:id/export',
    summary:
      'The conversation as Markdown or JSON, with whole outputs and pictures; as HTML for others to read, inert, with secrets masked and long outputs cut',
    scope: 'read',
    params: sessionParams,
    query: z.object({ format: z.enum(['markdown', 'json', 'html']).default('markdown') }),
    file: ['text/markdown', 'application/json', 'text/html'],
    response: fileSchema,
  },
} as const

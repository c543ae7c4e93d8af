/** The part of the endpoint table that shows the files of a session's directory, read-only. */
import { z } from 'zod'
import { sessionParams } from './endpoint-fields.ts'
import { timeSchema } from './ids.ts'
import { pictureTypes } from './output-endpoints.ts'

/** Relative to the session's directory, with `/`. */
const path = z.string().max(4096)

const folderSchema = z.object({
  /** Folders first, then by name. */
  entries: z.array(z.object({ name: z.string(), kind: z.enum(['file', 'directory']) })),
  /** False when there are more than are listed. */
  complete: z.boolean(),
})
export type SessionFolder = z.infer<typeof folderSchema>

const sessionFileSchema = z.object({
  bytes: z.number().int(),
  changed_at: timeSchema,
  /** Its text, at most a megabyte of it; absent for what is no text. */
  text: z.string().optional(),
  /** False where the text is only the beginning. */
  complete: z.boolean(),
  /** By its first bytes, whatever its name says. */
  picture: z.enum(pictureTypes).optional(),
})
export type SessionFile = z.infer<typeof sessionFileSchema>

export const fileEndpoints = {
  listSessionFolder: {
    method: 'GET',
    path: '/api/sessions/:id/folder',
    summary: 'What a folder of the session’s directory holds; what git ignores is left out',
    scope: 'read',
    params: sessionParams,
    query: z.object({ path: path.default('').describe('Empty: the session’s directory itself.') }),
    response: folderSchema,
  },
  readSessionFile: {
    method: 'GET',
    path: '/api/sessions/:id/file',
    summary: 'A file of the session’s directory: its text, or what it is',
    // Who may chat can have the agent read it; who may only look reads what was said.
    scope: 'chat',
    params: sessionParams,
    query: z.object({ path: path.min(1) }),
    response: sessionFileSchema,
  },
  getSessionFile: {
    method: 'GET',
    path: '/api/sessions/:id/file/content',
    summary: 'A file of the session’s directory, whole, to save or to show as a picture',
    scope: 'chat',
    params: sessionParams,
    query: z.object({ path: path.min(1) }),
    file: [...pictureTypes, 'application/octet-stream'],
    response: z.custom<Response>(),
  },
} as const

import { z } from 'zod'
import { draftKeySchema, draftSchema, maxDraftText } from './draft.ts'
import type { Endpoint } from './endpoints.ts'

export const draftEndpoints = {
  listDrafts: {
    method: 'GET',
    path: '/api/drafts',
    summary: 'What you are writing, on whatever device, the newest first',
    scope: 'chat',
    response: z.object({ drafts: z.array(draftSchema) }),
  },
  saveDraft: {
    method: 'PATCH',
    path: '/api/drafts/:key',
    summary: 'Save what you are writing; an empty text removes it',
    scope: 'chat',
    params: z.object({ key: draftKeySchema }),
    body: z.strictObject({
      text: z.string().max(maxDraftText),
      /** The revision that this was made from. Another one is a conflict, whose details have the draft as it is. */
      base_revision: z.number().int().min(0),
    }),
    response: draftSchema,
    // A character may take twelve bytes as JSON.
    bodyLimit: 3 * 1024 * 1024,
  },
} as const satisfies Record<string, Endpoint>

/** The part of the endpoint table that is about profiles. */
import { z } from 'zod'
import type { Endpoint } from './endpoints.ts'
import { recordIdSchema } from './ids.ts'
import { profileDetailsSchema, profileEntrySchema, profileNameSchema, profileSchema } from './profile.ts'

const params = z.object({ name: profileNameSchema })
/** Absent: of what is the owner's and what comes with DorkOS alone. */
const query = z.object({ workspace_id: recordIdSchema.optional() })
const text = z.string().max(256 * 1024)

const importableSchema = z.object({
  /** Absolute. */
  file: z.string(),
  kind: z.enum(['claude_agent', 'sandstorm']),
  name: z.string(),
  description: z.string().optional(),
  /** A profile of this name is there already. */
  exists: z.boolean(),
})

export const profileEndpoints = {
  listProfiles: {
    method: 'GET',
    path: '/api/profiles',
    summary: 'Profiles: yours, those that come with DorkOS and, with a workspace, its own',
    scope: 'read',
    query,
    response: z.object({ profiles: z.array(profileEntrySchema) }),
  },
  getProfile: {
    method: 'GET',
    path: '/api/profiles/:name',
    summary: 'One profile: its file, what it says, and what is wrong in it',
    scope: 'read',
    params,
    query: query.extend({
      /** Default: the one that counts. */
      origin: profileEntrySchema.shape.origin.optional(),
    }),
    response: profileDetailsSchema,
  },
  checkProfile: {
    method: 'POST',
    path: '/api/profiles/check',
    summary: 'What a profile’s file would say, and what is wrong in it; nothing is stored',
    scope: 'read',
    body: z.strictObject({ name: profileNameSchema, text, workspace_id: recordIdSchema.optional() }),
    response: z.object({ faults: profileEntrySchema.shape.faults, profile: profileSchema.optional() }),
  },
  saveProfile: {
    method: 'PATCH',
    path: '/api/profiles/:name',
    summary: 'Write a profile’s file: yours, or a workspace’s. One with faults is refused',
    scope: 'admin',
    params,
    body: z.strictObject({
      text,
      workspace_id: recordIdSchema.optional(),
      /** The digest that this was made from; null for a new profile. Another one is a conflict. */
      base_digest: z.string().max(64).nullable(),
    }),
    response: profileDetailsSchema,
  },
  deleteProfile: {
    method: 'DELETE',
    path: '/api/profiles/:name',
    summary: 'Delete a profile’s file: yours, or a workspace’s',
    scope: 'admin',
    params,
    query,
  },
  listProfileImports: {
    method: 'GET',
    path: '/api/profile-imports',
    summary: 'Agents of Claude Code and of sandstorm that could become profiles',
    scope: 'admin',
    query,
    response: z.object({ found: z.array(importableSchema) }),
  },
  importProfile: {
    method: 'POST',
    path: '/api/profile-imports',
    summary: 'Make a profile of a file that listProfileImports names',
    scope: 'admin',
    body: z.strictObject({
      file: z.string().max(4096),
      /** Where it was found. */
      workspace_id: recordIdSchema.optional(),
      name: profileNameSchema,
    }),
    response: profileDetailsSchema,
  },
} as const satisfies Record<string, Endpoint>

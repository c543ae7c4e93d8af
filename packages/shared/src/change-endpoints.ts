/** The part of the endpoint table that is about what a session changed in its directory. */
import { z } from 'zod'
import {
  changedPathSchema,
  fileComparisonSchema,
  fileHashSchema,
  gitStateSchema,
  hunkSchema,
  restoredFilesSchema,
  seenFilesSchema,
  sessionChangesSchema,
} from './change.ts'
import { sessionParams } from './endpoint-fields.ts'

const spanId = z.string().min(1).max(100)

export const changeEndpoints = {
  listChanges: {
    method: 'GET',
    path: '/api/sessions/:id/changes',
    summary: 'Files that changed since the session began, by turn and in total',
    scope: 'read',
    params: sessionParams,
    response: sessionChangesSchema,
  },
  getChange: {
    method: 'GET',
    path: '/api/sessions/:id/changes/file',
    summary: 'One changed file, before and after: of a turn, or in total',
    scope: 'read',
    params: sessionParams,
    query: z.object({
      path: changedPathSchema,
      /** The `id` of an entry of `spans`; absent: in total. */
      span: spanId.optional(),
    }),
    response: fileComparisonSchema,
  },
  revertChange: {
    method: 'POST',
    path: '/api/sessions/:id/changes/revert',
    summary: 'Put a file, or some lines of it, back as it was; what others changed only when told to',
    scope: 'approve',
    params: sessionParams,
    body: z.strictObject({
      path: changedPathSchema,
      /** As it was before this entry of `spans`; absent: before the session. */
      span: spanId.optional(),
      hunk: hunkSchema.optional(),
      /** Of the file as it was seen. 409 with `current_hash` in `details` where it is another by now. */
      expected_hash: fileHashSchema,
      /** Also what is not certain to be the agent’s alone. Without it that is a 409 with `reason` in `details`. */
      also_others: z.boolean().default(false),
    }),
    response: sessionChangesSchema,
  },
  restoreFiles: {
    method: 'POST',
    path: '/api/sessions/:id/changes/restore',
    summary: 'Put all files back as they were before a turn, or say what that would do',
    scope: 'approve',
    params: sessionParams,
    body: z.strictObject({
      turn_id: z.string().min(1).max(100),
      dry_run: z.boolean().default(false),
      /** Files of `asking` that are to be put back all the same, as they were seen. */
      seen: seenFilesSchema.default([]),
    }),
    response: restoredFilesSchema,
  },
  getGitState: {
    method: 'GET',
    path: '/api/sessions/:id/changes/git',
    summary: 'What could be committed, to which branch, and what would not run',
    scope: 'read',
    params: sessionParams,
    response: gitStateSchema,
  },
  stageChanges: {
    method: 'POST',
    path: '/api/sessions/:id/changes/stage',
    summary: 'Put some of the changed files into git’s index as they were seen, or take them out of it',
    scope: 'approve',
    params: sessionParams,
    body: z.strictObject({
      files: seenFilesSchema.min(1),
      /** True: the index has them as they are. False: as the head has them. */
      staged: z.boolean(),
      /** Also where another version is staged, which is then lost. Without it that is a 409 with `reason` and `paths` in `details`. */
      also_others: z.boolean().default(false),
    }),
    response: gitStateSchema,
  },
  commitChanges: {
    method: 'POST',
    path: '/api/sessions/:id/changes/commit',
    summary: 'Commit some of the changed files as they were seen; what is staged stays as it is',
    scope: 'approve',
    params: sessionParams,
    body: z.strictObject({
      files: seenFilesSchema.min(1),
      message: z.string().trim().min(1).max(20_000),
      /** As in the state that was seen; null: before the first commit. */
      head: z.string().max(100).nullable(),
    }),
    response: z.object({
      commit: z.string(),
      /** False: another git held the index, which has the files as they were before. */
      index_updated: z.boolean(),
      git: gitStateSchema,
    }),
  },
} as const

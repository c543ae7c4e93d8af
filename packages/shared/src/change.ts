/** What was changed in a session's directory since it began: by turn, and in total. */
import { z } from 'zod'
import { timeSchema } from './ids.ts'
import { saidSchema } from './words/said.ts'

/** Which content a file has: two that are equal have the same. `absent`: there is no file. */
export const fileHashSchema = z
  .string()
  .regex(/^(absent|(file|executable|link|large):[0-9a-f]{64})$/, 'not the hash of a file')

/** Relative to the session's directory, with `/`. */
export const changedPathSchema = z.string().min(1).max(4096)

export const fileChangeKinds = ['created', 'modified', 'deleted'] as const

/**
 * `agent`: a tool of the agent’s wrote it, and nobody else. `command_or_person`: it changed while a command ran, or while the agent
 * worked; by what is not known. `both`: a tool of the agent’s wrote it, and something else did too.
 */
export const changeAuthors = ['agent', 'command_or_person', 'both'] as const

const changedFileSchema = z.object({
  path: changedPathSchema,
  change: z.enum(fileChangeKinds),
  by: z.enum(changeAuthors),
  /** False for what was too large to keep: it can neither be shown nor put back. */
  restorable: z.boolean(),
})

/** `turn`: a turn. `background`: between turns, while tasks of the agent ran. `reverted`: what somebody put back in DorkOS. */
const changeSpanSchema = z.object({
  id: z.string(),
  kind: z.enum(['turn', 'background', 'reverted']),
  turn_id: z.string().optional(),
  time: timeSchema,
  /** It goes on: more may follow. */
  running: z.boolean(),
  /** False when there was more in the directory than is looked at. */
  complete: z.boolean(),
  files: z.array(changedFileSchema),
  /** What file tools wrote outside of the directory. Nothing is kept of it. */
  outside: z.array(z.string()),
})
export type ChangeSpan = z.infer<typeof changeSpanSchema>

const totalFileSchema = changedFileSchema.extend({
  /** Somebody or something changed it after the agent, outside of DorkOS. */
  changed_since: z.boolean(),
  /** Of the file as it is now: what `expected_hash` must be. */
  hash: fileHashSchema,
})
export type ChangedFile = z.infer<typeof totalFileSchema>

export const sessionChangesSchema = z.object({
  /** Oldest first; those without a changed file are left out. */
  spans: z.array(changeSpanSchema),
  /** In total, by path. What is again as it was before is left out. */
  files: z.array(totalFileSchema),
  complete: z.boolean(),
})
export type SessionChanges = z.infer<typeof sessionChangesSchema>

/** One side of a comparison; absent where there was no file. */
const fileSideSchema = z.object({
  bytes: z.number().int(),
  kind: z.enum(['file', 'executable', 'link', 'large']),
  /** Absent for what is no text, and for what is too large to show. */
  text: z.string().optional(),
})

export const fileComparisonSchema = z.object({
  path: changedPathSchema,
  by: z.enum(changeAuthors),
  before: fileSideSchema.optional(),
  after: fileSideSchema.optional(),
  changed_since: z.boolean(),
  hash: fileHashSchema,
})
export type FileComparison = z.infer<typeof fileComparisonSchema>

/** Lines that differ, as they were shown. Whole lines with their ends. */
export const hunkSchema = z.strictObject({
  /** The first of the lines in the text before, from 1; of no lines, the one that they would be before. */
  before_line: z.number().int().min(1),
  before: z.string().max(1_000_000),
  after_line: z.number().int().min(1),
  after: z.string().max(1_000_000),
})
export type Hunk = z.infer<typeof hunkSchema>

const seenFileSchema = z.strictObject({ path: changedPathSchema, hash: fileHashSchema })
export const seenFilesSchema = z.array(seenFileSchema).max(5000)

export const restoredFilesSchema = z.object({
  /** Put back, or to be put back: written by the agent alone. */
  restored: z.array(changedPathSchema),
  /** Not certain to be the agent’s alone: put back only where the request has `seen` them with this hash. */
  asking: z.array(
    z.object({
      path: changedPathSchema,
      hash: fileHashSchema,
      reason: z.enum(['changed_since', 'command_or_person', 'both']),
    }),
  ),
  /** Their content was not kept. */
  not_restorable: z.array(changedPathSchema),
  /** Written by file tools outside of the directory, where nothing is kept. */
  outside: z.array(z.string()),
  /** False when there was more in the directory than is looked at. */
  complete: z.boolean(),
})
export type RestoredFiles = z.infer<typeof restoredFilesSchema>

const stagedVersions = ['none', 'same', 'other'] as const

/** What a commit from here would be. Nothing that the repository names is run: neither hooks, filters nor a program that signs. */
export const gitStateSchema = z.object({
  /** Whether a commit can be made; `reason` says why not. */
  can_commit: z.boolean(),
  reason: z.string().optional(),
  said: saidSchema.optional(),
  /** The branch, or none: the head is detached. */
  branch: z.string().optional(),
  /** The commit that the next one follows; absent before the first. */
  head: z.string().optional(),
  author: z.string().optional(),
  /** Names of hooks that the repository has and that do not run here. */
  hooks: z.array(z.string()),
  /** Its commits are to be signed; one from here is not. */
  signs: z.boolean(),
  /** Changed files of the session that are not committed. */
  files: z.array(
    z.object({
      path: changedPathSchema,
      change: z.enum(fileChangeKinds),
      hash: fileHashSchema,
      /** Why it cannot be committed here. */
      refused: z.string().optional(),
      said: saidSchema.optional(),
      /** What the index has of it: as the head has it, as the file is now, or something else, which a commit leaves there. */
      staged: z.enum(stagedVersions),
    }),
  ),
  /** What the agent proposed. */
  proposed_message: z.string().optional(),
})
export type GitState = z.infer<typeof gitStateSchema>

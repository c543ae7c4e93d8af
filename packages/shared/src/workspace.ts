/** Directories that agents work in. */
import { z } from 'zod'
import { recordIdSchema, timeSchema } from './ids.ts'
import { trustStateSchema } from './trust.ts'
import { saidSchema } from './words/said.ts'

export const workspaceSchema = z.object({
  id: recordIdSchema,
  name: z.string(),
  path: z.string(),
  /** Whether its settings, hooks, servers and tools count: `trust` is `trusted`. */
  trusted: z.boolean(),
  trust: trustStateSchema,
  mode: z.enum(['host', 'container']),
  /** Exactly one workspace is the main one. */
  main: z.boolean(),
  created_at: timeSchema,
  /** Why agents cannot work there as they should, and what to do. */
  warning: z.string().optional(),
  said: saidSchema.optional(),
})
export type Workspace = z.infer<typeof workspaceSchema>

export const newWorkspaceSchema = z.object({
  path: z.string().min(1).max(4096),
  name: z.string().min(1).max(200).optional(),
  trusted: z.boolean().default(false),
  main: z.boolean().default(false),
  /** In a container its agents see this directory and nothing else of the machine. It stays what it is. */
  mode: z.enum(['host', 'container']).default('host'),
})

export const workspaceChangeSchema = z.object({
  name: z.string().min(1).max(200).optional(),
  trusted: z.boolean().optional(),
  main: z.literal(true).optional(),
})

/** What people can call with a slash in sessions of a workspace. */
export const workspaceCommandsSchema = z.object({
  commands: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      argument_hint: z.string(),
      aliases: z.array(z.string()),
      source: z.enum(['project', 'user', 'plugin', 'builtin']),
    }),
  ),
  /** Those of the CLI itself are among them: known once a process has run since the server started. */
  has_builtin: z.boolean(),
})
export type WorkspaceCommands = z.infer<typeof workspaceCommandsSchema>

import type { PermissionMode } from '@dorkos/shared'

/** What each permission mode asks about, to stand after its name. */
export const modeMeanings: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before editing files or running commands',
  acceptEdits:
    'edits, creates, moves and deletes files in the workspace without asking, including with mkdir, touch, cp, mv, rm, rmdir and redirections; asks before other commands',
  plan: 'explores and writes a plan',
  dontAsk: 'never asks; anything no rule allows is denied',
  bypassPermissions:
    'runs everything without asking, and can read whatever you can read; asks before writing outside the workspace',
}

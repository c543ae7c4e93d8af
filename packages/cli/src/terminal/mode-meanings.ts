import type { PermissionMode } from '@dorkos/shared'

/** What each permission mode asks about, to stand after its name. */
export const modeMeanings: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before editing files or running commands',
  acceptEdits:
    'edits, creates, moves and deletes files in the workspace without asking, including with mkdir, touch, cp, mv, rm, rmdir and redirections; asks before other commands',
  plan: 'explores and writes a plan',
  dontAsk:
    'denies what default would ask about; asks only where a tool or rule always asks, settings weaken the sandbox, or the folder isn’t confirmed',
  bypassPermissions:
    'runs commands and edits files in the workspace without asking, and can read whatever you can read; asks before writing elsewhere, and where dontAsk still asks; its file tools can’t write files that programs obey',
}

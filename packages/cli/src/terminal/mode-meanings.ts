import type { PermissionMode } from '@dorkos/shared'

/** What each permission mode asks about, to stand after its name. */
export const modeMeanings: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before files are edited and commands run',
  acceptEdits:
    'files of the workspace are edited, made, moved and deleted unasked, also by mkdir, touch, cp, mv, rm, rmdir and redirections; asks before other commands',
  plan: 'looks around and writes a plan',
  dontAsk: 'never asks: what no rule allows is denied',
  bypassPermissions:
    'runs everything unasked, and reads whatever you can read; asks before a file outside of the workspace is written',
}

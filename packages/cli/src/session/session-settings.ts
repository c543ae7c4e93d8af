/** What `run` and `chat` can set on a session, read from their flags. */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ApiClient, Effort, PermissionMode, Session } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { chooseSession } from './choose-session.ts'
import { chooseWorkspace } from './choose-workspace.ts'

export interface SessionFlags {
  model?: string
  effort?: Effort
  permissionMode?: PermissionMode
  cwd?: string
  workspace?: string
  budget?: number
  profile?: string
  maxTurns?: number
  session?: string
  unattended?: boolean
}

/** Where the agent is to work: what `--cwd` says, else this directory. Throws `CliError` when there is no such directory. */
export function directoryOf(context: CliContext, flags: SessionFlags): string {
  const wanted = resolve(context.cwd, flags.cwd ?? '.')
  try {
    return realpathSync(wanted)
  } catch (error) {
    throw new CliError(`No such directory: ${wanted}.`, exitCodes.usage, error)
  }
}

/** A new session, or the one of `--session` with the flags applied. */
export async function openSession(
  client: ApiClient,
  context: CliContext,
  flags: SessionFlags,
  idempotencyKey: string,
): Promise<Session> {
  const settings = {
    ...(flags.model !== undefined && { model: flags.model }),
    ...(flags.effort !== undefined && { effort: flags.effort }),
    ...(flags.permissionMode !== undefined && { permission_mode: flags.permissionMode }),
    ...(flags.budget !== undefined && { budget_usd: flags.budget }),
    ...(flags.maxTurns !== undefined && { max_turns: flags.maxTurns }),
    ...(flags.unattended && { unattended: true }),
  }
  if (flags.session !== undefined) {
    if (flags.cwd !== undefined || flags.workspace !== undefined) {
      throw new CliError(
        'A session can’t change its directory. Leave out --cwd and --workspace.',
        exitCodes.usage,
      )
    }
    if (flags.profile !== undefined)
      throw new CliError(
        'A session keeps the profile it was started with. Leave out --profile.',
        exitCodes.usage,
      )
    const session = await chooseSession(client, flags.session)
    const isChanged = Object.keys(settings).length > 0
    return isChanged ? client.changeSession({ params: { id: session.id }, body: settings }) : session
  }
  const workspaceId =
    flags.workspace === undefined
      ? undefined
      : (await chooseWorkspace(client, flags.workspace, context.cwd)).id
  const givesCwd = workspaceId === undefined || flags.cwd !== undefined
  const { session } = await client.createSession({
    idempotencyKey,
    body: {
      ...settings,
      ...(flags.profile !== undefined && { profile: flags.profile }),
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
      ...(givesCwd && { cwd: directoryOf(context, flags) }),
    },
  })
  return session
}

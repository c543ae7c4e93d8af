/** Finds the workspace that a person means: by its name, its id or its directory. */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ApiClient, Workspace } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { oneLine } from '../terminal/escape.ts'

/** The main workspace unless one is named; a relative directory starts at `cwd`. Throws `CliError` when there is none, or more than one. */
export async function chooseWorkspace(
  client: ApiClient,
  wanted: string | undefined,
  cwd: string,
): Promise<Workspace> {
  const { workspaces } = await client.listWorkspaces()
  const found = wanted === undefined ? workspaces.filter(({ main }) => main) : named(workspaces, wanted, cwd)
  const [only] = found
  if (only && found.length === 1) return only
  const names = workspaces.map(({ name, id }) => `${oneLine(name)} (${id})`).join(', ')
  const which = wanted === undefined ? 'main workspace' : `workspace ${oneLine(wanted, 60)}`
  throw new CliError(
    `There’s ${only ? 'more than one' : 'no'} ${which}. Available: ${names}.`,
    exitCodes.usage,
  )
}

function named(workspaces: readonly Workspace[], wanted: string, cwd: string): Workspace[] {
  const byName = workspaces.filter(({ id, name }) => id === wanted || name === wanted)
  if (byName.length > 0) return byName
  const directory = realDirectory(resolve(cwd, wanted))
  return workspaces.filter(({ path }) => path === wanted || path === directory)
}

function realDirectory(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

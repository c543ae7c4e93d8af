/**
 * The hooks that run for sessions of a workspace. A process that runs there is asked, because only the CLI knows for certain; none is
 * started for that. Where there is none, the files are read that one would read.
 */
import type { Hook, WorkspaceHooks } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { Logger } from '../logger.ts'
import type { LiveAgent } from '../ports/agent.ts'
import type { HookFiles } from '../ports/hook-files.ts'
import type { HookService } from '../services.ts'
import type { Workspaces } from '../workspaces.ts'
import { fileHooks } from './file-hooks.ts'
import { processHooks } from './process-hooks.ts'

export interface HookServiceParts {
  workspaces: Pick<Workspaces, 'checked' | 'settingSourcesFor'>
  runners(): readonly HookRunner[]
  files: HookFiles
  /** Every event, in the order of a turn. */
  events: readonly string[]
  logger: Logger
}

interface HookRunner {
  readonly record: { workspaceId?: string | undefined; cwd: string }
  readonly live: boolean
  readonly closing: boolean
  readonly isOutdated: boolean
  readonly agent: Pick<LiveAgent, 'hooks'>
}

/** The CLI's menu does not list callbacks. No policy and no setting turns this one off (2.1.325). */
const own: Hook = { event: 'PreToolUse', kind: 'callback', source: 'dorkos' }

const MAX_HOOKS = 300

type Listed = Omit<WorkspaceHooks, 'cut'>

export function createHookService(parts: HookServiceParts): HookService {
  const rank = new Map(parts.events.map((event, at) => [event, at]))
  const rankOf = ({ event }: Hook) => rank.get(event) ?? parts.events.length
  return {
    async ofWorkspace(id) {
      const workspace = (await parts.workspaces.checked(id))?.workspace
      if (!workspace) throw new AppError('not_found', `There is no workspace ${id}.`)
      const { path, mode } = workspace
      const sources = parts.workspaces.settingSourcesFor(workspace)
      const listed =
        (await byProcess(parts, { id, path, fileHooks: sources.length > 0 })) ??
        (await byFiles(parts, { path, sources, container: mode === 'container' }))
      const hooks = [own, ...listed.hooks].toSorted((a, b) => rankOf(a) - rankOf(b))
      return {
        ...listed,
        hooks: hooks.slice(0, MAX_HOOKS),
        ...(hooks.length > MAX_HOOKS && { cut: true }),
      }
    },
  }
}

/** Of a session in the workspace's own directory: one below it loads less. */
async function byProcess(
  { runners, files, logger }: HookServiceParts,
  place: { id: string; path: string; fileHooks: boolean },
): Promise<Listed | undefined> {
  const { id, path, fileHooks } = place
  const runner = runners().find(
    ({ record, live, closing, isOutdated }) =>
      record.workspaceId === id && record.cwd === path && live && !closing && !isOutdated,
  )
  if (!runner) return undefined
  try {
    const answer = await runner.agent.hooks()
    const listed = processHooks(answer, { files: await files.places(path), fileHooks })
    if (listed) return { from: 'process', ...listed }
    logger.warn({ workspace: id }, 'the CLI listed its hooks in a form that is not known; its files are read')
  } catch (error) {
    // It may have ended just now.
    logger.warn({ workspace: id, err: error }, 'the CLI did not list its hooks; its files are read')
  }
  return undefined
}

async function byFiles(
  { files }: HookServiceParts,
  place: Parameters<HookFiles['read']>[0],
): Promise<Listed> {
  const read = await files.read(place)
  return { from: 'files', ...fileHooks(read.files), faults: read.faults }
}

/** The hook files port over the file system. Nothing that stands in a file can make this throw or hang. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HookFault } from '@dorkos/shared'
import { isRecord } from '../../core/event-map/untrusted.ts'
import type { HookFile } from '../../core/hooks/file-hooks.ts'
import { settingsHooks } from '../../core/hooks/settings-hooks.ts'
import type { HookFiles, HookPlace } from '../../core/ports/hook-files.ts'
import { managedSettingsPath, projectKeyOf } from '../mcp-files/read-sources.ts'
import { placesAbove } from '../trust-files/loading-places.ts'
import { readPluginHooks } from './plugin-hooks.ts'
import { readSettings } from './read-settings.ts'

export interface HookFilesInput {
  /** The CLI's own folder. */
  claudeConfigDir: string
  ownerHome: string
  /** Those that the CLI knows. */
  events: ReadonlySet<string>
  /** The machine's. The CLI's place for this platform if absent. Policies from elsewhere only the CLI knows. */
  managedSettingsFile?: string
}

interface Candidate {
  source: Exclude<HookFile['source'], 'plugin'>
  file: string
  within?: string
}

const MAX_PLUGINS = 1000

export function createHookFiles(input: HookFilesInput): HookFiles {
  const policyFile = input.managedSettingsFile ?? managedSettingsPath(process.platform)
  const user: Candidate = { source: 'user', file: join(input.claudeConfigDir, 'settings.json') }
  const policy: Candidate = { source: 'policy', file: policyFile }
  const project = (path: string): Candidate => ({
    source: 'project',
    file: join(path, '.claude', 'settings.json'),
    within: path,
  })
  return {
    async read(place) {
      const { path, sources, container } = place
      const local = sources.includes('local') ? await localFiles(path, input.ownerHome) : []
      const candidates = [...[user, project(path)].filter(isOneOf(sources)), ...local]
      return readAll(input, place, container ? candidates : [...candidates, policy])
    },
    async places(path) {
      const local = await localFiles(path, input.ownerHome)
      const there = await Promise.all(local.map(({ file }) => lstat(file).catch(() => undefined)))
      const found = local.filter((_, at) => there[at] !== undefined)
      return {
        user: user.file,
        project: project(path).file,
        policy: policy.file,
        ...(found.length === 1 && found[0] && { local: found[0].file }),
      }
    },
  }
}

const isOneOf =
  (sources: HookPlace['sources']) =>
  ({ source }: Candidate) =>
    sources.some((one) => one === source)

async function readAll(
  { claudeConfigDir, events }: HookFilesInput,
  { path, container }: HookPlace,
  candidates: readonly Candidate[],
): Promise<{ files: HookFile[]; faults: HookFault[] }> {
  const files: HookFile[] = []
  const faults: HookFault[] = []
  const enabled = new Map<string, boolean>()
  for (const candidate of candidates) {
    const value = await readSettings(candidate.file, faults, candidate.within)
    const file = value && toHookFile(value, candidate, events)
    if (file) files.push(file)
    if (value && !file)
      faults.push({
        file: candidate.file,
        reason: 'Its hooks have a form that Claude Code does not take: it skips the whole file.',
      })
    if (value && file) for (const [id, on] of pluginsOf(value)) enabled.set(id, on)
  }
  if (container || enabled.size === 0) return { files, faults }
  const projectPaths = [...new Set([path, await projectKeyOf(path)])]
  const plugins = await readPluginHooks({ enabled, claudeConfigDir, projectPaths }, events)
  return { files: [...files, ...plugins.files], faults: [...faults, ...plugins.faults] }
}

function toHookFile(
  value: Record<string, unknown>,
  { source, file }: Candidate,
  events: ReadonlySet<string>,
): HookFile | undefined {
  const { disableAllHooks, allowManagedHooksOnly, strictPluginOnlyCustomization: strict } = value
  const found = settingsHooks(value.hooks, { source, file }, events)
  if (!found || (disableAllHooks !== undefined && typeof disableAllHooks !== 'boolean')) return undefined
  const isPluginOnly = strict === true || (Array.isArray(strict) && strict.includes('hooks'))
  return {
    source,
    hooks: found.hooks,
    ...(disableAllHooks !== undefined && { disableAll: disableAllHooks }),
    ...(source === 'policy' && allowManagedHooksOnly === true && { managedOnly: true }),
    ...(source === 'policy' && isPluginOnly && { pluginOnly: true }),
  }
}

/** The CLI also takes a list of versions for yes. */
function pluginsOf({ enabledPlugins }: Record<string, unknown>): [string, boolean][] {
  if (!isRecord(enabledPlugins)) return []
  return Object.entries(enabledPlugins)
    .slice(0, MAX_PLUGINS)
    .map(([id, on]) => [id, on === true || Array.isArray(on)])
}

/** Of the workspace, and of the root of the repository that it lies in. */
async function localFiles(path: string, ownerHome: string): Promise<Candidate[]> {
  const above = await placesAbove(path, ownerHome)
  const roots = await Promise.all(
    above.map(async (place) => ((await lstat(join(place, '.git')).catch(() => undefined)) ? [place] : [])),
  )
  return [...roots.flat(), path].map((place) => ({
    source: 'local',
    file: join(place, '.claude', 'settings.local.json'),
    within: place,
  }))
}

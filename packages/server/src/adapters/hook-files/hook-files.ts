/** The hook files port over the file system. Nothing that stands in a file can make this throw or hang. */
import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type HookFault, isRecord } from '@dorkos/shared'
import { type HookFile, isOff, whatIsOff, whatKeepsOn } from '../../core/hooks/file-hooks.ts'
import { settingsHooks } from '../../core/hooks/settings-hooks.ts'
import type {
  FoundHook,
  FoundPlugin,
  HookFiles,
  HookReading,
  HookWorkspace,
} from '../../core/ports/hook-files.ts'
import type { Seal } from '../../core/trust/covered-item.ts'
import { managedSettingsMore, managedSettingsPath } from '../mcp-files/managed-settings.ts'
import { projectKeyOf } from '../mcp-files/read-sources.ts'
import { foldersAbove } from '../trust-files/loading-folders.ts'
import { type HeadFolder, readHeads } from './head-files.ts'
import { digestOfHook } from './hook-digest.ts'
import { loosensSandbox } from './loosens-sandbox.ts'
import { PluginContents } from './plugin-content.ts'
import { readPluginFiles } from './plugin-hooks.ts'
import { readSettings } from './read-settings.ts'
import { findSkillPlugins } from './skill-plugins.ts'

export interface HookFilesInput {
  /** The CLI's own folder. */
  claudeConfigDir: string
  ownerHome: string
  /** What no digest may reveal anything of. */
  closedFolders: readonly string[]
  /** Those that the CLI knows. */
  events: ReadonlySet<string>
  seal: Seal
  /** The machine's. The CLI's place for this platform if absent. Policies from elsewhere only the CLI knows. */
  managedSettingsFile?: string
}

interface Candidate {
  source: Exclude<HookFile['source'], 'plugin'>
  file: string
  within?: string
}

const MAX_PLUGINS = 1000
/** Further ones do not run. */
const MAX_HOOKS = 300

export function createHookFiles(input: HookFilesInput): HookFiles {
  const policyFile = input.managedSettingsFile ?? managedSettingsPath(process.platform)
  const user: Candidate = { source: 'user', file: join(input.claudeConfigDir, 'settings.json') }
  const policy = async () =>
    [policyFile, ...(await managedSettingsMore(policyFile))].map(
      (file): Candidate => ({ source: 'policy', file }),
    )
  const project = (path: string): Candidate => ({
    source: 'project',
    file: join(path, '.claude', 'settings.json'),
    within: path,
  })
  const contents = new PluginContents(input.seal)
  return {
    async read(workspace) {
      const { path, sources, container } = workspace
      const local = sources.includes('local') ? await localFiles(path, input.ownerHome) : []
      const candidates = [...[user, project(path)].filter(isOneOf(sources)), ...local]
      if (!container) candidates.push(...(await policy()))
      const settings = await readSettingsFiles(candidates, input.events)
      const plugins = await readPlugins(input, workspace, settings, contents)
      return toReading(input, workspace, { ...settings, ...plugins })
    },
    async readHeads(workspace, plugins) {
      const { claudeConfigDir, ownerHome, events, closedFolders } = input
      const folders: HeadFolder[] = []
      if (workspace.sources.includes('user') && !workspace.container)
        folders.push({ path: claudeConfigDir, within: [claudeConfigDir, ownerHome], source: 'user' })
      if (workspace.sources.includes('project')) {
        const above = workspace.container ? [] : await foldersAbove(workspace.path, ownerHome)
        const within = [workspace.path, ...above]
        for (const one of within) folders.push({ path: join(one, '.claude'), within, source: 'project' })
      }
      for (const { id, root } of plugins)
        folders.push({ path: root, within: [root], source: 'plugin', plugin: id })
      return readHeads(folders, events, closedFolders)
    },
  }
}

const isOneOf =
  (sources: HookWorkspace['sources']) =>
  ({ source }: Candidate) =>
    sources.some((one) => one === source)

interface ReadFiles {
  files: HookFile[]
  faults: HookFault[]
  /** By `<plugin>@<marketplace>`. */
  enabled: Map<string, boolean>
  /** What the policy says of them. */
  enabledByPolicy: Map<string, boolean>
  loosening: string[]
}

async function readSettingsFiles(
  candidates: readonly Candidate[],
  events: ReadonlySet<string>,
): Promise<ReadFiles> {
  const read: ReadFiles = {
    files: [],
    faults: [],
    enabled: new Map(),
    enabledByPolicy: new Map(),
    loosening: [],
  }
  for (const candidate of candidates) {
    const value = await readSettings(candidate.file, read.faults, candidate.within)
    const file = value && toHookFile(value, candidate, events)
    if (file) read.files.push(file)
    if (value && !file)
      read.faults.push({
        file: candidate.file,
        reason: 'Its hooks have a form that Claude Code does not take: it skips the whole file.',
      })
    if (value && loosensSandbox(value)) read.loosening.push(candidate.file)
    // Whether the CLI takes the rest of a file that it skips or not: what is off here is off.
    for (const [id, on] of value ? pluginsOf(value) : []) {
      read.enabled.set(id, on)
      if (candidate.source === 'policy') read.enabledByPolicy.set(id, on)
    }
  }
  return read
}

async function readPlugins(
  { claudeConfigDir, events }: HookFilesInput,
  { path, sources, container }: HookWorkspace,
  { enabled, enabledByPolicy, faults }: ReadFiles,
  contents: PluginContents,
): Promise<
  Pick<HookReading, 'plugins' | 'enabledPlugins' | 'policyPlugins' | 'faults'> & { pluginFiles: HookFile[] }
> {
  const folders = [
    ...(sources.includes('user') && !container ? [join(claudeConfigDir, 'skills')] : []),
    ...(sources.includes('project') ? [join(path, '.claude', 'skills')] : []),
  ]
  const inSkills = await findSkillPlugins(folders)
  const projectPaths = [...new Set([path, await projectKeyOf(path)])]
  const wanted = container ? new Map<string, boolean>() : enabled
  const found = await readPluginFiles({ enabled: wanted, claudeConfigDir, projectPaths }, inSkills, events)
  const policyPlugins = turnedOn(enabledByPolicy)
  const plugins: FoundPlugin[] = []
  for (const plugin of found.plugins) {
    const isForced = plugin.bringsHooks && policyPlugins.includes(plugin.id)
    plugins.push({ ...(await contents.read(plugin)), ...(isForced && { fault: forcedFault }) })
  }
  return {
    pluginFiles: found.files,
    plugins,
    enabledPlugins: [...new Set([...turnedOn(wanted), ...found.plugins.map(({ id }) => id)])],
    policyPlugins,
    faults: [...faults, ...found.faults],
  }
}

/** Of such a plugin they run although all hooks are off (2.1.325), beside ours and without being weighed. */
const forcedFault =
  'A policy of this machine turns it on, so Claude Code would run its hooks and code by itself, whatever DorkOS says.'

function turnedOn(plugins: ReadonlyMap<string, boolean>): string[] {
  return [...plugins].flatMap(([id, isOn]) => (isOn && !id.endsWith('@builtin') ? [id] : []))
}

async function toReading(
  input: HookFilesInput,
  { path }: HookWorkspace,
  read: Pick<ReadFiles, 'files' | 'loosening'> & Awaited<ReturnType<typeof readPlugins>>,
): Promise<HookReading> {
  const files = [...read.files, ...read.pluginFiles]
  const [off, keptOn] = [whatIsOff(files), whatKeepsOn(files)]
  const digests = new Map(read.plugins.map(({ id, digest }) => [id, digest]))
  const hooks: FoundHook[] = []
  for (const file of files) {
    const { plugin } = file
    if (hooks.length > MAX_HOOKS) break
    const isDisabled = isOff(file.source, off)
    for (const one of file.hooks)
      hooks.push({
        ...one,
        ...(await digestOfHook(one, {
          ...input,
          roots: [plugin?.root ?? rootOf(file.source, path, input), path],
          plugin: plugin && digests.get(plugin.id),
        })),
        ...(plugin && { plugin }),
        ...(isDisabled && { off: true }),
      })
  }
  const { plugins, enabledPlugins, policyPlugins, loosening, faults } = read
  return {
    ...{ hooks, plugins, enabledPlugins, policyPlugins, loosening, faults },
    ...(off && { off }),
    ...(keptOn !== undefined && { keptOn }),
  }
}

/** Where the scripts of a hook may lie that are part of it. */
function rootOf(
  source: HookFile['source'],
  path: string,
  { ownerHome, claudeConfigDir }: HookFilesInput,
): string {
  if (source === 'project' || source === 'local') return path
  return claudeConfigDir.startsWith(`${ownerHome}/`) ? ownerHome : dirname(claudeConfigDir)
}

function toHookFile(
  value: Record<string, unknown>,
  { source, file }: Candidate,
  events: ReadonlySet<string>,
): HookFile | undefined {
  const { disableAllHooks, allowManagedHooksOnly, strictPluginOnlyCustomization: strict } = value
  const hooks = settingsHooks(value.hooks, { source, file }, events)
  if (!hooks || (disableAllHooks !== undefined && typeof disableAllHooks !== 'boolean')) return undefined
  const isPluginOnly = strict === true || (Array.isArray(strict) && strict.includes('hooks'))
  return {
    source,
    file,
    hooks,
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
    .map(([id, on]) => [id, on !== false])
}

/** Of the workspace, and of the root of the repository that it lies in. */
async function localFiles(path: string, ownerHome: string): Promise<Candidate[]> {
  const above = await foldersAbove(path, ownerHome)
  const roots = await Promise.all(
    above.map(async (folder) => ((await lstat(join(folder, '.git')).catch(() => undefined)) ? [folder] : [])),
  )
  return [...roots.flat(), path].map((folder) => ({
    source: 'local',
    file: join(folder, '.claude', 'settings.local.json'),
    within: folder,
  }))
}

/** Reads every file that can bring MCP servers or a word about them. Nothing that stands in one can make this throw or hang. */
import { lstat, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FoundServer, SourceReading } from '../../core/mcp/found-server.ts'
import { type JsonNode, memberOf, nodeAt, toJsonNode } from '../../core/mcp/json-tree.ts'
import { entriesOf } from '../../core/mcp/parse-entries.ts'
import { managedSettingsMore, managedSettingsPath } from './managed-settings.ts'
import { readPlugins } from './read-plugins.ts'
import { joinParts, joinPolicy, type PolicyPart, readPolicy } from './read-policy.ts'
import { MAX_CLAUDE_BYTES, type ReadTree, type SourceFile, SourceFiles } from './source-files.ts'

export interface SourcesInput {
  /** `mcpServers` of DorkOS's configuration, as it is in force. */
  configServers: Readonly<Record<string, unknown>>
  /** For the lines of those entries. */
  configFile: string
  /** `~/.claude` or `$CLAUDE_CONFIG_DIR`. */
  claudeConfigDir: string
  /** `~/.claude.json` or `$CLAUDE_CONFIG_DIR/.claude.json`. */
  claudeConfigFile: string
  workspacePath: string | undefined
  /** Whether plugins are looked for. */
  plugins: boolean
  /** The machine's, for all of its users. The CLI's place for this platform if absent. */
  managedSettingsFile?: string
}

export async function readMcpSources(input: SourcesInput): Promise<SourceReading> {
  const files = new SourceFiles()
  const workspace = input.workspacePath
  const projectKey = workspace === undefined ? undefined : await projectKeyOf(workspace)

  const configured = await readConfigured(input, files)
  const claude = await readClaudeFile(input, projectKey, files)
  const settingsFile: SourceFile = { file: join(input.claudeConfigDir, 'settings.json'), scope: 'settings' }
  const settings = await files.tree(settingsFile)
  const projectFile = join(workspace ?? '', '.mcp.json')
  const project =
    workspace === undefined
      ? []
      : await files.entries({ file: projectFile, scope: 'project', within: workspace })
  const projectHash = files.hashes.get(projectFile)

  const managed = await readManaged(input.managedSettingsFile ?? managedSettingsPath(process.platform), files)
  const user = policyOf(settings, settingsFile, files)
  const ofWorkspace = workspace === undefined ? [] : await readWorkspacePolicy(workspace, files)
  const enabled = new Map([user, ...ofWorkspace, managed].flatMap((part) => [...part.plugins]))
  const projectPaths = [workspace, projectKey].filter((path) => path !== undefined)
  const plugins = input.plugins
    ? await readPlugins({ enabled, claudeConfigDir: input.claudeConfigDir, projectPaths }, files)
    : []

  const policy = joinPolicy({ managed, owner: [user, claude.policy], workspace: ofWorkspace })
  return {
    servers: [
      ...configured,
      ...claude.servers,
      ...project,
      ...ofSettings(settings, settingsFile, files),
      ...plugins,
    ],
    faults: files.faults,
    policy: { ...policy, ...(claude.disabled.length > 0 && { disabled: claude.disabled }) },
    files: [...files.inspected],
    ...(projectHash !== undefined && { projectFile: projectHash }),
  }
}

/** The entries are those in force; the file says in which lines they stand. Its faults are the configuration's to report. */
async function readConfigured(input: SourcesInput, files: SourceFiles): Promise<FoundServer[]> {
  const source = { file: input.configFile, scope: 'dorkos' } as const
  const text = new SourceFiles()
  const { root } = await text.tree(source, [['mcpServers']])
  files.inspected.add(input.configFile)
  const list = memberOf(root, 'mcpServers')
  const members = Object.entries(input.configServers).map(([key, value]) => {
    const inFile = list?.kind === 'object' ? list.members.findLast((member) => member.key === key) : undefined
    const line = inFile?.line ?? list?.line ?? 1
    return { key, line, node: toJsonNode(value, line) }
  })
  return files.keep(entriesOf({ kind: 'object', line: list?.line ?? 1, members }, source))
}

interface ClaudeFile {
  servers: FoundServer[]
  /** Off by name for this project. */
  disabled: string[]
  policy: PolicyPart
}

async function readClaudeFile(
  { claudeConfigFile: file }: SourcesInput,
  projectKey: string | undefined,
  files: SourceFiles,
): Promise<ClaudeFile> {
  const own = projectKey === undefined ? [] : [['projects', projectKey]]
  const tree = await files.tree({ file, scope: 'user', maxBytes: MAX_CLAUDE_BYTES }, [['mcpServers'], ...own])
  const project = own[0] && nodeAt(tree.root, own[0])
  // Of a text that is not JSON only what restricts is taken.
  const read = (list: JsonNode | undefined, scope: 'user' | 'local') =>
    list && !tree.broken ? files.keep(entriesOf(list, { file, scope })) : []
  const local = read(memberOf(project, 'mcpServers'), 'local')
  const user = read(memberOf(tree.root, 'mcpServers'), 'user')
  const disabled = memberOf(project, 'disabledMcpServers')
  return {
    servers: [...local, ...user],
    disabled:
      disabled?.kind === 'array'
        ? disabled.items.flatMap((item) =>
            item.kind === 'value' && typeof item.value === 'string' ? [item.value] : [],
          )
        : [],
    policy: readRecord({ root: project, broken: tree.broken }, { file, scope: 'local' }, files),
  }
}

/**
 * The CLI (2.1.325) gives every record of a project an empty `enabledMcpjsonServers`, whatever it makes the record for, and asks its user about the
 * servers that are not in it. So an empty list there is nobody's word. Settings files have one only if a person wrote it.
 */
function readRecord(tree: ReadTree, source: SourceFile, files: SourceFiles): PolicyPart {
  const part = policyOf(tree, source, files)
  const list = memberOf(tree.root, 'enabledMcpjsonServers')
  // What is empty in a text that is not JSON may just be cut off.
  if (tree.broken || list?.kind !== 'array' || list.items.length > 0) return part
  const { enabled: _, ...rest } = part
  return rest
}

/** The CLI ignores these; we read them, because people put them there. */
function ofSettings({ root, broken }: ReadTree, source: SourceFile, files: SourceFiles): FoundServer[] {
  const list = memberOf(root, 'mcpServers')
  return list && !broken ? files.keep(entriesOf(list, source)) : []
}

/** One word of all files of the machine. Where one of them cannot be read, no server is allowed, rather than every one. */
async function readManaged(file: string, files: SourceFiles): Promise<PolicyPart> {
  const sources = [file, ...(await managedSettingsMore(file))].map(
    (one): SourceFile => ({ file: one, scope: 'settings' }),
  )
  const trees = await Promise.all(sources.map((source) => files.tree(source)))
  const parts = trees.map((tree, at) => policyOf(tree, sources[at] as SourceFile, files))
  const broken = sources.filter((_, at) => trees[at]?.broken)
  const reason =
    'These settings are for every user of this machine. Until they can be read, no MCP server is allowed.'
  files.faults.push(...broken.map((source) => ({ ...source, reason })))
  const whole = joinParts(parts)
  return broken.length === 0 ? whole : { ...whole, allowed: [] }
}

async function readWorkspacePolicy(workspace: string, files: SourceFiles): Promise<PolicyPart[]> {
  const sources: SourceFile[] = [
    { file: join(workspace, '.claude', 'settings.json'), scope: 'project', within: workspace },
    { file: join(workspace, '.claude', 'settings.local.json'), scope: 'local', within: workspace },
  ]
  return Promise.all(sources.map(async (source) => policyOf(await files.tree(source), source, files)))
}

function policyOf(tree: ReadTree, source: SourceFile, files: SourceFiles): PolicyPart {
  const part = readPolicy(tree, source)
  files.faults.push(...part.faults)
  return part
}

/** The CLI keeps what belongs to a project under the top folder of its Git repository, otherwise under its folder (seen with 2.1.325). */
export async function projectKeyOf(workspace: string): Promise<string> {
  const start = await realpath(workspace).catch(() => workspace)
  for (let folder = start; ; folder = dirname(folder)) {
    const found = await lstat(join(folder, '.git')).catch(() => undefined)
    if (found) return folder
    if (folder === dirname(folder)) return start
  }
}

/** A session's record → what its CLI process is started with. */

import { randomUUID } from 'node:crypto'
import type { Profile, ProfileAgent } from '@dorkos/shared'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { AgentOfAgent, AgentSpec, ClosedPaths, ContainerSpec, SystemUser } from '../ports/agent.ts'
import type { SessionRecord } from '../ports/records.ts'
import { isMcpName } from '../profiles/built-in-tools.ts'

/**
 * Tools that carry text from one session into another without asking anybody, begin turns later that nobody caused, or take the session to a
 * work tree of the agent's own making, from another commit than people see (2.1.325).
 */
const disallowedTools = [
  ...['SendMessage', 'ListAgents'],
  ...['CronCreate', 'CronDelete', 'CronList', 'ScheduleWakeup'],
  ...['EnterWorktree', 'ExitWorktree'],
]

export interface AgentSpecParts {
  /** The workspace's part: which settings files count, and its directory. */
  workspaceOf(record: SessionRecord): Promise<{
    path: string | undefined
    settingSources: AgentSpec['settingSources']
    /** Other workspaces below it: what those load is not for this session to write. */
    nested: string[]
    closed: ClosedPaths
    container?: ContainerSpec | undefined
    /** Whom its agents are, outside of a container. */
    runAs?: SystemUser | undefined
  }>
  environment(
    record: SessionRecord,
    within: { container?: ContainerSpec | undefined; runAs?: SystemUser | undefined },
  ): Promise<Record<string, string>>
  settings(input: {
    cwd: string
    workspacePath: string | undefined
    nested: string[]
    closed: ClosedPaths
    unloadedPlugins: readonly string[]
    container: ContainerSpec | undefined
    runAs: SystemUser | undefined
  }): Record<string, unknown>
  systemPromptAppend(record: SessionRecord): string
  /** Throws unless the directory is still the one that the session was made for, and agents may work in it. */
  checkDirectory(cwd: string): Promise<void>
  hasTranscript(cliSessionId: string): Promise<boolean>
  isTaken(cliSessionId: string): Promise<boolean>
  /** Where the next process goes on in place of the end (`SessionRecord.branch`); undefined: at the end. */
  branchOf(record: SessionRecord): Promise<SessionRecord['branch']>
  defaults(): { model: string | undefined; maxTurns: number }
}

export async function agentSpec(
  parts: AgentSpecParts,
  record: SessionRecord,
  hooks: Pick<SessionHooks, 'subscriptions' | 'unloadedPlugins' | 'closed'>,
): Promise<Omit<AgentSpec, 'mcpServers'>> {
  await parts.checkDirectory(record.cwd)
  const { model, maxTurns } = parts.defaults()
  const workspace = await parts.workspaceOf(record)
  return {
    sessionId: record.id,
    cwd: record.cwd,
    start: await startOf(parts, record),
    model: record.model ?? model,
    effort: record.effort,
    permissionMode: record.permissionMode,
    maxTurns: record.maxTurns ?? maxTurns,
    outputSchema: record.outputSchema,
    title: record.title,
    settingSources: workspace.settingSources,
    hooks: hooks.subscriptions,
    ...profileSpec(record.profile?.profile),
    systemPromptAppend: promptAppend(parts, record),
    env: await parts.environment(record, workspace),
    settings: parts.settings({
      cwd: record.cwd,
      workspacePath: workspace.path,
      nested: workspace.nested,
      closed: {
        files: [...workspace.closed.files, ...hooks.closed.files],
        folders: [...workspace.closed.folders, ...hooks.closed.folders],
      },
      unloadedPlugins: hooks.unloadedPlugins,
      container: workspace.container,
      runAs: workspace.runAs,
    }),
    container: workspace.container,
    runAs: workspace.runAs,
  }
}

function profileSpec(profile: Profile | undefined) {
  if (!profile) return { disallowedTools }
  const { prompt, prompt_mode: mode, tools, disallowed_tools: disallowed = [], skills, agents } = profile
  return {
    disallowedTools: [...disallowedTools, ...disallowed],
    ...(mode === 'replace' && { systemPrompt: prompt }),
    ...(profile.fallback_model !== undefined && { fallbackModel: profile.fallback_model }),
    // Tools of MCP servers are given or not where the servers are (`isToolLeftOut`).
    ...(tools && { tools: tools.filter((tool) => !isMcpName(tool)) }),
    ...(skills && { skills }),
    ...(agents && { agents: mapValues(agents, toAgentOfAgent) }),
  }
}

function promptAppend(parts: AgentSpecParts, record: SessionRecord): string {
  const { prompt, prompt_mode: mode } = record.profile?.profile ?? {}
  const ours = parts.systemPromptAppend(record)
  return mode === 'append' && prompt ? `${ours}\n\n${prompt}` : ours
}

function toAgentOfAgent(agent: ProfileAgent): AgentOfAgent {
  const { disallowed_tools: disallowed = [], max_turns: maxTurns, ...rest } = agent
  return { ...rest, disallowedTools: [...disallowedTools, ...disallowed], maxTurns }
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** The transcript on disk decides, not what we remember: a crash can come before or after the CLI wrote it. */
async function startOf(parts: AgentSpecParts, record: SessionRecord): Promise<AgentSpec['start']> {
  const branch = await parts.branchOf(record)
  if (branch?.at) return { kind: 'resume', ...branch.at }
  const shown = shownCliSessions(record)
  const known = shown.includes(record.id) || record.droppedCliSessions ? shown : [record.id, ...shown]
  for (const cliSessionId of branch ? [] : known.toReversed())
    if (await parts.hasTranscript(cliSessionId)) return { kind: 'resume', cliSessionId }
  // A crash can leave a file without a conversation: the CLI neither resumes it nor begins another under its id.
  const cliSessionId = (await parts.isTaken(record.id)) ? randomUUID() : record.id
  const { resumeFrom } = record
  if (!resumeFrom || branch) return { kind: 'new', cliSessionId }
  const { sessionId, messageId } = resumeFrom
  return { kind: 'fork', cliSessionId, from: sessionId, ...(messageId !== undefined && { messageId }) }
}

/** The CLI's sessions that make up the conversation, oldest first. */
function shownCliSessions({ cliSessionIds, droppedCliSessions = 0 }: SessionRecord): string[] {
  return cliSessionIds.slice(droppedCliSessions)
}

/** The agent port over the SDK: opens sessions, and hands on what they say and ask. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ClaudeCodeAgent,
  type PermissionMode as CliPermissionMode,
  endLeftovers,
  type Session,
  type SessionOptions,
  type TurnEnd,
  undocumentedVariables,
  type WrapCommand,
} from 'claude-code-agent'
import type { Logger } from '../../core/logger.ts'
import type {
  Agent,
  AgentHandlers,
  AgentSpec,
  AgentTurnEnd,
  CliMessage,
  ContainerSpec,
  LiveAgent,
} from '../../core/ports/agent.ts'
import { runAs } from '../system/run-as.ts'
import { CommandOutputs } from './command-outputs.ts'
import { CommandRules } from './command-rules.ts'
import { FlagSettings } from './flag-settings.ts'
import { permissionOptions } from './permission-options.ts'
import { TranscriptFacts } from './transcript-facts.ts'

export interface ClaudeAgentOptions {
  cliPath: string
  logger: Logger
  /** The CLI's folder with the transcript of this session. `isOurs`: nobody but this server starts a CLI on it. */
  configDirOf(cliSessionId: string): Promise<{ configDir: string; isOurs: boolean }>
  /** Puts the CLI into a container. */
  contain(spec: ContainerSpec): Promise<WrapCommand>
  /** Each process says its commands when it starts. */
  onCommands?(commands: unknown[]): void
  /** What stands in for the CLI's process. */
  transport?: SessionOptions['transport']
}

export function createClaudeAgent(options: ClaudeAgentOptions): Agent {
  const agent = new ClaudeCodeAgent({ cliPath: options.cliPath })
  const factsOf = async (cliSessionId: string) =>
    new TranscriptFacts((await options.configDirOf(cliSessionId)).configDir)
  const live = new Set<Session>()
  return {
    async open(spec, handlers) {
      const flags = new FlagSettings()
      const onSettingsChanged = () => {
        flags.close()
        return handlers.onSettingsChanged()
      }
      const session = await agent.startSession({
        keepAlive: true,
        projectPath: spec.cwd,
        ...conversation(spec),
        options: {
          ...sessionOptions(spec, options.logger),
          ...permissionOptions({ ...handlers, onSettingsChanged }, spec.hooks, new CommandRules(flags)),
          ...(spec.container && { wrapCommand: await options.contain(spec.container) }),
          ...(spec.runAs && { wrapCommand: await runAs(spec.runAs, spec.env) }),
          ...(options.transport && { transport: options.transport }),
        },
      })
      flags.bind(session)
      live.add(session)
      options.onCommands?.(list(session.initializationResult().commands))
      const outputs = outputsOf(spec, handlers)
      const ended = () => {
        live.delete(session)
        if (spec.container) void rm(spec.container.outputs, { recursive: true, force: true }).catch(() => {})
      }
      listen(session, handlers, { outputs, ended })
      return liveAgent(session, spec, { flags, outputs })
    },
    async inUseElsewhere(cliSessionId) {
      const { configDir, isOurs } = await options.configDirOf(cliSessionId)
      if (isOurs) return false
      const own = [...live].flatMap(({ pid }) => pid ?? [])
      return new TranscriptFacts(configDir).inUseElsewhere(cliSessionId, own)
    },
    recorded: async (id, messageIds) => (await factsOf(id)).recorded(id, messageIds),
    hasTranscript: async (id) => (await factsOf(id)).exists(id),
    isTaken: async (id) => (await factsOf(id)).isTaken(id),
    sweep: () => endLeftovers(),
    close: () => agent.close(),
  }
}

function conversation({ start }: AgentSpec) {
  if (start.kind === 'new') return { sessionId: start.cliSessionId }
  const resumeAt = start.messageId === undefined ? {} : { resumeAt: start.messageId }
  if (start.kind === 'resume') return { resume: start.cliSessionId, ...resumeAt }
  return { resume: start.from, fork: true, sessionId: start.cliSessionId, ...resumeAt }
}

/** As root, the CLI does not start in this mode unless its environment says that it is contained. */
function isBypassRefused(env: AgentSpec['env']): boolean {
  return process.getuid?.() === 0 && env[undocumentedVariables.contained.name] !== '1'
}

function sessionOptions(spec: AgentSpec, logger: Logger): SessionOptions {
  // The SDK lays `env` over the program's own; here it is to be the whole of it.
  const inherited = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]))
  return {
    env: { ...inherited, ...spec.env },
    permissionMode: spec.permissionMode,
    // Lets a person switch to bypass later; the gateway's hook holds there too.
    allowDangerouslySkipPermissions: !isBypassRefused(spec.env),
    systemPrompt: systemPromptOf(spec),
    settingSources: spec.settingSources,
    settings: spec.settings,
    strictMcpConfig: true,
    disallowedTools: spec.disallowedTools,
    mcpServers: spec.mcpServers as NonNullable<SessionOptions['mcpServers']>,
    includePartialMessages: true,
    includeHookEvents: true,
    enableFileCheckpointing: true,
    perTaskStopAffordance: true,
    forwardSubagentText: true,
    stderr: (line) => logger.debug({ sessionId: spec.sessionId, line }, 'stderr of the CLI'),
    onWarning: (warning) => logger.warn({ sessionId: spec.sessionId, warning }, 'warning of the SDK'),
    ...(spec.model !== undefined && { model: spec.model }),
    ...(spec.effort !== undefined && { effort: spec.effort }),
    ...(spec.fallbackModel !== undefined && { fallbackModel: spec.fallbackModel }),
    ...(spec.tools && { tools: spec.tools }),
    ...(spec.agents && { agents: spec.agents as NonNullable<SessionOptions['agents']> }),
    ...(spec.skills && { skills: spec.skills }),
    ...(spec.maxTurns !== undefined && { maxTurns: spec.maxTurns }),
    ...(spec.title !== undefined && { title: spec.title }),
    // Otherwise a CLI that waits keeps the instructions and the state of the repository from its start (2.1.325).
    ...(spec.isSpare && { extraArgs: { 'await-claim': null } }),
    ...(spec.outputSchema && { outputFormat: { type: 'json_schema', schema: spec.outputSchema } }),
  }
}

function systemPromptOf({
  systemPrompt,
  systemPromptAppend,
}: AgentSpec): NonNullable<SessionOptions['systemPrompt']> {
  return systemPrompt === undefined
    ? { type: 'preset', preset: 'claude_code', append: systemPromptAppend }
    : [systemPrompt, systemPromptAppend]
}

function outputsOf({ container, runAs: user, env }: AgentSpec, handlers: AgentHandlers): CommandOutputs {
  // As if the CLI reported it.
  const onOutput = (toolCallId: string, text: string) =>
    void handlers.onMessage({ type: 'tool_progress', tool_use_id: toolCallId, text }).catch(() => undefined)
  const uid = (container?.runAs ?? user)?.uid ?? process.getuid?.()
  const folder = container?.outputs ?? join(env.TMPDIR || '/tmp', `claude-${uid}`)
  return new CommandOutputs({ folder, uid, onOutput })
}

function listen(
  session: Session,
  handlers: AgentHandlers,
  { outputs, ended }: { outputs: CommandOutputs; ended: () => void },
): void {
  // Not done before it is logged: a slow log holds the CLI back.
  session.onRawMessage((raw) => {
    outputs.see(raw as CliMessage)
    return handlers.onMessage(raw as CliMessage)
  })
  session.on('turnStart', ({ messageUuids }) => handlers.onTurnStart({ messageIds: messageUuids }))
  session.on('messageState', ({ uuid, state }) => handlers.onMessageState(uuid, state))
  session.on('turnEnd', (end) =>
    handlers.onTurnEnd({
      messageIds: end.messageUuids,
      result: end.result.raw as CliMessage,
      ...outcomeAndReason(end),
    }),
  )
  session.on('stateChange', ({ to }) => {
    const state = publicState(to)
    if (state) handlers.onStateChange(state)
  })
  session.on('toolResult', ({ toolUseId, toolName, isError }) => {
    outputs.end(toolUseId)
    handlers.onToolFinished({ toolCallId: toolUseId, tool: toolName ?? '', isError })
  })
  const exit = (wanted: boolean, error: string | undefined) => {
    outputs.close()
    ended()
    handlers.onExit({ wanted, error })
  }
  session.waitForCompletion({ keepReading: false }).then(
    ({ error }) => exit(true, error?.message),
    (error: unknown) => exit(false, error instanceof Error ? error.message : String(error)),
  )
}

function publicState(state: string): 'working' | 'waiting' | 'idle' | 'paused' | undefined {
  switch (state) {
    case 'running':
    case 'waiting_tool_call':
      return 'working'
    case 'waiting_permission':
      return 'waiting'
    case 'idle':
    case 'paused':
      return state
  }
  return undefined
}

/** Both answer in the middle of a turn too (2.1.325). */
const listingMs = 5000
/** It takes a tenth of a second, and longer on a busy machine. One that takes as long as a start is of no use. */
const claimMs = 5000

interface LiveParts {
  flags: FlagSettings
  outputs: CommandOutputs
}

function liveAgent(
  session: Session,
  { cwd, isSpare = false }: AgentSpec,
  { flags, outputs }: LiveParts,
): LiveAgent {
  const setServers = (servers: unknown) =>
    session.setMcpServers(servers as Parameters<Session['setMcpServers']>[0])
  let isParked = isSpare
  /** The CLI takes none for a session that has not begun (2.1.325): the newest are given to it then. */
  let laterServers: unknown
  return {
    get pid() {
      return session.pid
    },
    get cliSessionId() {
      return session.cliSessionIds.at(-1) ?? session.id
    },
    async begin() {
      await session.control('claim_session', { cwd }, { timeoutMs: claimMs })
      isParked = false
      if (laterServers) await setServers(laterServers)
    },
    async send({ id, content }, delivery) {
      await session.send(content, { uuid: id, ...(delivery === 'steer' && { priority: 'next' }) })
    },
    withdraw: (messageId) => session.cancelMessage(messageId),
    async interrupt({ cancelUnread }) {
      const { stillQueued } = await session.interrupt({ cancelQueued: cancelUnread })
      return { unread: stillQueued }
    },
    stopTask: (taskId) => session.stopTask(taskId),
    taskOutput: async (taskId, page) => outputs.read(taskId, page),
    pause: () => session.pause(),
    resume: () => session.resume(),
    setModel: (model) => session.setModel(model),
    // Null takes `--effort` away too (2.1.325). A model without the level gets the next
    // lower one. What could not be given now, the next process has.
    async setEffort(effort) {
      await flags.apply({ effortLevel: effort ?? null })
    },
    setPermissionMode: (mode) => session.setPermissionMode(mode as CliPermissionMode),
    async setMcpServers(servers) {
      if (isParked) laterServers = servers
      else await setServers(servers)
    },
    rename: (title) => session.rename(title),
    rewindFiles: (messageId, dryRun) => session.rewindFiles(messageId, { dryRun }),
    contextUsage: () => session.getContextUsage('summary'),
    usage: () => session.getUsage(),
    async capabilities() {
      const { commands, models, agents } = session.initializationResult()
      return {
        commands: list(commands),
        models: list(models),
        agents: list(agents),
        mcpServers: await session.mcpServerStatus(),
      }
    },
    async loaded() {
      const ask = (what: string) => session.control(what, {}, { timeoutMs: listingMs })
      const [hooks, settings] = await Promise.all([ask('get_hooks_listing'), ask('get_settings')])
      return { hooks, settings }
    },
    mcpStatus: () => session.mcpServerStatus(),
    close: () => session.close(),
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** How a turn ended, in the contract's words. */
function outcomeAndReason({ outcome, result }: TurnEnd): Pick<AgentTurnEnd, 'outcome' | 'reason'> {
  return { outcome, reason: outcome === 'completed' ? undefined : reasonOf(outcome, result) }
}

function reasonOf(outcome: TurnEnd['outcome'], result: TurnEnd['result']): string {
  if (outcome === 'interrupted') return 'The turn was interrupted.'
  if (outcome === 'structured_output_failed')
    return 'The agent did not produce an answer that fits the schema.'
  if (outcome === 'max_turns') return 'The turn took as many steps as it may.'
  return result.content || 'The turn failed.'
}

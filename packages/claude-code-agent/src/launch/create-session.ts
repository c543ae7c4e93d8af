/** Options → a session core that is ready to be opened. The one place where all parts of a session meet. */
import { randomUUID } from 'node:crypto'
import type { LaunchSpec, SessionOptions } from '../options.ts'
import type { MessageMapper } from '../session/messages.ts'
import { SessionCore } from '../session/session-core.ts'
import { checkServers, splitServers } from '../tools/server-config.ts'
import type { SpawnProcess } from '../transport/spawned-process.ts'
import { SubprocessTransport } from '../transport/subprocess.ts'
import type { Transport } from '../transport/transport.ts'
import { type ConversationChoice, settingsOf, toArguments } from './arguments.ts'
import { toEnvironment } from './environment.ts'
import { neverAsked } from './never-asked.ts'
import { PrivateFiles } from './private-files.ts'
import { type ExternalServers, handOverServers } from './server-file.ts'
import { handOverSettings } from './settings-file.ts'

export interface CreateSession {
  options: SessionOptions
  conversation: ConversationChoice
  keepAlive: boolean
  /** `options.env` is the whole environment, as in the official `query()`. */
  replaceEnv?: boolean
  mapper?: MessageMapper
  /** Default true. */
  pausable?: boolean
  spawn?: SpawnProcess | undefined
}

export function createSession(setup: CreateSession): SessionCore {
  const { options } = setup
  const servers = options.mcpServers ?? {}
  checkServers(servers)
  const { inProcess, external } = splitServers(servers)
  const conversation = withId(setup.conversation)
  const files = new PrivateFiles()
  const launch: LaunchSpec = {
    args: argumentsOf(setup, conversation.choice, external, files),
    env: toEnvironment(options, process.env, setup.replaceEnv),
    cwd: options.cwd,
  }
  const warn = options.onWarning ?? emitWarning
  const shadowed = neverAsked(options)
  if (shadowed) warn(shadowed)
  return new SessionCore({
    id: conversation.id,
    options,
    transport: options.transport?.(launch) ?? subprocess(launch, setup, files),
    servers: inProcess,
    afterStart: () => files.remove(),
    keepAlive: setup.keepAlive,
    warn,
    resumed: conversation.choice.resume !== undefined,
    ...(setup.mapper && { mapper: setup.mapper }),
    pausable: setup.pausable ?? options.pausable ?? true,
  })
}

function argumentsOf(
  { options, spawn }: CreateSession,
  choice: ConversationChoice,
  servers: ExternalServers,
  files: PrivateFiles,
): string[] {
  const settings = settingsOf(options)
  // A CLI that runs elsewhere could not read the files.
  if (options.transport || spawn) return toArguments(options, choice, { servers, settings })
  try {
    return toArguments(options, choice, {
      servers: handOverServers(servers, files),
      settings: handOverSettings(settings, files),
    })
  } catch (error) {
    files.remove()
    throw error
  }
}

/** A new conversation, and a fork, gets an id from us, so that it is known before the CLI says anything. */
function withId(choice: ConversationChoice): { id: string; choice: ConversationChoice } {
  if (choice.resume && !choice.fork) return { id: choice.resume, choice }
  const id = choice.sessionId ?? randomUUID()
  return { id, choice: { ...choice, sessionId: id } }
}

function subprocess(launch: LaunchSpec, { options, spawn }: CreateSession, files: PrivateFiles): Transport {
  const { wrapCommand } = options
  return new SubprocessTransport({
    ...launch,
    ...(launch.cwd === undefined && { cwd: process.cwd() }),
    ...(options.cliPath !== undefined && { cliPath: options.cliPath }),
    ...(options.executable !== undefined && { executable: options.executable }),
    ...(options.endWithParent !== undefined && { endWithParent: options.endWithParent }),
    ...(options.maxLineBytes !== undefined && { maxLineBytes: options.maxLineBytes }),
    ...(wrapCommand && { wrapCommand: (cli) => wrapCommand({ ...cli, files: files.folder }) }),
    ...(spawn && { spawn }),
  })
}

function emitWarning(warning: string): void {
  process.emitWarning(warning, { type: 'ClaudeCodeAgentWarning' })
}

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { JsonObject } from './scenario.ts'

/** What the command line and the environment ask of this process. */
export interface Launch {
  sessionId: string
  /** It goes on with a session of before, under the same id. */
  isResumed: boolean
  model: string
  permissionMode: string
  partialMessages: boolean
  replayUserMessages: boolean
  /** `host`: marked as for the SDK only; `plain`: unmarked; `off`: not sent. */
  stateEvents: 'host' | 'plain' | 'off'
  /** From `--mcp-config`, by name. */
  mcpServers: Record<string, JsonObject>
  bypassAllowed: boolean
  /** From `--settings`. */
  settings: JsonObject
}

const defaultModel = 'claude-opus-5-5'

export function readLaunch(argv: readonly string[], env: NodeJS.ProcessEnv): Launch {
  const value = (flag: string): string | undefined => {
    const joined = argv.find((argument) => argument.startsWith(`${flag}=`))
    if (joined !== undefined) return joined.slice(flag.length + 1)
    const index = argv.indexOf(flag)
    return index < 0 ? undefined : argv[index + 1]
  }
  const resumed = argv.includes('--fork-session') ? undefined : value('--resume')
  const permissionMode = value('--permission-mode') ?? 'default'
  return {
    sessionId: value('--session-id') || resumed || randomUUID(),
    isResumed: resumed !== undefined,
    model: value('--model') ?? defaultModel,
    permissionMode,
    partialMessages: argv.includes('--include-partial-messages'),
    replayUserMessages: argv.includes('--replay-user-messages'),
    stateEvents: readStateEvents(env),
    mcpServers: readMcpConfig(value('--mcp-config')),
    settings: readSettings(value('--settings')),
    bypassAllowed:
      permissionMode === 'bypassPermissions' ||
      argv.includes('--allow-dangerously-skip-permissions') ||
      argv.includes('--dangerously-skip-permissions'),
  }
}

function readStateEvents(env: NodeJS.ProcessEnv): Launch['stateEvents'] {
  if (env.CLAUDE_CODE_SDK_READS_SESSION_STATE === '1') return 'host'
  return env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS === '1' ? 'plain' : 'off'
}

/** Only JSON on the command line is read; a file name is passed over. */
function readMcpConfig(text: string | undefined): Record<string, JsonObject> {
  if (text === undefined || !text.trimStart().startsWith('{')) return {}
  try {
    const parsed = JSON.parse(text) as { mcpServers?: Record<string, JsonObject> }
    return parsed.mcpServers ?? {}
  } catch {
    return {}
  }
}

/** JSON, or the name of a file that holds it. */
function readSettings(value: string | undefined): JsonObject {
  if (value === undefined) return {}
  try {
    return JSON.parse(value.trimStart().startsWith('{') ? value : readFileSync(value, 'utf8')) as JsonObject
  } catch {
    return {}
  }
}

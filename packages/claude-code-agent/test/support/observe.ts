import { type ModelRequest, type Offline, realCliPath, type Script, startOffline } from '@dorkos/testkit'
import type { Message, Options, Query, Sdk } from './both-sdks.ts'

/** What a program under observation is given. */
export interface Run {
  readonly sdk: Sdk
  readonly offline: Offline
  /** Runs a query to its end and notes all of it. `during` sees each message as it comes. */
  query(
    prompt: Parameters<Sdk['query']>[0]['prompt'],
    options?: Options,
    during?: (message: Message, query: Query) => unknown,
  ): Promise<Message[]>
  /** Notes something that a callback saw. */
  note(what: unknown): void
}

export interface Observation {
  /** Messages, and how each query ended, in order. */
  log: unknown[]
  /** What callbacks saw. Apart, because they are called while messages are on their way. */
  notes: unknown[]
  /** What reached the model. */
  requests: unknown[]
  problems: readonly string[]
}

/** Runs a program on the real CLI with a scripted model. What differs between two equal runs is left out or replaced. */
export async function observe(
  sdk: Sdk,
  script: Script,
  program: (run: Run) => Promise<unknown>,
): Promise<Observation> {
  await using offline = await startOffline(script)
  const log: unknown[] = []
  const notes: unknown[] = []
  const base: Options = {
    env: offline.env,
    cwd: offline.cwd,
    settingSources: [],
    pathToClaudeCodeExecutable: realCliPath(),
  }
  const query: Run['query'] = async (prompt, options, during) => {
    const messages: Message[] = []
    try {
      const running = sdk.query({ prompt, options: { ...base, ...options } })
      for await (const message of running) {
        messages.push(message)
        log.push(viewOf(message))
        await during?.(message, running)
      }
      log.push({ ended: 'normally' })
    } catch (error) {
      log.push({ threw: error instanceof sdk.AbortError ? 'AbortError' : 'an error' })
    }
    return messages
  }
  await program({ sdk, offline, query, note: (what) => notes.push(what) })
  const requests = offline.model.requests.filter(({ kind }) => kind !== 'side').map(requestView)
  return anonymous({ log, notes, requests, problems: offline.model.problems }, offline.home)
}

type Fields = Record<string, unknown>

function viewOf(message: Message): unknown {
  const raw = message as unknown as Fields
  const { type, subtype } = raw
  switch (type) {
    case 'assistant':
    case 'user':
      return {
        type,
        content: contentView((raw.message as Fields).content),
        subagent: raw.parent_tool_use_id !== null,
        replay: raw.isReplay,
        error: raw.error,
      }
    case 'result':
      return { type, ...pick(raw, resultFields) }
    case 'stream_event':
      return { type, event: (raw.event as Fields).type, delta: (raw.event as Fields).delta }
    default:
      return { type, subtype, ...(subtype === 'init' && pick(raw, initFields)) }
  }
}

const resultFields = [
  'subtype',
  'is_error',
  'num_turns',
  'result',
  'structured_output',
  'permission_denials',
  'terminal_reason',
  'stop_reason',
  'session_id',
]
const initFields = [
  'tools',
  'mcp_servers',
  'model',
  'permissionMode',
  'cwd',
  'apiKeySource',
  'output_style',
  'agents',
  'session_id',
]

function requestView(request: ModelRequest): unknown {
  const { kind, model, toolNames, system, messages } = request
  return {
    kind,
    model,
    toolNames,
    // Its first block is accounting of the CLI's own, which names the SDK.
    system: system.replace(/^x-anthropic-billing-header:.*\n?/, ''),
    messages: messages.map(({ role, content }) => ({ role, content: contentView(content) })),
  }
}

function contentView(content: unknown): unknown {
  if (!Array.isArray(content)) return [content]
  return content.map((block: Fields) => {
    if (block.type === 'text') return block.text
    if (block.type === 'tool_use') return { uses: block.name, input: block.input }
    if (block.type === 'tool_result') return { result: contentView(block.content), isError: block.is_error }
    return { type: block.type }
  })
}

function pick(from: Fields, names: string[]): Fields {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]))
}

/** Ids are numbered in the order in which they appear, so that equal ones stay equal; the private home gets one name. */
function anonymous<T>(value: T, home: string): T {
  const ids = new Map<string, string>()
  const named = (id: string) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size + 1}`)
    return ids.get(id) ?? ''
  }
  const text = JSON.stringify(value)
    .replaceAll(home, '~home')
    .replaceAll(home.replaceAll(/[^a-zA-Z0-9]/g, '-'), '-home')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|toolu_\w+|\ba[0-9a-f]{16}\b/g, named)
    .replaceAll(/duration_ms: \d+/g, 'duration_ms: 0')
  return JSON.parse(text) as T
}

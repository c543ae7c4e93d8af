/**
 * What the model reads of each injected tool. A description says what the tool does, when to use it, what it returns,
 * and what it does not do.
 */
import { sessionIdSchema } from '@dorkos/shared'
import { z } from 'zod'

export interface DorkOsToolDefinition {
  description: string
  shape: z.ZodRawShape
  /** Of MCP. */
  annotations: {
    title: string
    readOnlyHint?: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint?: boolean
  }
}

const readOnly = { readOnlyHint: true, openWorldHint: false }
const limit = z.number().int().min(1).max(100).default(20).describe('How many to return at most (default 20)')

export const toolDefinitions = {
  ping: {
    description:
      'Check that the DorkOS server MCP integration is working. Returns pong with a timestamp. ' +
      'Use it when asked to ping DorkOS or to verify the connection to it. ' +
      'Returns JSON with status, timestamp and server. It checks nothing but this connection.',
    shape: {},
    annotations: { ...readOnly, title: 'Ping DorkOS' },
  },
  get_server_info: {
    description:
      'Returns DorkOS server metadata including version, port, and optionally uptime. ' +
      'Use it when asked which DorkOS this is, where it listens, or how long it has been running. ' +
      'Returns JSON with product, port, version and, if asked for, uptime_seconds. It says nothing about the machine.',
    shape: { include_uptime: z.boolean().optional().describe('Include server uptime in seconds') },
    annotations: { ...readOnly, title: 'DorkOS server information' },
  },
  get_session_count: {
    description:
      'Returns the number of sessions visible in the SDK transcript directory. ' +
      'Use it when asked how many sessions there are; use list_sessions to see which. ' +
      'Returns JSON with count and cwd. It counts the sessions of the default directory, those started in a terminal included, not those of other directories.',
    shape: {},
    annotations: { ...readOnly, title: 'Count sessions' },
  },
  list_sessions: {
    description:
      'Lists sessions of every workspace on this machine, newest first, with title, state, directory, model and cost. ' +
      'Use it to find a session by its title or directory, or when asked what has been worked on. ' +
      'Returns JSON with sessions (the one that you run in is marked current) and has_more. ' +
      'It never returns what was said in a session. Archived sessions are listed only when asked for.',
    shape: {
      limit,
      archived: z.boolean().optional().describe('List archived sessions in place of the others'),
    },
    annotations: { ...readOnly, title: 'List sessions' },
  },
  get_session_details: {
    description:
      'Returns everything DorkOS knows about one session except what was said in it: state, limits, cost, open approvals, queued messages, git branch. ' +
      'Use it when asked about a particular session, after list_sessions gave its id; without an id it describes the session that you run in. ' +
      'Returns JSON. It never returns messages, prompts or tool output.',
    shape: { session_id: sessionIdSchema.optional().describe('The id of the session; absent: your own') },
    annotations: { ...readOnly, title: 'Session details' },
  },
  list_active_sessions: {
    description:
      'Lists the sessions whose agent process is running now, with their state (working, waiting for a person, idle). ' +
      'Use it when asked what is running, which agents are busy, or who waits for an approval. ' +
      'Returns JSON with sessions and count. A session that is not listed is not lost: its process starts again with its next message.',
    shape: { limit },
    annotations: { ...readOnly, title: 'List active sessions' },
  },
  get_config: {
    description:
      'Returns settings of the DorkOS server that agents may see: their values, what they mean, and which of them you may ask to change. ' +
      'Use it before set_config, or when asked how DorkOS is set up. ' +
      'Returns JSON with settings, each with key, value, description, expects and writable. Other settings are not visible to agents.',
    shape: {
      key: z.string().max(100).optional().describe('One key, such as sessions.idleMinutes; absent: all'),
    },
    annotations: { ...readOnly, title: 'Read DorkOS settings' },
  },
  set_config: {
    description:
      'Asks to change one setting of the DorkOS server. A person is always asked first, in every permission mode. ' +
      'Use it only when the user wants that setting changed; get_config lists the keys that are writable and what they expect. ' +
      'Returns JSON with the key and its new value. Keys that are not writable are refused; the configuration file must not be edited instead.',
    shape: {
      key: z.string().max(100).describe('The key, such as sessions.idleMinutes'),
      value: z.union([z.string().max(1000), z.number(), z.boolean()]).describe('The new value'),
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
      title: 'Change a DorkOS setting',
    },
  },
  get_costs: {
    description:
      'Returns what agents cost, in US dollars and tokens, summed by day, workspace, model or session. ' +
      'Use it when asked about spending, budgets or token use. ' +
      'Returns JSON with total, and totals for each group (newest day or largest sum first). ' +
      'Figures are those of the CLI for finished turns: a turn that still runs is not in them.',
    shape: {
      group: z
        .enum(['day', 'workspace', 'model', 'session'])
        .default('day')
        .describe('What to sum by (default day)'),
      days: z.number().int().min(1).max(3650).default(30).describe('How many days back (default 30)'),
      limit,
    },
    annotations: { ...readOnly, title: 'Costs' },
  },
  propose_commit_message: {
    description:
      'Proposes a message for the next git commit of the files that you changed in this session. ' +
      'Use it when asked to propose a commit message. Write it as the repository does: a short subject, and a body where that helps. ' +
      'Returns JSON with proposed. It commits nothing: the user sees the message, may change it, chooses the files, and commits.',
    shape: {
      message: z
        .string()
        .trim()
        .min(1)
        .max(5000)
        .describe('The whole message: a subject, an empty line, a body'),
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
      title: 'Propose a commit message',
    },
  },
} as const satisfies Record<string, DorkOsToolDefinition>

export type DorkOsToolName = keyof typeof toolDefinitions

export const dorkosServerName = 'dorkos'

/** As the model sees it. */
export function fullToolName(name: DorkOsToolName): string {
  return `mcp__${dorkosServerName}__${name}`
}

/** Run without a question in `acceptEdits` and `bypassPermissions`, as the injection spec has it. */
export const seedToolNames = (['ping', 'get_server_info', 'get_session_count'] as const).map(fullToolName)

/** For `GET /api/tools`. */
export function dorkosToolInfo(): {
  server: string
  tools: { name: string; full_name: string; description: string; input_schema: unknown }[]
} {
  const names = Object.keys(toolDefinitions) as DorkOsToolName[]
  return {
    server: dorkosServerName,
    tools: names.map((name) => ({
      name,
      full_name: fullToolName(name),
      description: toolDefinitions[name].description,
      input_schema: z.toJSONSchema(z.object(toolDefinitions[name].shape), { io: 'input' }),
    })),
  }
}

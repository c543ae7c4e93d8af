/**
 * The configuration: one schema for the file, the environment and the flags. Its documentation is made from what stands
 * here, so a key cannot exist without an explanation.
 */
import { z } from 'zod'

export interface ConfigKeyInfo {
  /** The variable that sets it. */
  env?: string
  /** The flag of `dorkos serve` that sets it. */
  flag?: string
  /** Needs a restart; all others apply while the server runs. */
  restart?: boolean
  /** Agents may read it with `get_config`, and ask a person to change it with `set_config`. */
  agent?: 'read' | 'write'
}

const info = new WeakMap<z.ZodType, ConfigKeyInfo>()

function key<T extends z.ZodType>(schema: T, description: string, about: ConfigKeyInfo = {}): T {
  const described = schema.describe(description) as T
  info.set(described, about)
  return described
}

const ruleEntry = z.strictObject({
  effect: z.enum(['allow', 'deny', 'ask']),
  tool: z
    .string()
    .min(1)
    .describe('The tool’s whole name, such as `Bash` or `mcp__github__create_issue`; may hold `*`.'),
  match: z
    .string()
    .optional()
    .describe('For Bash the command, for file tools the path; may hold `*`. Absent: every call.'),
  workspace: z.string().optional().describe('Only in this workspace, by name. Absent: everywhere.'),
})

const file = z.string().min(1).max(4096)
const minutes = (max: number) => z.number().int().min(1).max(max)

export const configSchema = z.strictObject({
  port: key(
    z.number().int().min(0).max(65_535).default(4242),
    'The port to listen on; 0 takes any free one.',
    {
      env: 'DORKOS_PORT',
      flag: '--port',
      restart: true,
      agent: 'read',
    },
  ),
  host: key(
    z.string().min(1).default('127.0.0.1'),
    'The address to listen on. Anything but loopback needs `tls` (or `insecureLan`) and `publicOrigins`.',
    { env: 'DORKOS_HOST', flag: '--host', restart: true },
  ),
  insecureLan: key(
    z.boolean().default(false),
    'Listen beyond loopback without TLS. Tokens then cross the network in the clear; only for a network that you trust, or behind a proxy that speaks TLS.',
    { flag: '--insecure-lan', restart: true },
  ),
  tls: key(
    z.strictObject({ cert: file, key: file }).optional(),
    'Files with a certificate and its key (PEM): the server then speaks HTTPS.',
    { restart: true },
  ),
  publicOrigins: key(
    z.array(z.url({ protocol: /^https?$/ })).default([]),
    'Origins under which browsers reach the server, such as `https://agents.example.org`: their host is accepted in requests.',
    { restart: true },
  ),
  trustedProxies: key(
    z.array(z.string()).default([]),
    'Addresses of reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.',
    { restart: true },
  ),
  defaultCwd: key(
    file.optional(),
    'The directory of the main workspace, made at the first start. Default: the directory that the server was started in.',
    { env: 'DORKOS_DEFAULT_CWD', flag: '--cwd', restart: true, agent: 'read' },
  ),
  roots: key(
    z.array(file).default([]),
    'Workspaces must lie inside one of these directories. Empty: inside the owner’s home directory, or the default directory.',
  ),
  model: key(
    z.enum(['auto', 'demo', 'anthropic']).default('auto'),
    '`anthropic` uses your credentials and refuses to start without; `demo` answers with a small rule-based model; `auto` is `anthropic` if credentials are found, else `demo`.',
    { env: 'DORKOS_MODEL', flag: '--model', restart: true, agent: 'read' },
  ),
  anthropicBaseUrl: key(
    z.url({ protocol: /^https?$/ }).default('https://api.anthropic.com'),
    'Where the model gateway sends model calls.',
    { env: 'DORKOS_ANTHROPIC_BASE_URL', restart: true },
  ),
  cliPath: key(file.optional(), 'The Claude Code CLI to run. Default: the one that came with DorkOS.', {
    env: 'DORKOS_CLI_PATH',
    restart: true,
  }),
  agentEnv: key(
    z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
    'Names of further variables that agents get from the server’s environment. Without this they get a short, fixed list.',
  ),
  sandbox: key(
    z.enum(['auto', 'required', 'off']).default('auto'),
    '`auto` runs the agents’ commands in a sandbox where bubblewrap and socat are installed; `required` refuses to run agents without; `off` never does.',
    { env: 'DORKOS_SANDBOX', flag: '--sandbox', restart: true },
  ),
  sandboxNetwork: key(
    z.array(z.string().min(1)).default([]),
    'Domains that sandboxed commands reach without a question, such as `registry.npmjs.org` or `*.github.com`. For any other a person is asked, except in the permission mode `bypassPermissions`, where nobody is.',
  ),
  sessions: z
    .strictObject({
      maxLive: key(
        z.number().int().min(1).max(200).default(8),
        'How many CLI processes may live at once (about 130 MB each).',
        {
          agent: 'read',
        },
      ),
      maxMemoryMb: key(
        z.number().int().min(256).default(4096),
        'How much memory all CLI processes may use together before idle ones are ended.',
      ),
      idleMinutes: key(
        minutes(10_080).default(30),
        'How long an idle CLI process is kept for the next message.',
        {
          agent: 'write',
        },
      ),
      prewarm: key(
        z.boolean().default(true),
        'Start the CLI process of a session that is created without a message at once.',
      ),
      spareProcesses: key(
        z.number().int().min(0).max(20).default(2),
        'How many CLI processes may be ready for people who have not written yet: on the page for a new session, in a session that somebody has open, and in the main workspace for ten minutes after a start. They end a minute after nobody looks, make room for any other, and are not started where a hook would run. 0: none.',
        { env: 'DORKOS_SPARE_PROCESSES' },
      ),
      maxTurns: key(
        z.number().int().min(1).max(10_000).default(200),
        'The most steps (model calls) that one message may take.',
        {
          agent: 'write',
        },
      ),
      budgetUsd: key(
        z.number().min(0).max(100_000).default(10),
        'What one session may cost. 0 means no limit.',
        {
          agent: 'read',
        },
      ),
      model: key(
        z.string().max(200).optional(),
        'The model of new sessions, such as `sonnet` or `opus`. Default: the CLI’s.',
        {
          agent: 'write',
        },
      ),
      permissionMode: key(
        z.enum(['default', 'acceptEdits', 'plan']).default('default'),
        'The permission mode of new sessions.',
        { agent: 'read' },
      ),
    })
    .prefault({}),
  budgets: z
    .strictObject({
      dayUsd: key(
        z.number().min(0).max(100_000).default(50),
        'What all sessions together may cost on one day. 0 means no limit.',
        {
          agent: 'read',
        },
      ),
      warnAt: key(
        z.number().min(0.1).max(1).default(0.8),
        'The part of a budget from which a warning is shown.',
      ),
    })
    .prefault({}),
  approvals: z
    .strictObject({
      deadlineMinutes: key(
        minutes(10_080).default(240),
        'How long an approval or a question waits for a person before it is denied.',
        { agent: 'read' },
      ),
    })
    .prefault({}),
  rules: key(
    z.array(ruleEntry).default([]),
    'Rules that answer tool calls. Deny beats ask beats allow, and deny holds in every permission mode.',
  ),
  mcpServers: key(
    z.record(z.string().max(128), z.unknown()).default({}),
    'MCP servers for agents, by name, as in other programs’ files: `command`, `args`, `env` or `type`, `url`, `headers`. Besides: `modes` (`host`, `container`), `timeout` in milliseconds, `sharing` (`auto`, `shared`, `session`: whether sessions share its process), `passthrough`, `disabled`. An entry that cannot be used is reported and harms no other.',
  ),
  mcp: z
    .strictObject({
      expandEnv: key(
        z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
        'Names of variables of the server’s environment that an MCP server’s entry may refer to, as a dollar sign with the name in braces.',
      ),
      env: key(
        z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
        'Names of further variables that MCP servers get from the server’s environment. Without this they get a short, fixed list and what their entry says.',
      ),
      changedTools: key(
        z.enum(['hold', 'flag']).default('hold'),
        '`hold` keeps a tool from agents when its description or schema is not what it was, until a person has looked at it; `flag` only shows it.',
      ),
      toolSearch: key(
        z.enum(['auto', 'on', 'off']).default('auto'),
        '`on` shows the model the names of MCP tools only, and it looks up those that it needs; `off` puts all of them into every request; `auto` looks up where they would take more than a tenth of what the model can hold. The demo model always has all. For processes that start from then on.',
      ),
      callTimeoutSeconds: key(
        z.number().int().min(1).max(86_400).default(300),
        'How long a call of an MCP server’s tool may take; progress sets it back.',
      ),
      connectTimeoutSeconds: key(
        z.number().int().min(1).max(3600).default(60),
        'How long an MCP server may take to start until it counts as failed.',
        { restart: true },
      ),
      idleMinutes: key(
        minutes(10_080).default(10),
        'How long an MCP server that no session uses is kept running.',
        { restart: true },
      ),
      maxSessionProcesses: key(
        z.number().int().min(1).max(1000).default(32),
        'How many processes of MCP servers may serve one session each. For one more, the one that was idle for longest is ended.',
        { restart: true },
      ),
      sessionIdleMinutes: key(
        minutes(10_080).default(30),
        'How long a process of an MCP server that serves one session is kept without a call. What it kept in memory goes with it.',
        { restart: true },
      ),
    })
    .prefault({}),
  events: z
    .strictObject({
      keepDays: key(
        z.number().int().min(1).max(3650).default(30),
        'How long the event log of a session is kept for replay. Of what only it tells, such as notices and results of hooks, the newest 5000 events stay until the session is deleted.',
      ),
      maxStreams: key(
        z.number().int().min(1).max(100_000).default(5000),
        'How many event streams may be open at once. Each is a connection: the system’s limit on open files must allow them.',
      ),
      maxStreamsPerToken: key(
        z.number().int().min(1).max(100_000).default(32),
        'How many of them one token may hold. A page holds one for each tab of the browser.',
      ),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: key(z.enum(['debug', 'info', 'warn', 'error']).default('info'), 'How much is logged.', {
        env: 'DORKOS_LOG_LEVEL',
        flag: '--log-level',
        agent: 'write',
      }),
    })
    .prefault({}),
})

export type Config = z.infer<typeof configSchema>

/** What stands beside a key in the schema. */
export function configKeyInfo(schema: z.ZodType): ConfigKeyInfo {
  return info.get(schema) ?? {}
}

export interface ConfigKey extends ConfigKeyInfo {
  /** With dots, such as `sessions.idleMinutes`. */
  path: string
  description: string
  schema: z.ZodType
  default: unknown
}

/** Every key, in the order of the schema. */
export function listConfigKeys(): ConfigKey[] {
  return collect(configSchema, [])
}

function collect(schema: z.ZodObject, path: string[]): ConfigKey[] {
  return Object.entries(schema.shape).flatMap(([name, value]) => {
    const child = value as z.ZodType
    const about = info.get(child)
    const here = [...path, name]
    if (about) {
      const parsed = child.safeParse(undefined)
      return [
        {
          ...about,
          path: here.join('.'),
          description: child.description ?? '',
          schema: child,
          default: parsed.success ? parsed.data : undefined,
        },
      ]
    }
    const inner = child instanceof z.ZodPrefault ? child.unwrap() : child
    return inner instanceof z.ZodObject ? collect(inner, here) : []
  })
}

/** A configuration as the API shows it: values, where each came from, and what a change needs. */
export const configViewSchema = z.object({
  keys: z.array(
    z.object({
      path: z.string(),
      /** Absent, like the default, for a key that has none. */
      value: z.unknown().optional(),
      default: z.unknown().optional(),
      /** The value of the file that waits for a restart. */
      pending: z.unknown().optional(),
      source: z.enum(['default', 'file', 'env', 'flag']),
      description: z.string(),
      restart: z.boolean(),
      /** Changed in the file alone: the API refuses it. */
      file_only: z.boolean(),
      env: z.string().optional(),
      flag: z.string().optional(),
      /** JSON Schema of the value. */
      schema: z.unknown(),
    }),
  ),
  file: z.string(),
  /** Why the newest file was not taken; the last good one is in use. */
  fault: z.string().optional(),
})
export type ConfigView = z.infer<typeof configViewSchema>

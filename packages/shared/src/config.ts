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
    .describe('The tool’s full name, such as `Bash` or `mcp__github__create_issue`; may contain `*`.'),
  match: z
    .string()
    .optional()
    .describe('The command for Bash, the path for file tools; may contain `*`. Default: every call.'),
  workspace: z.string().optional().describe('Only in this workspace, by name. Default: everywhere.'),
})

const file = z.string().min(1).max(4096)
const minutes = (max: number) => z.number().int().min(1).max(max)

export const configSchema = z.strictObject({
  port: key(z.number().int().min(0).max(65_535).default(4242), 'The port to listen on; 0 picks a free one.', {
    env: 'DORKOS_PORT',
    flag: '--port',
    restart: true,
    agent: 'read',
  }),
  host: key(
    z.string().min(1).default('127.0.0.1'),
    'The address to listen on. Anything except loopback needs `tls` (or `insecureLan`) and `publicOrigins`.',
    { env: 'DORKOS_HOST', flag: '--host', restart: true },
  ),
  insecureLan: key(
    z.boolean().default(false),
    'Listen beyond loopback without TLS. Tokens then cross the network unencrypted, so use this only in a network you trust or behind a TLS proxy.',
    { flag: '--insecure-lan', restart: true },
  ),
  tls: key(
    z.strictObject({ cert: file, key: file }).optional(),
    'Certificate and key files (PEM), to serve HTTPS.',
    { restart: true },
  ),
  publicOrigins: key(
    z.array(z.url({ protocol: /^https?$/ })).default([]),
    'Origins browsers use to reach the server, such as `https://agents.example.org`. Requests for these hosts are accepted.',
    { restart: true },
  ),
  trustedProxies: key(
    z.array(z.string()).default([]),
    'Addresses of reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.',
    { restart: true },
  ),
  defaultCwd: key(
    file.optional(),
    'The directory of the main workspace, created at the first start. Default: the directory the server was started in.',
    { env: 'DORKOS_DEFAULT_CWD', flag: '--cwd', restart: true, agent: 'read' },
  ),
  roots: key(
    z.array(file).default([]),
    'Workspaces must be inside one of these directories. Default: the owner’s home directory and the default directory.',
  ),
  model: key(
    z.enum(['auto', 'demo', 'anthropic']).default('auto'),
    '`anthropic` uses your credentials and doesn’t start without them; `demo` uses a small rule-based model; `auto` is `anthropic` if credentials are found, else `demo`.',
    { env: 'DORKOS_MODEL', flag: '--model', restart: true, agent: 'read' },
  ),
  anthropicBaseUrl: key(
    z.url({ protocol: /^https?$/ }).default('https://api.anthropic.com'),
    'Where the model gateway sends model calls.',
    { env: 'DORKOS_ANTHROPIC_BASE_URL', restart: true },
  ),
  cliPath: key(file.optional(), 'The Claude Code CLI to run. Default: the one included with DorkOS.', {
    env: 'DORKOS_CLI_PATH',
    restart: true,
  }),
  agentEnv: key(
    z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
    'Additional variables agents get from the server’s environment. By default they get a short, fixed list.',
  ),
  sandbox: key(
    z.enum(['auto', 'required', 'off']).default('auto'),
    '`auto` runs agents’ commands in a sandbox if bubblewrap and socat are installed; `required` refuses to run agents without one; `off` never uses one.',
    { env: 'DORKOS_SANDBOX', flag: '--sandbox', restart: true },
  ),
  sandboxNetwork: key(
    z.array(z.string().min(1)).default([]),
    'Domains sandboxed commands can reach without asking, such as `registry.npmjs.org` or `*.github.com`. Any other domain asks a person, except in the permission mode `bypassPermissions`.',
  ),
  sessions: z
    .strictObject({
      maxLive: key(
        z.number().int().min(1).max(200).default(8),
        'The most CLI processes at the same time (about 130 MB each).',
        {
          agent: 'read',
        },
      ),
      maxMemoryMb: key(
        z.number().int().min(256).default(4096),
        'The memory all CLI processes can use together before idle ones are ended.',
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
        'Start the CLI process as soon as a session is created, even without a message.',
      ),
      spareProcesses: key(
        z.number().int().min(0).max(20).default(2),
        'The most CLI processes kept ready before someone sends a message: on the new-session page, in an open session, and in the main workspace for ten minutes after a start. They end a minute after the last viewer leaves, make room for any other process, and aren’t started if a hook would run. 0 means none.',
        { env: 'DORKOS_SPARE_PROCESSES' },
      ),
      maxTurns: key(
        z.number().int().min(1).max(10_000).default(200),
        'The most steps (model calls) per message.',
        {
          agent: 'write',
        },
      ),
      budgetUsd: key(
        z.number().min(0).max(100_000).default(10),
        'The most one session can cost. 0 means no limit.',
        {
          agent: 'read',
        },
      ),
      model: key(
        z.string().max(200).optional(),
        'The model for new sessions, such as `sonnet` or `opus`. Default: the CLI’s.',
        {
          agent: 'write',
        },
      ),
      permissionMode: key(
        z.enum(['default', 'acceptEdits', 'plan']).default('default'),
        'The permission mode for new sessions.',
        { agent: 'read' },
      ),
    })
    .prefault({}),
  budgets: z
    .strictObject({
      dayUsd: key(
        z.number().min(0).max(100_000).default(50),
        'The most all sessions together can cost per day. 0 means no limit.',
        {
          agent: 'read',
        },
      ),
      warnAt: key(
        z.number().min(0.1).max(1).default(0.8),
        'The share of a budget at which a warning is shown.',
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
    'Rules that answer tool calls. Deny beats ask, ask beats allow, and deny applies in every permission mode.',
  ),
  mcpServers: key(
    z.record(z.string().max(128), z.unknown()).default({}),
    'MCP servers for agents, by name, in the usual format: `command`, `args`, `env` or `type`, `url`, `headers`. In addition: `modes` (`host`, `container`), `timeout` in milliseconds, `sharing` (`auto`, `shared`, `session`: whether sessions share its process), `passthrough`, `disabled`. An invalid entry is reported and doesn’t affect the others.',
  ),
  mcp: z
    .strictObject({
      expandEnv: key(
        z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
        'Server environment variables that MCP entries may refer to, as a dollar sign and the name in braces.',
      ),
      env: key(
        z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
        'Additional variables MCP servers get from the server’s environment. By default they get a short, fixed list and the ones in their entry.',
      ),
      changedTools: key(
        z.enum(['hold', 'flag']).default('hold'),
        '`hold` keeps a tool from agents if its description or schema has changed, until a person accepts it; `flag` only marks it.',
      ),
      toolSearch: key(
        z.enum(['auto', 'on', 'off']).default('auto'),
        '`on` shows the model only the names of MCP tools, and it looks up the ones it needs; `off` puts all of them into every request; `auto` is `on` if they would take more than a tenth of the model’s context. The demo model always gets all. Applies to new processes.',
      ),
      callTimeoutSeconds: key(
        z.number().int().min(1).max(86_400).default(300),
        'How long an MCP tool call can take; progress resets it.',
      ),
      connectTimeoutSeconds: key(
        z.number().int().min(1).max(3600).default(60),
        'How long an MCP server can take to start before it’s marked as failed.',
        { restart: true },
      ),
      idleMinutes: key(minutes(10_080).default(10), 'How long an unused MCP server keeps running.', {
        restart: true,
      }),
      maxSessionProcesses: key(
        z.number().int().min(1).max(1000).default(32),
        'The most per-session MCP server processes. To start another, the one idle for longest is ended.',
        { restart: true },
      ),
      sessionIdleMinutes: key(
        minutes(10_080).default(30),
        'How long a per-session MCP server process is kept without a call. Its state in memory is lost when it ends.',
        { restart: true },
      ),
    })
    .prefault({}),
  events: z
    .strictObject({
      keepDays: key(
        z.number().int().min(1).max(3650).default(30),
        'How long a session’s event log is kept for replay. Events recorded nowhere else, such as notices and hook results, are kept until the session is deleted, up to the newest 5000.',
      ),
      maxStreams: key(
        z.number().int().min(1).max(100_000).default(5000),
        'The most event streams open at the same time. Each is a connection, so the system’s limit on open files must allow them.',
      ),
      maxStreamsPerToken: key(
        z.number().int().min(1).max(100_000).default(32),
        'The most event streams per token. A page uses one per browser tab.',
      ),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: key(z.enum(['debug', 'info', 'warn', 'error']).default('info'), 'How much to log.', {
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

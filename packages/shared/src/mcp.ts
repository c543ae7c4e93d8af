/** MCP servers: where they come from, whether they work, what they offer, and who gets them. */
import { z } from 'zod'
import { recordIdSchema, sessionIdSchema, timeSchema } from './ids.ts'
import { mcpEntrySchema, mcpSharingSchema } from './mcp-entry.ts'
import { serverNameFault } from './mcp-server-name.ts'
import { saidSchema } from './words/said.ts'

/** In order of precedence, strongest first. */
const mcpScopeSchema = z.enum(['dorkos', 'local', 'project', 'user', 'settings', 'plugin'])
export type McpScope = z.infer<typeof mcpScopeSchema>

const mcpServerNameSchema = z.string().superRefine((name, context) => {
  const fault = serverNameFault(name)
  if (fault) context.addIssue(fault)
})

/** A server's entry for people: values of variables and headers are masked unless they are references. */
const mcpEntryViewSchema = z.object({
  type: z.enum(['stdio', 'http', 'sse']),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  timeout: z.number().optional(),
  passthrough: z.boolean().optional(),
  sharing: mcpSharingSchema.optional(),
  modes: z.array(z.string()).optional(),
  disabled: z.boolean().optional(),
})

const sourceSchema = z.object({
  scope: mcpScopeSchema,
  file: z.string(),
  line: z.number().int(),
  plugin: z.string().optional(),
})

const mcpStateSchema = z.enum(['stopped', 'pending', 'connected', 'failed', 'needs_auth', 'disabled'])

const mcpHealthSchema = z.object({
  state: mcpStateSchema,
  since: timeSchema,
  error: z.string().optional(),
  connect_ms: z.number().optional(),
  next_try_at: timeSchema.optional(),
  failures: z.number().int(),
  /** Of the process that all sessions share, then of those that serve one session each. */
  pids: z.array(z.number().int()),
  /** How many of its connections serve one session each. */
  own_connections: z.number().int(),
  sessions: z.number().int(),
  tools: z.number().int(),
  resources: z.number().int(),
  prompts: z.number().int(),
  /** What its tools cost in every request to the model, about, in tokens. */
  context_tokens: z.number().int(),
  server: z.object({ name: z.string(), version: z.string(), title: z.string().optional() }).optional(),
  protocol_version: z.string().optional(),
  asks_for_input: z.boolean(),
})

/** A person signed in to the server; DorkOS keeps the tokens, and shows them to nobody. */
const mcpSignedInSchema = z.object({
  at: timeSchema,
  by: z.string(),
  /** Of the authorization server, as in a URL. */
  host: z.string(),
  scopes: z.array(z.string()).optional(),
})

/**
 * `active`: sessions get it. `overridden`: a stronger source has the name. `filtered`: they do not get it, for the reason that is
 * given.
 */
export const mcpServerSchema = z.object({
  name: z.string(),
  source: sourceSchema,
  /** It runs tool modules of the owner or of the workspace: its source is their folder. Nobody else’s server is marked so, whatever its name. */
  modules: z.boolean().optional(),
  entry: mcpEntryViewSchema,
  use: z.enum(['active', 'overridden', 'filtered']),
  overridden_by: sourceSchema.optional(),
  reason: z.string().optional(),
  /** A sentence for the reason. */
  message: z.string().optional(),
  said: saidSchema.optional(),
  /**
   * How sessions share it. `choice`: what a person chose for this workspace, or else what the entry says. `mode`: what comes of it; `why`
   * says whether somebody chose it or why `auto` decided so. Absent for one that is not run here, or runs DorkOS's own tools.
   */
  sharing: z
    .object({
      choice: mcpSharingSchema,
      mode: z.enum(['shared', 'session']),
      why: z.enum(['chosen', 'stateless', 'remote', 'asked', 'unknown']),
    })
    .optional(),
  health: mcpHealthSchema.optional(),
  /** Tools that changed and wait for a person. */
  held_tools: z.number().int(),
  /** It is reached by HTTP and brings no credentials of its own: a person can try to sign in to it. */
  can_sign_in: z.boolean().optional(),
  signed_in: mcpSignedInSchema.optional(),
})
export type McpServer = z.infer<typeof mcpServerSchema>

const mcpFaultSchema = z.object({
  file: z.string(),
  line: z.number().int().optional(),
  scope: mcpScopeSchema,
  name: z.string().optional(),
  message: z.string(),
})

export const mcpListSchema = z.object({
  workspace_id: recordIdSchema.optional(),
  servers: z.array(mcpServerSchema),
  faults: z.array(mcpFaultSchema),
})
export type McpList = z.infer<typeof mcpListSchema>

const mcpToolSchema = z.object({
  name: z.string(),
  /** As the model knows it. */
  full_name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  input_schema: z.record(z.string(), z.unknown()),
  /** What its server claims of it. Nothing holds the server to it. */
  hints: z
    .object({
      read_only: z.boolean().optional(),
      destructive: z.boolean().optional(),
      open_world: z.boolean().optional(),
    })
    .optional(),
  switched_off: z.boolean(),
  pin: z.object({
    status: z.enum(['pinned', 'new', 'changed']),
    /** Not offered until a person accepts it. */
    held: z.boolean(),
    hash: z.string(),
    /** `before` is absent for what was added, `after` for what was taken out. */
    diff: z
      .array(z.object({ path: z.string(), before: z.string().optional(), after: z.string().optional() }))
      .optional(),
  }),
  stats: z.object({
    calls: z.number().int(),
    errors: z.number().int(),
    p50_ms: z.number().optional(),
    p95_ms: z.number().optional(),
    last_ms: z.number().optional(),
  }),
  context_tokens: z.number().int(),
})

export const mcpServerDetailsSchema = z.object({
  server: mcpServerSchema,
  tools: z.array(mcpToolSchema),
  resources: z.array(z.object({ uri: z.string(), name: z.string().optional() })),
  prompts: z.array(z.object({ name: z.string(), description: z.string().optional() })),
  instructions: z.string().optional(),
  /** What was left out of its lists, and why. */
  faults: z.array(z.string()),
  stderr: z.array(z.string()),
  history: z.array(z.object({ state: mcpStateSchema, time: timeSchema, reason: z.string().optional() })),
})
export type McpServerDetails = z.infer<typeof mcpServerDetailsSchema>

/**
 * `open`: the person is to go to `url`. `host` is whom the MCP server names as who grants access; what is granted is handed to `token_host`.
 * Where these and the host of `url` are not one, a person must have agreed to that. `needs_client`: the authorization server knows only
 * programs that were registered with it by hand; `issuer` is to be sent with the id of one.
 */
export const mcpSignInStepSchema = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('open'),
    url: z.string(),
    host: z.string(),
    token_host: z.string(),
    expires_at: timeSchema,
  }),
  z.object({ step: z.literal('needs_client'), host: z.string(), issuer: z.string() }),
])
export type McpSignInStep = z.infer<typeof mcpSignInStepSchema>

/** Where the authorization server sends the person back to: `dorkos` on the command line, or this path of the page. */
export const mcpSignInPath = '/mcp-sign-in'

/** What a tool gave when a person called it. */
export const mcpCallSchema = z.object({
  content: z.array(z.looseObject({ type: z.string() })),
  structured_content: z.unknown().optional(),
  is_error: z.boolean(),
  duration_ms: z.number(),
  /** Bytes left out of `content` because it was too large. */
  omitted_bytes: z.number().int().optional(),
})
export type McpCall = z.infer<typeof mcpCallSchema>

export const newMcpServersSchema = z.union([
  z.strictObject({ name: mcpServerNameSchema, entry: mcpEntrySchema }),
  /** JSON as READMEs show it; `name` where the snippet has none. */
  z.strictObject({ snippet: z.string().min(2).max(200_000), name: mcpServerNameSchema.optional() }),
])

export const mcpSwitchSchema = z
  .strictObject({
    workspace_id: recordIdSchema.optional(),
    session_id: sessionIdSchema.optional(),
    server: z.string().min(1).max(128),
    tool: z.string().min(1).max(128).optional(),
    off: z.boolean(),
  })
  .refine(({ workspace_id, session_id }) => (workspace_id === undefined) !== (session_id === undefined), {
    message: 'either a workspace or a session',
  })

export const mcpImportableSchema = z.object({
  clients: z.array(
    z.object({
      client: z.string(),
      file: z.string(),
      servers: z.array(
        z.object({
          name: z.string(),
          entry: mcpEntryViewSchema,
          known: z.boolean(),
          /** Of the whole entry: to be given when it is imported. */
          hash: z.string(),
        }),
      ),
      faults: z.array(z.string()),
    }),
  ),
})

/** Entries for other programs. Secrets are left out: what has to be filled in is named. */
export const mcpExportSchema = z.object({
  mcpServers: z.record(z.string(), z.record(z.string(), z.unknown())),
  fill_in: z.array(z.string()),
})

/** A module of the owner's that offers tools. */
export const toolModuleSchema = z.object({
  folder: z.string(),
  workspace_id: recordIdSchema.optional(),
  health: mcpHealthSchema.optional(),
  tools: z.array(mcpToolSchema),
  faults: z.array(z.object({ file: z.string(), line: z.number().int().optional(), message: z.string() })),
})

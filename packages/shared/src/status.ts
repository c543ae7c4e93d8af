/** How the server is: what answers as the model, whether agents are sandboxed, what a person should know. */
import { z } from 'zod'
import { timeSchema } from './ids.ts'
import { saidSchema } from './words/said.ts'

/** Something that the page shows until it is mended, such as a missing sandbox. */
export const bannerSchema = z.object({
  code: z.enum([
    'demo_model',
    'no_sandbox',
    'runs_as_root',
    'config_fault',
    'storage_full',
    'cli_version',
    'exposed',
    'insecure_lan',
  ]),
  level: z.enum(['info', 'warning', 'danger']),
  message: z.string(),
  said: saidSchema.optional(),
})
export type Banner = z.infer<typeof bannerSchema>

/** Where model calls go. `cli`: the CLI uses its own login (or Bedrock, Vertex, Foundry) and talks to it directly. */
export const modelStatusSchema = z.object({
  mode: z.enum(['demo', 'anthropic']),
  source: z.enum([
    'demo',
    'api_key',
    'auth_token',
    'api_key_helper',
    'bedrock',
    'vertex',
    'foundry',
    'cli_login',
  ]),
  /** Model calls pass the gateway: no key within an agent's reach, budgets checked before each call. */
  gateway: z.boolean(),
})
export type ModelStatus = z.infer<typeof modelStatusSchema>

/** Public: shows that a DorkOS answers here, and nothing else. */
export const healthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  product: z.literal('DorkOS'),
  version: z.string(),
  demo: z.boolean(),
})

export const statusSchema = z.object({
  version: z.string(),
  started_at: timeSchema,
  uptime_seconds: z.number(),
  port: z.number().int(),
  host: z.string(),
  cli: z.object({
    path: z.string().optional(),
    version: z.string().optional(),
    fault: z.string().optional(),
  }),
  model: modelStatusSchema,
  sandbox: z.object({ enabled: z.boolean(), reason: z.string().optional(), said: saidSchema.optional() }),
  /** Whether workspaces of mode `container` can run here, and if not, why. */
  containers: z.object({
    available: z.boolean(),
    reason: z.string().optional(),
    said: saidSchema.optional(),
  }),
  sessions: z.object({ live: z.number().int(), max_live: z.number().int(), working: z.number().int() }),
  index: z.object({ transcripts: z.number().int(), indexed: z.number().int() }),
  pending_approvals: z.number().int(),
  banners: z.array(bannerSchema),
})
export type Status = z.infer<typeof statusSchema>

/**
 * The API as one table. Routes, the typed client, OpenAPI and the security tests are made from it: what is not here does
 * not exist.
 */
import { z } from 'zod'
import { approvalEndpoints } from './approval-endpoints.ts'
import { authEndpoints } from './auth-endpoints.ts'
import { changeEndpoints } from './change-endpoints.ts'
import { configViewSchema } from './config-view.ts'
import { costEndpoints } from './cost-endpoints.ts'
import { draftEndpoints } from './draft-endpoints.ts'
import { fileEndpoints } from './file-endpoints.ts'
import { mcpEndpoints } from './mcp-endpoints.ts'
import { messageEndpoints } from './message-endpoints.ts'
import { outputEndpoints } from './output-endpoints.ts'
import { profileEndpoints } from './profile-endpoints.ts'
import { sessionEndpoints } from './session-endpoints.ts'
import { healthSchema, statusSchema } from './status.ts'
import { taskEndpoints } from './task-endpoints.ts'
import type { Scope } from './token.ts'
import { workspaceEndpoints } from './workspace-endpoints.ts'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for parameters. */
  path: string
  summary: string
  /** The scope that a token needs, or `public` for none at all. */
  scope: Scope | 'public'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Absent: 204 without a body. */
  response?: z.ZodType
  /** 200 unless said. */
  status?: 200 | 201 | 202
  /** The answer is an event stream (`always`), or becomes one for `Accept: text/event-stream` (`accept`). */
  stream?: 'always' | 'accept'
  /** The answer is a file of one of these types and not JSON; the typed client hands it out as a `Response`, so that it can be streamed. */
  file?: readonly string[]
  /** Takes an `Idempotency-Key` header. */
  idempotent?: boolean
  /** Bytes; 1 MiB unless said. */
  bodyLimit?: number
}

export const endpoints = {
  getHealth: {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether a DorkOS answers here',
    scope: 'public',
    response: healthSchema,
  },
  getStatus: {
    method: 'GET',
    path: '/api/status',
    summary: 'How the server is, with banners',
    scope: 'read',
    response: statusSchema,
  },
  ...authEndpoints,
  getConfig: {
    method: 'GET',
    path: '/api/config',
    summary: 'The configuration with its documentation',
    scope: 'read',
    response: configViewSchema,
  },
  changeConfig: {
    method: 'PATCH',
    path: '/api/config',
    summary: 'Change keys in the configuration file',
    scope: 'admin',
    /** Keys with dots; null takes a key out of the file. */
    body: z.strictObject({ set: z.record(z.string(), z.unknown()) }),
    response: configViewSchema,
  },
  ...workspaceEndpoints,
  ...profileEndpoints,
  ...sessionEndpoints,
  ...outputEndpoints,
  ...taskEndpoints,
  ...fileEndpoints,
  ...changeEndpoints,
  ...messageEndpoints,
  ...draftEndpoints,
  ...approvalEndpoints,
  ...costEndpoints,
  listTools: {
    method: 'GET',
    path: '/api/tools',
    summary: 'The tools that DorkOS gives to every session',
    scope: 'read',
    response: z.object({
      server: z.string(),
      tools: z.array(
        z.object({
          name: z.string(),
          full_name: z.string(),
          description: z.string(),
          input_schema: z.unknown(),
        }),
      ),
    }),
  },
  ...mcpEndpoints,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints

/** What each endpoint takes and gives, for clients (before parsing) and for routes (after). */
export type EndpointBody<N extends EndpointName> = (typeof endpoints)[N] extends {
  body: infer B extends z.ZodType
}
  ? z.input<B>
  : undefined
export type EndpointQuery<N extends EndpointName> = (typeof endpoints)[N] extends {
  query: infer Q extends z.ZodType
}
  ? z.input<Q>
  : undefined
export type EndpointParams<N extends EndpointName> = (typeof endpoints)[N] extends {
  params: infer P extends z.ZodType
}
  ? z.input<P>
  : undefined
export type EndpointResponse<N extends EndpointName> = (typeof endpoints)[N] extends {
  response: infer R extends z.ZodType
}
  ? z.output<R>
  : undefined
export type ParsedBody<N extends EndpointName> = (typeof endpoints)[N] extends {
  body: infer B extends z.ZodType
}
  ? z.output<B>
  : undefined
export type ParsedQuery<N extends EndpointName> = (typeof endpoints)[N] extends {
  query: infer Q extends z.ZodType
}
  ? z.output<Q>
  : undefined

export type ParsedParams<N extends EndpointName> = (typeof endpoints)[N] extends {
  params: infer P extends z.ZodType
}
  ? z.output<P>
  : undefined

/** Served besides the table, and the page: the documentation of the API. */
export const publicPaths = ['/api/openapi.json', '/api/docs', '/api/docs.css'] as const

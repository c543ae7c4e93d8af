/** The API as an OpenAPI 3.1 document, made from the endpoint table: it cannot say anything that the routes do not do. */
import { z } from 'zod'
import { approvalSchema, auditEntrySchema, ruleSchema } from './approval.ts'
import { configViewSchema } from './config-view.ts'
import { budgetSchema, costReportSchema, ledgerEntrySchema } from './cost.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import {
  historyPageSchema,
  serverEventSchema,
  serverSnapshotSchema,
  sessionSnapshotSchema,
  streamEventSchema,
} from './event.ts'
import { type ProblemCode, problemSchema, problems } from './problem.ts'
import { acceptedMessageSchema, sessionSchema, turnSchema } from './session.ts'
import { healthSchema, statusSchema } from './status.ts'
import { tokenSchema } from './token.ts'
import { workspaceSchema } from './workspace.ts'

type Json = Record<string, unknown>

export interface OpenApiOperation extends Json {
  operationId: string
  summary: string
  tags: string[]
  parameters: (Json & { name: string; in: string; required: boolean; schema: Json })[]
  requestBody?: Json
  responses: Record<string, Json>
  /** The scope that a token needs. */
  'x-scope': string
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: Json
  servers?: { url: string }[]
  security: Json[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, Json>; securitySchemes: Json; responses: Record<string, Json> }
}

/** Schemas that are named in the document; all others stand where they are used. */
const named: Record<string, z.ZodType> = {
  AcceptedMessage: acceptedMessageSchema,
  Approval: approvalSchema,
  AuditEntry: auditEntrySchema,
  Budget: budgetSchema,
  ConfigView: configViewSchema,
  CostReport: costReportSchema,
  Health: healthSchema,
  HistoryPage: historyPageSchema,
  LedgerEntry: ledgerEntrySchema,
  Problem: problemSchema,
  Rule: ruleSchema,
  ServerEvent: serverEventSchema,
  ServerSnapshot: serverSnapshotSchema,
  Session: sessionSchema,
  SessionSnapshot: sessionSnapshotSchema,
  Status: statusSchema,
  StreamEvent: streamEventSchema,
  Token: tokenSchema,
  Turn: turnSchema,
  Workspace: workspaceSchema,
}

const streamDescription = `Server-sent events. Plain messages carry a \`StreamEvent\` and the \`id:\` to resume from; send it back in
\`Last-Event-ID\`. Named frames: \`snapshot\` \`{session, snapshot: SessionSnapshot}\`, \`server_snapshot\` \`{snapshot: ServerSnapshot}\`,
\`server\` (a \`ServerEvent\`), \`resync\` \`{session, reason}\` (what you have cannot be continued without a gap; a snapshot follows),
\`closing\` \`{retry_ms}\` (the server stops; reconnect). Skip events that are not newer than the \`at\` of the session's snapshot.
A comment comes as a heartbeat every 15 seconds. A client that reads too slowly is disconnected and resumes by id.`

export function openApiDocument(options: { version: string; serverUrl?: string }): OpenApiDocument {
  const schemas = responseSchemas()
  const paths: OpenApiDocument['paths'] = {}
  for (const [name, endpoint] of Object.entries(endpoints as Record<string, Endpoint>)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operation(name, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'DorkOS',
      version: options.version,
      description:
        'A self-hosted home for Claude Code agents. Every error has one shape (`Problem`); its `code` is from a closed list.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    ...(options.serverUrl === undefined ? {} : { servers: [{ url: options.serverUrl }] }),
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token from `POST /api/auth/redeem` or `POST /api/tokens`. Never in a query string or cookie.',
        },
      },
      responses: problemResponses(),
    },
  }
}

function operation(name: string, endpoint: Endpoint): OpenApiOperation {
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    'x-scope': endpoint.scope,
    ...(endpoint.scope === 'public' ? { security: [] } : {}),
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...headerParameters(endpoint),
    ],
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: inputSchema(endpoint.body) } },
            'x-body-limit': endpoint.bodyLimit ?? 1024 * 1024,
          },
        }
      : {}),
    responses: responsesOf(name, endpoint),
  }
}

function parametersOf(schema: z.ZodObject | undefined, location: 'path' | 'query') {
  if (!schema) return []
  const json = inputSchema(schema)
  const required = new Set(Array.isArray(json.required) ? json.required : [])
  return Object.entries((json.properties ?? {}) as Record<string, Json>).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.has(name),
    schema: property,
  }))
}

function headerParameters(endpoint: Endpoint) {
  const headers = []
  if (endpoint.stream === 'always') {
    headers.push({ name: 'Last-Event-ID', description: 'The id of the last frame that you have.' })
  }
  if (endpoint.idempotent) {
    headers.push({
      name: 'Idempotency-Key',
      description: 'The same key with the same body is done once, however often it is sent.',
    })
  }
  return headers.map((header) => ({
    ...header,
    in: 'header',
    required: false,
    schema: { type: 'string', maxLength: 200 },
  }))
}

function responsesOf(name: string, endpoint: Endpoint): Record<string, Json> {
  const responses: Record<string, Json> = {}
  if (!endpoint.response) responses['204'] = { description: 'Done.' }
  else responses[String(endpoint.status ?? 200)] = success(name, endpoint)
  for (const status of new Set(problemsOf(endpoint).map((code) => problems[code].status))) {
    responses[String(status)] = { $ref: `#/components/responses/Problem${status}` }
  }
  responses.default = { $ref: '#/components/responses/Problem' }
  return responses
}

function success(name: string, endpoint: Endpoint): Json {
  const stream = { 'text/event-stream': { schema: { type: 'string', description: streamDescription } } }
  if (endpoint.stream === 'always') return { description: 'An event stream.', content: stream }
  if (endpoint.file) {
    return {
      description: 'A file.',
      content: Object.fromEntries(endpoint.file.map((type) => [type, { schema: fileSchemaOf(type) }])),
    }
  }
  const content = { 'application/json': { schema: ref(responseName(name, endpoint)) } }
  return endpoint.stream === 'accept'
    ? {
        description:
          'Accepted. With `Accept: text/event-stream`: a frame `accepted`, then the events of the turn, then `done`.',
        content: { ...content, ...stream },
      }
    : { description: 'The answer.', content }
}

function fileSchemaOf(mediaType: string): Json {
  if (mediaType === 'application/json') return { type: 'object' }
  return { type: 'string', ...(!mediaType.startsWith('text/') && { contentEncoding: 'binary' }) }
}

/** The errors that this endpoint is likely to answer with; `default` covers the rest. */
function problemsOf(endpoint: Endpoint): ProblemCode[] {
  return [
    ...(endpoint.params || endpoint.query || endpoint.body ? (['invalid_request'] as const) : []),
    ...(endpoint.scope === 'public' ? [] : (['unauthenticated', 'forbidden'] as const)),
    ...(endpoint.params ? (['not_found'] as const) : []),
    ...(endpoint.body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    'rate_limited',
  ]
}

function problemResponses(): Record<string, Json> {
  const content = { 'application/json': { schema: ref('Problem') } }
  const responses: Record<string, Json> = {
    Problem: { description: 'Any other error.', content },
  }
  for (const [code, { status, means }] of Object.entries(problems)) {
    const name = `Problem${status}`
    const earlier = responses[name]?.description
    const line = `\`${code}\`: ${means}`
    responses[name] = { description: earlier ? `${earlier}\n\n${line}` : line, content }
  }
  return responses
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function responseName(name: string, endpoint: Endpoint): string {
  const known = Object.entries(named).find(([, schema]) => schema === endpoint.response)
  return known?.[0] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}Response`
}

/** All answers as named schemas that refer to one another. Unknown fields may be added by a newer server. */
function responseSchemas(): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  for (const [name, endpoint] of Object.entries(endpoints as Record<string, Endpoint>)) {
    if (!endpoint.response || endpoint.stream === 'always' || endpoint.file) continue
    const id = responseName(name, endpoint)
    if (!named[id]) registry.add(endpoint.response, { id })
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      tidy(jsonSchema)
    },
  })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema as Json)]))
}

function inputSchema(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) }) as Json)
}

/** The format says it; the pattern of a date and time is 200 characters long. */
function tidy(schema: { format?: string | undefined; pattern?: string | undefined }): void {
  if (schema.format === 'date-time') delete schema.pattern
}

function bare(schema: Json): Json {
  const { $schema: _schema, $id: _id, ...rest } = schema
  return rest
}

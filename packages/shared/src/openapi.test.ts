import { describe, expect, it } from 'vitest'
import { type Endpoint, endpoints } from './endpoints.ts'
import { type OpenApiOperation, openApiDocument } from './openapi.ts'

const document = openApiDocument({ version: '1.2.3', serverUrl: 'http://127.0.0.1:4242' })
const table = Object.entries(endpoints as Record<string, Endpoint>)

function operationOf(name: string): OpenApiOperation {
  const found = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .find((operation) => operation.operationId === name)
  if (!found) throw new Error(`no operation ${name}`)
  return found
}

/** Every `$ref` in a value, wherever it stands. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  )
}

function resolve(ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
}

describe('openApiDocument', () => {
  it('has one operation for every endpoint, and no other', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    )
    expect(ids.toSorted()).toEqual(Object.keys(endpoints).toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('refers only to what it holds', () => {
    const refs = [...new Set(refsIn(document))]
    expect(refs.length).toBeGreaterThan(20)
    for (const ref of refs) expect(resolve(ref), ref).toBeTypeOf('object')
  })

  it('is plain JSON without ids or dialects of single schemas', () => {
    const text = JSON.stringify(document)
    expect(text).not.toContain('"$id"')
    expect(text).not.toContain('"$schema"')
    expect(JSON.parse(text)).toEqual(document)
  })

  it.each(table)('%s: documents every parameter, the scope, the body and the answer', (name, endpoint) => {
    const operation = operationOf(name)
    expect(operation['x-scope']).toBe(endpoint.scope)
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1])
    const documented = operation.parameters.filter((parameter) => parameter.in === 'path')
    expect(documented.map((parameter) => parameter.name).toSorted()).toEqual(inPath.toSorted())
    expect(documented.every((parameter) => parameter.required)).toBe(true)
    expect(operation.parameters.filter((parameter) => parameter.in === 'query').map((p) => p.name)).toEqual(
      Object.keys(endpoint.query?.shape ?? {}),
    )
    expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined)
    expect(operation.responses[String(endpoint.response ? (endpoint.status ?? 200) : 204)]).toBeDefined()
    expect(operation.security).toEqual(endpoint.scope === 'public' ? [] : undefined)
    if (endpoint.stream) expect(JSON.stringify(operation.responses)).toContain('text/event-stream')
  })

  it('describes errors in one shape', () => {
    for (const response of Object.values(document.components.responses)) {
      expect(refsIn(response)).toEqual(['#/components/schemas/Problem'])
    }
  })

  it('shares resources by name and leaves answers open for new fields', () => {
    expect(refsIn(document.components.schemas.ListSessionsResponse)).toEqual(['#/components/schemas/Session'])
    expect(JSON.stringify(document.components.schemas)).not.toContain('"additionalProperties":false')
  })
})

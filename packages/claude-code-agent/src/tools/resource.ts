/** Resources that an in-process server offers: fixed ones by `uri`, families of them by `uriTemplate`. */
import { isRecord } from '@dorkos/processes'
import { ToolDefinitionError } from '../errors.ts'
import { type BinaryData, InvalidContent, toResourceContents } from './content-block.ts'
import { describe } from './json-value.ts'
import type { JsonObject } from './schema-check.ts'

export interface ResourceContext {
  readonly sessionId: string
  readonly signal: AbortSignal
  /** What the URI has in the places of the template's variables. */
  readonly variables: Readonly<Record<string, string>>
}

export interface ResourceContents {
  /** The requested URI by default. */
  uri?: string
  /** The resource's own by default. */
  mimeType?: string
  text?: string
  blob?: BinaryData
}

export type ResourceReturn =
  | string
  | ResourceContents
  | readonly ResourceContents[]
  | { contents: readonly ResourceContents[] }

interface ResourceBase {
  name: string
  title?: string
  description?: string
  mimeType?: string
  read(uri: string, context: ResourceContext): ResourceReturn | Promise<ResourceReturn>
}

export interface FixedResource extends ResourceBase {
  uri: string
  uriTemplate?: never
}

/** `{name}` stands for one path segment, `{+name}` for anything. */
export interface ResourceTemplate extends ResourceBase {
  uri?: never
  uriTemplate: string
}

export type SdkResource = FixedResource | ResourceTemplate

export interface CompiledResource {
  /** The URI or the template: what a resource is known and removed by. */
  key: string
  isTemplate: boolean
  /** The entry of `resources/list` or `resources/templates/list`. */
  entry: JsonObject
  mimeType: string | undefined
  /** The variables, or undefined where the URI is not this resource's. */
  match(uri: string): Record<string, string> | undefined
  read: SdkResource['read']
}

/** Throws ToolDefinitionError, naming the resource. */
export function compileResource(resource: SdkResource): CompiledResource {
  const key = isRecord(resource) ? (resource.uri ?? resource.uriTemplate) : undefined
  if (typeof key !== 'string' || key === '') {
    throw new ToolDefinitionError(`A resource needs a uri or a uriTemplate, got ${describe(key ?? resource)}`)
  }
  if (typeof resource.name !== 'string' || resource.name === '') {
    throw new ToolDefinitionError(`Resource '${key}': name must be a string, got ${describe(resource.name)}`)
  }
  if (typeof resource.read !== 'function') {
    throw new ToolDefinitionError(
      `Resource '${key}': read must be a function, got ${describe(resource.read)}`,
    )
  }
  const isTemplate = resource.uri === undefined
  const { name, title, description, mimeType } = resource
  const entry = Object.fromEntries(
    Object.entries({ [isTemplate ? 'uriTemplate' : 'uri']: key, name, title, description, mimeType }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const match = isTemplate ? compileTemplate(key) : (uri: string) => (uri === key ? {} : undefined)
  return { key, isTemplate, entry, mimeType, match, read: (uri, context) => resource.read(uri, context) }
}

function compileTemplate(template: string): (uri: string) => Record<string, string> | undefined {
  const names: string[] = []
  const source = template.replace(/\{([^{}]*)\}|[^{}]+|[{}]/g, (part, expression?: string) => {
    if (expression === undefined && part !== '{' && part !== '}')
      return part.replace(/[.*+?^$()|[\]\\/-]/g, '\\$&')
    const variable = /^(\+?)(\w+)$/.exec(expression ?? '')
    if (!variable?.[2]) {
      throw new ToolDefinitionError(
        `Resource '${template}': '${part}' is not understood; use {name} or {+name}`,
      )
    }
    names.push(variable[2])
    return variable[1] ? '(.+)' : '([^/?#]+)'
  })
  const pattern = new RegExp(`^${source}$`)
  return (uri) => {
    const found = pattern.exec(uri)
    if (!found) return undefined
    return Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? '')]))
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The result of `resources/read`. Throws InvalidContent. */
export function toReadResult(returned: unknown, uri: string, mimeType: string | undefined): JsonObject {
  const list = listContents(returned)
  const contents = list.map((item, index) => {
    const given = typeof item === 'string' ? { text: item } : item
    if (!isRecord(given)) throw new InvalidContent(`contents[${index}] is ${describe(given)}, not a resource`)
    return toResourceContents(
      { ...given, uri: given.uri ?? uri, mimeType: given.mimeType ?? mimeType },
      `contents[${index}]`,
    )
  })
  return { contents }
}

function listContents(returned: unknown): readonly unknown[] {
  if (Array.isArray(returned)) return returned
  if (!isRecord(returned) || returned.contents === undefined) return [returned]
  if (Array.isArray(returned.contents)) return returned.contents
  throw new InvalidContent(`contents must be an array, got ${describe(returned.contents)}`)
}

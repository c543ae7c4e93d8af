/** A server's lists, read page by page. However long they are, they are bounded. */
import type { ListName, Upstream } from '../upstream/upstream.ts'

const mostPages = 100
const mostItems = 2000
const mostCharacters = 16 * 1024 * 1024

export interface ServerLists {
  tools: unknown[]
  resources: unknown[]
  resourceTemplates: unknown[]
  prompts: unknown[]
}

export const noLists: ServerLists = { tools: [], resources: [], resourceTemplates: [], prompts: [] }

/** What the server says it has. Without its tools it is of no use; what else cannot be read is taken as empty. */
export async function readLists(
  upstream: Upstream,
  capabilities: Record<string, unknown>,
  timeoutMs: number,
): Promise<ServerLists> {
  const names = (['tools', 'resources', 'prompts'] as const).filter(
    (name) => capabilities[name] !== undefined,
  )
  const parts = await Promise.all(
    names.map((name) => {
      const read = readPart(upstream, name, timeoutMs)
      return name === 'tools' ? read : read.catch(() => ({}))
    }),
  )
  return Object.assign({ ...noLists }, ...parts)
}

/** The list of that name; with the resources come their templates, whose changes are reported together. */
export async function readPart(
  upstream: Upstream,
  name: ListName,
  timeoutMs: number,
): Promise<Partial<ServerLists>> {
  if (name !== 'resources') return { [name]: await readAll(upstream, `${name}/list`, name, timeoutMs) }
  const [resources, resourceTemplates] = await Promise.all([
    readAll(upstream, 'resources/list', 'resources', timeoutMs),
    // Many servers that have resources know nothing of templates.
    readAll(upstream, 'resources/templates/list', 'resourceTemplates', timeoutMs).catch(() => []),
  ])
  return { resources, resourceTemplates }
}

async function readAll(
  upstream: Upstream,
  method: string,
  field: string,
  timeoutMs: number,
): Promise<unknown[]> {
  const items: unknown[] = []
  const seen = new Set<string>()
  let characters = 0
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const result = await upstream.request(method, cursor === undefined ? {} : { cursor }, { timeoutMs })
    const listed = result[field]
    for (const item of Array.isArray(listed) ? listed : []) {
      characters += JSON.stringify(item)?.length ?? 0
      if (items.length >= mostItems || characters > mostCharacters) return items
      items.push(item)
    }
    const next = result.nextCursor
    // A server that gives a cursor twice would go round for ever.
    if (typeof next !== 'string' || next === '' || seen.has(next)) return items
    seen.add(next)
    cursor = next
  }
  return items
}

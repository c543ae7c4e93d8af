/**
 * A profile's file → what it says, or everything that is wrong in it, each fault with its line. The file is Markdown with a head in YAML,
 * and anybody may have written it. Keys of `.claude/agents/*.md` are taken in the spelling that they have there. Pure.
 */
import { type ProfileFault, profileAgentSchema, profileNameSchema, profileSchema } from '@dorkos/shared'
import { type Document, isMap, isNode, isPair, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { splitHead } from '../trust/markdown-commands.ts'

export const maxProfileBytes = 256 * 1024

/** As it is written: what it names is not looked up yet. */
export type WrittenProfile = z.output<typeof writtenSchema> & { body: string }

export interface ReadProfileText {
  /** Absent where there are faults. */
  written?: WrittenProfile
  faults: ProfileFault[]
  /** Where a key stands, such as `['agents', 'helper', 'tools', 1]`; the nearest one around it where it does not. */
  lineOf(path: readonly PropertyKey[]): number
}

/** `Read, Grep` and `[Read, Grep]` mean the same. */
const list = z.preprocess(
  (value) =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : value,
  z.array(z.string().min(1).max(200)).max(500),
)

const agentSchema = profileAgentSchema.extend({
  tools: list.optional(),
  disallowed_tools: list.optional(),
  skills: list.optional(),
})

const { shape } = profileSchema
const writtenSchema = z.strictObject({
  name: profileNameSchema.optional(),
  description: shape.description,
  prompt: z.enum(['replace', 'append']).default('replace'),
  model: shape.model,
  fallback_model: shape.fallback_model,
  effort: shape.effort,
  tools: list.optional(),
  disallowed_tools: list.optional(),
  mcp_servers: list.optional(),
  skills: list.optional(),
  /** By name, or the names of other profiles. */
  agents: z
    .union([list, z.record(z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/), agentSchema)], {
      error: 'must be names of profiles, or a map from names to agents',
    })
    .optional(),
  /** A schema, or the file of one beside the profile. */
  output_schema: z.union([z.string().min(1).max(1000), z.record(z.string(), z.unknown())]).optional(),
  permissions: shape.permissions.prefault({}),
  limits: shape.limits.prefault({}),
  /** In which Claude Code shows its agents. Nothing comes of it here. */
  color: z.enum(['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'pink', 'cyan', 'gray']).optional(),
})

type Path = readonly PropertyKey[]

/** The spelling of `.claude/agents`, and where each belongs here. */
const otherSpellings: Readonly<Record<string, Path>> = {
  disallowedTools: ['disallowed_tools'],
  mcpServers: ['mcp_servers'],
  fallbackModel: ['fallback_model'],
  outputSchema: ['output_schema'],
  permissionMode: ['permissions', 'mode'],
  maxTurns: ['limits', 'max_turns'],
}
const spellingsOfAgents: Readonly<Record<string, Path>> = {
  disallowedTools: ['disallowed_tools'],
  maxTurns: ['max_turns'],
}

/** Keys that Claude Code knows, and why they are not taken. */
const refused: Readonly<Record<string, string>> = {
  hooks: 'hooks of an agent’s file don’t run in DorkOS; put them into settings, where they can be allowed',
  initialPrompt: 'it would start a turn that nobody asked for; write it into the prompt',
  memory: 'an agent’s own memory folder isn’t supported; name a file in the prompt instead',
  isolation: 'agents work in the folder of their session; worktrees of their own aren’t supported yet',
  worktree: 'worktrees of their own aren’t supported yet; use a workspace in a container',
  background: 'only agents under `agents` can work in the background',
}
const refusedOfAgents: Readonly<Record<string, string>> = {
  ...refused,
  permissionMode: 'agents under `agents` have the permission mode of the profile',
  mcpServers: 'name the servers under the profile’s `mcp_servers`, and their tools in the agent’s `tools`',
}

export function readProfileText(text: string, fileName: string): ReadProfileText {
  if (Buffer.byteLength(text) > maxProfileBytes)
    return failed([{ line: 1, message: `the file is larger than ${maxProfileBytes / 1024} KB` }])
  const { head, body } = splitHead(text)
  if (head === '')
    return failed([{ line: 1, message: 'it must begin with a head between two lines of `---`' }])
  const lines = new LineCounter()
  const document = parseDocument(head, { lineCounter: lines, uniqueKeys: true, strict: true })
  const above = text.slice(0, text.indexOf(head)).split('\n').length - 1
  const lineAt = (offset: number | undefined) =>
    offset === undefined ? 1 : above + lines.linePos(offset).line
  const lineOf = (path: Path) => lineAt(offsetOf(document, path))
  const faults: ProfileFault[] = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
    line: lineAt(pos[0]),
    message: message.split('\n')[0] ?? message,
  }))
  if (faults.length > 0) return { faults, lineOf }
  if (!isMap(document.contents))
    return failed([{ line: above + 1, message: 'the head must be keys and values' }])
  const read = readHead(document, lineOf)
  const written = read.faults.length === 0 ? checkHead(read.value, fileName, lineOf) : read
  if (!('written' in written)) return { faults: written.faults, lineOf }
  const profile = { ...written.written, body: body.trim() }
  if (profile.body === '' && profile.prompt === 'replace')
    return {
      faults: [{ line: lineAt(head.length), message: 'the prompt is empty: write it below the head' }],
      lineOf,
    }
  return { written: profile, faults: [], lineOf }
}

function failed(faults: ProfileFault[]): ReadProfileText {
  return { faults, lineOf: () => 1 }
}

/** The head with every key as it is called here. */
function readHead(document: Document, lineOf: (path: Path) => number) {
  const faults: ProfileFault[] = []
  let value: Record<string, unknown> = {}
  try {
    // Bounded: a few lines of aliases could otherwise stand for gigabytes.
    value = document.toJS({ maxAliasCount: 50 }) as Record<string, unknown>
  } catch (error) {
    faults.push({ line: lineOf([]), message: error instanceof Error ? error.message : String(error) })
  }
  const respell = (
    object: Record<string, unknown>,
    spellings: typeof otherSpellings,
    why: typeof refused,
    at: Path,
  ) => {
    // Without a prototype: `__proto__` is a key like any other.
    const result: Record<string, unknown> = Object.create(null)
    const set = (path: Path, key: string, one: unknown) => {
      const [first, second] = path as [string, string?]
      if (second !== undefined && result[first] === undefined) result[first] = {}
      const target = second === undefined ? result : result[first]
      const name = second ?? first
      if (!isPlainObject(target) || Object.hasOwn(target, name))
        faults.push({
          line: lineOf([...at, key]),
          path: [...at, key].join('.'),
          message: `it is given twice: also as ${path.join('.')}`,
        })
      else target[name] = one
    }
    const isOther = (key: string) => Object.hasOwn(spellings, key)
    for (const [key, one] of Object.entries(object)) {
      if (Object.hasOwn(why, key) && !(at.length > 0 && key === 'background'))
        faults.push({ line: lineOf([...at, key]), path: [...at, key].join('.'), message: why[key] ?? '' })
      else if (!isOther(key)) result[key] = isPlainObject(one) ? { ...one } : one
    }
    for (const [key, one] of Object.entries(object)) if (isOther(key)) set(spellings[key] ?? [key], key, one)
    return result
  }
  const head = respell(value, otherSpellings, refused, [])
  const { agents } = head
  if (isPlainObject(agents))
    for (const [name, agent] of Object.entries(agents))
      if (isPlainObject(agent))
        agents[name] = respell(agent, spellingsOfAgents, refusedOfAgents, ['agents', name])
  return { value: head, faults }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkHead(
  value: Record<string, unknown>,
  fileName: string,
  lineOf: (path: Path) => number,
): { written: z.output<typeof writtenSchema> } | { faults: ProfileFault[] } {
  const parsed = writtenSchema.safeParse(value)
  if (!parsed.success) return { faults: parsed.error.issues.flatMap((issue) => faultsOf(issue, lineOf)) }
  const { name } = parsed.data
  const expected = fileName.replace(/\.md$/, '')
  if (name !== undefined && name !== expected)
    return {
      faults: [
        { line: lineOf(['name']), path: 'name', message: `it must be ‘${expected}’, as the file is called` },
      ],
    }
  return { written: parsed.data }
}

function faultsOf(issue: z.core.$ZodIssue, lineOf: (path: Path) => number): ProfileFault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const path = [...issue.path, key]
      return { line: lineOf(path), path: path.join('.'), message: `there is no key ‘${key}’ here` }
    })
  // Of a map of agents, what is wrong in one of them is of more use than that it is no list.
  if (issue.code === 'invalid_union') {
    const inMap = issue.errors.flatMap((branch) => branch.filter((one) => one.path.length > 0))
    if (inMap.length > 0)
      return inMap.flatMap((one) => faultsOf({ ...one, path: [...issue.path, ...one.path] }, lineOf))
  }
  return [
    {
      line: lineOf(issue.path),
      ...(issue.path.length > 0 && { path: issue.path.join('.') }),
      message: issue.message,
    },
  ]
}

/** Of the key itself, not of its value. */
function offsetOf(document: Document, path: Path): number | undefined {
  let node: unknown = document.contents
  let offset = isNode(node) ? node.range?.[0] : undefined
  for (const [depth, part] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && names(item.key, part, path.slice(0, depth)))
      // `limits.max_turns` may stand as `maxTurns` one level higher.
      const spelled =
        pair ?? (depth === 0 ? node.items.find(({ key }) => isSpellingOf(key, path)) : undefined)
      if (!spelled) return offset
      offset = rangeOf(spelled.key) ?? offset
      node = spelled.value
    } else if (typeof part === 'number' && hasItems(node)) {
      node = node.items[part]
      offset = rangeOf(node) ?? offset
    } else return offset
  }
  return offset
}

const hasItems = (node: unknown): node is { items: unknown[] } =>
  typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)

const rangeOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)

function keyOf(key: unknown): string {
  return typeof key === 'object' && key !== null && 'value' in key ? String(key.value) : String(key)
}

function names(key: unknown, part: PropertyKey, above: Path): boolean {
  const name = keyOf(key)
  const spellings = above[0] === 'agents' ? spellingsOfAgents : otherSpellings
  return (
    name === String(part) || (Object.hasOwn(spellings, name) && spellings[name]?.join('.') === String(part))
  )
}

function isSpellingOf(key: unknown, path: Path): boolean {
  const spelling = Object.hasOwn(otherSpellings, keyOf(key)) ? otherSpellings[keyOf(key)] : undefined
  return spelling !== undefined && spelling.join('.') === path.slice(0, spelling.length).join('.')
}

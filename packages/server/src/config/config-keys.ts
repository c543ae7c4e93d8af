/** The keys of the configuration, prepared once from the schema. */
import { type Config, type ConfigKey, configSchema, isRecord, listConfigKeys } from '@dorkos/shared'
import { z } from 'zod'
import type { KeySchema } from './describe-schema.ts'

export interface KnownKey extends ConfigKey {
  steps: string[]
  json: KeySchema
}

export const configKeys: readonly KnownKey[] = listConfigKeys().map((key) => ({
  ...key,
  steps: key.path.split('.'),
  json: toJsonSchema(key.schema),
}))

const byPath = new Map(configKeys.map((key) => [key.path, key]))

export function findConfigKey(path: string): KnownKey | undefined {
  return byPath.get(path)
}

/** Keys with values that name files or folders. `~/` stands for the owner's home in them. */
export const pathKeys = ['tls.cert', 'tls.key', 'defaultCwd', 'cliPath', 'roots'] as const

/**
 * Not to be changed over the API: who stole a token could have the server run a program, send its key elsewhere, or
 * hand its variables to agents. Only who can write the file decides these.
 */
export const fileOnlyKeys: readonly string[] = [
  'cliPath',
  'anthropicBaseUrl',
  'agentEnv',
  'mcp.expandEnv',
  'mcp.env',
]
/** Its entries have secrets, which are shown to nobody, and endpoints of their own. */
export const mcpServersKey = 'mcpServers'

function toJsonSchema(schema: z.ZodType): KeySchema {
  const { $schema, default: _default, description, ...json } = z.toJSONSchema(schema, { io: 'input' })
  return json as KeySchema
}

export function valueAt(root: unknown, steps: readonly string[]): unknown {
  let here = root
  for (const step of steps) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = (here as Record<string, unknown>)[step]
  }
  return here
}

/** A copy with the value in its place; groups that are missing are made. */
export function withValue(
  root: Record<string, unknown>,
  steps: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [first, ...rest] = steps
  if (first === undefined) return root
  if (rest.length === 0) return { ...root, [first]: value }
  const group = root[first]
  return { ...root, [first]: withValue(isRecord(group) ? group : {}, rest, value) }
}

/** The new configuration, in which keys that need a restart keep the value that the server runs with. */
export function applyWithoutRestart(running: Config, next: Config): Config {
  let mixed: Record<string, unknown> = next
  for (const key of configKeys) {
    if (key.restart) mixed = withValue(mixed, key.steps, valueAt(running, key.steps))
  }
  return configSchema.parse(mixed)
}

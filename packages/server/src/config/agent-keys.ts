/** The keys that agents may see with `get_config`, and ask to change with `set_config`. */
import { coerce } from './coerce.ts'
import { configKeys, findConfigKey, valueAt } from './config-keys.ts'
import { describeSchema } from './describe-schema.ts'

export interface AgentConfigKey {
  key: string
  value: unknown
  /** May be changed with a person's approval. */
  writable: boolean
  description: string
  /** Such as `an integer from 1 to 200`. */
  expects: string
}

export function agentKeys(config: unknown): AgentConfigKey[] {
  return configKeys
    .filter((key) => key.agent !== undefined)
    .map((key) => ({
      key: key.path,
      value: valueAt(config, key.steps),
      writable: key.agent === 'write',
      description: key.description,
      expects: describeSchema(key.json),
    }))
}

export function isAgentWritable(path: string): boolean {
  return findConfigKey(path)?.agent === 'write'
}

/** Models send numbers as text at times. */
export function fromAgent(path: string, value: unknown): unknown {
  const key = findConfigKey(path)
  return key && typeof value === 'string' ? coerce(value, key.json) : value
}

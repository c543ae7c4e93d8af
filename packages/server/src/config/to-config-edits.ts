/** From `{ "sessions.idleMinutes": 45, "log.level": null }` to edits of the file; refuses, all at once, what may not be set. */
import { type Saying, say } from '@dorkos/shared'
import { AppError } from '../core/app-error.ts'
import { type ConfigFault, faultDetails, sayFaults } from './config-error.ts'
import { configKeys, fileOnlyKeys, findConfigKey, mcpServersKey } from './config-keys.ts'
import type { ConfigEdit } from './edit-config-text.ts'
import type { ConfigSource } from './load-config.ts'

/** Throws AppError. The values themselves are checked with the whole configuration. */
export function toConfigEdits(
  set: Record<string, unknown>,
  sources: Map<string, ConfigSource>,
): ConfigEdit[] {
  const faults: ConfigFault[] = []
  const edits: ConfigEdit[] = []
  for (const [path, value] of Object.entries(set)) {
    const key = findConfigKey(path)
    const refusal = key ? refuse(path, sources.get(path), key.env, key.flag) : unknownKey(path)
    if (refusal !== undefined)
      faults.push({ path, message: refusal.message, saying: refusal, location: path })
    else if (key) edits.push({ steps: key.steps, value: value === null ? undefined : value })
  }
  if (faults.length > 0)
    throw new AppError('invalid_request', sayFaults(faults), { details: faultDetails(faults) })
  return edits
}

/** Written to the file it would change nothing, which would look as if it had. */
function refuse(path: string, source: ConfigSource | undefined, env = '', flag = ''): Saying | undefined {
  if (path === mcpServersKey) return say('config_key_of_mcp')
  if (fileOnlyKeys.includes(path)) return say('config_key_of_file', { key: path })
  if (source === 'env') return say('config_key_of_environment', { key: path, variable: env })
  if (source === 'flag') return say('config_key_of_flag', { key: path, flag })
  return undefined
}

function unknownKey(path: string): Saying {
  const inside = configKeys.find((key) => key.path.startsWith(`${path}.`))
  return say('config_key_unknown', { key: path, inside: inside?.path })
}

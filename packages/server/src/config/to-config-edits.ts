/** From `{ "sessions.idleMinutes": 45, "log.level": null }` to edits of the file; refuses, all at once, what may not be set. */
import { AppError } from '../core/app-error.ts'
import { type ConfigFault, describeFaults, faultDetails } from './config-error.ts'
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
    if (refusal !== undefined) faults.push({ path, message: refusal, location: path })
    else if (key) edits.push({ steps: key.steps, value: value === null ? undefined : value })
  }
  if (faults.length > 0)
    throw new AppError('invalid_request', describeFaults(faults), { details: faultDetails(faults) })
  return edits
}

/** Written to the file it would change nothing, which would look as if it had. */
function refuse(path: string, source: ConfigSource | undefined, env = '', flag = ''): string | undefined {
  if (path === mcpServersKey) return 'MCP servers are changed with `dorkos mcp` or at /api/mcp/servers'
  if (fileOnlyKeys.includes(path)) return `${path} can only be changed in the configuration file itself`
  if (source === 'env') return `the environment decides ${path}: change the variable ${env} and restart`
  if (source === 'flag') return `the command line decides ${path}: change the flag ${flag} and restart`
  return undefined
}

function unknownKey(path: string): string {
  const inside = configKeys.find((key) => key.path.startsWith(`${path}.`))
  return `there is no key ${path}${inside ? `; name one inside it, such as ${inside.path}` : ''}`
}

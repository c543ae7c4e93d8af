/** `get_config` and `set_config`: a named list of keys. That a person agreed is the permission gateway's to make sure. */
import type { Actor } from '../actor.ts'
import type { ServerToolDeps, ToolConfigKey } from './mcp-tool-deps.ts'
import { answering, cut, type ToolCaller } from './tool-answer.ts'
import { visibilityFor } from './visible-sessions.ts'

export function createGetConfigHandler(deps: Pick<ServerToolDeps, 'config' | 'visibilityOf'>) {
  return answering<{ key?: string | undefined }>('Failed to read the settings', async ({ key }, caller) => {
    const all = deps.config.agentKeys(await insider(deps, caller))
    const settings = key === undefined ? all : all.filter((known) => known.key === key)
    if (settings.length === 0) {
      const names = all.map((known) => known.key).join(', ')
      throw new Error(`${cut(String(key), 100)} is not a setting that agents may see; these are: ${names}.`)
    }
    return { settings: settings.map(shown) }
  })
}

export function createSetConfigHandler(deps: Pick<ServerToolDeps, 'config' | 'visibilityOf'>) {
  return answering<{ key: string; value: unknown }>(
    'Failed to change the setting',
    async ({ key, value }, caller) => {
      const actor = await insider(deps, caller)
      const changed = await deps.config.changeFromAgent(actor, key, value)
      return { key: changed.key, value: shown(changed).value }
    },
  )
}

/** Settings are the owner's, with paths in them: not for a session that may know of its own workspace alone. */
async function insider(
  deps: Pick<ServerToolDeps, 'visibilityOf'>,
  caller: ToolCaller | undefined,
): Promise<Actor> {
  const { kind, actor } = await visibilityFor(deps, caller)
  if (kind === 'all') return actor
  throw new Error('This session cannot read the server’s settings.')
}

function shown(setting: ToolConfigKey): ToolConfigKey {
  const { value } = setting
  return { ...setting, value: typeof value === 'string' ? cut(value) : (value ?? null) }
}

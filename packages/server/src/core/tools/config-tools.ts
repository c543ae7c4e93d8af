/** `get_config` and `set_config`: a named list of keys. That a person agreed is the permission gateway's to make sure. */
import type { McpToolDeps, ToolConfigKey } from './mcp-tool-deps.ts'
import { answering, cut } from './tool-answer.ts'

export function createGetConfigHandler(deps: Pick<McpToolDeps, 'config'>) {
  return answering<{ key?: string | undefined }>('Failed to read the settings', async ({ key }) => {
    const all = deps.config.agentKeys()
    const settings = key === undefined ? all : all.filter((known) => known.key === key)
    if (settings.length === 0) {
      const names = all.map((known) => known.key).join(', ')
      throw new Error(`${cut(String(key), 100)} is not a setting that agents may see; these are: ${names}.`)
    }
    return { settings: settings.map(shown) }
  })
}

export function createSetConfigHandler(deps: Pick<McpToolDeps, 'config'>) {
  return answering<{ key: string; value: unknown }>(
    'Failed to change the setting',
    async ({ key, value }) => {
      const changed = await deps.config.changeFromAgent(key, value)
      return { key: changed.key, value: shown(changed).value }
    },
  )
}

function shown(setting: ToolConfigKey): ToolConfigKey {
  const { value } = setting
  return { ...setting, value: typeof value === 'string' ? cut(value) : (value ?? null) }
}

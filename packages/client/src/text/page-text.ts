/** All words, for the screens that are loaded when they are opened. */
import { text as first } from './card-text.ts'
import { audit } from './en/audit.ts'
import { changes } from './en/changes.ts'
import { commands } from './en/commands.ts'
import { costs } from './en/costs.ts'
import { devices } from './en/devices.ts'
import { files } from './en/files.ts'
import { hooks } from './en/hooks.ts'
import { mcp } from './en/mcp.ts'
import { panel } from './en/panel.ts'
import { profiles } from './en/profiles.ts'
import { queue } from './en/queue.ts'
import { rules } from './en/rules.ts'
import { settings } from './en/settings.ts'
import { shortcuts } from './en/shortcuts.ts'
import { system } from './en/system.ts'
import { tools } from './en/tools.ts'
import { workspaceHooks } from './en/workspace-hooks.ts'
import { workspaces } from './en/workspaces.ts'

export const text = {
  ...first,
  audit,
  changes,
  commands,
  costs,
  devices,
  files,
  hooks,
  mcp,
  panel,
  profiles,
  queue,
  rules,
  settings,
  shell: { ...first.shell, shortcuts },
  system,
  tools,
  workspaceHooks,
  workspaces,
}

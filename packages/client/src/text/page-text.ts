/** All words, for the screens that are loaded when they are opened. */
import { audit } from './en/audit.ts'
import { costs } from './en/costs.ts'
import { devices } from './en/devices.ts'
import { mcp } from './en/mcp.ts'
import { rules } from './en/rules.ts'
import { settings } from './en/settings.ts'
import { system } from './en/system.ts'
import { tools } from './en/tools.ts'
import { workspaces } from './en/workspaces.ts'
import { text as first } from './text.ts'

export const text = {
  ...first,
  audit,
  costs,
  devices,
  mcp,
  rules,
  settings,
  system,
  tools,
  workspaces,
}

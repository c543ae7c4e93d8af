/** Every word of the page, by area. A translation is another object of this shape. */
import { approvals } from './en/approvals.ts'
import { audit } from './en/audit.ts'
import { auth } from './en/auth.ts'
import { composer } from './en/composer.ts'
import { conversation } from './en/conversation.ts'
import { costs } from './en/costs.ts'
import { devices } from './en/devices.ts'
import { mcp } from './en/mcp.ts'
import { render } from './en/render.ts'
import { rules } from './en/rules.ts'
import { sessions } from './en/sessions.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { system } from './en/system.ts'
import { tools } from './en/tools.ts'
import { ui } from './en/ui.ts'
import { workspaces } from './en/workspaces.ts'

export const text = {
  approvals,
  audit,
  auth,
  composer,
  conversation,
  costs,
  devices,
  mcp,
  render,
  rules,
  sessions,
  settings,
  shell,
  system,
  tools,
  ui,
  workspaces,
}

/** Which component shows which address. Screens that are not needed at first are loaded when they are opened. */
import type { PagePath } from '@dorkos/shared'
import { type ComponentType, lazy } from 'react'
import { SessionPage } from './conversation/session-page.tsx'
import { loadScreen } from './shell/load-screen.ts'

export type ScreenComponent = ComponentType<{ params: Record<string, string> }>

/** A page of another file, loaded on demand; `pick` gives it its parameters. */
function page<M>(
  load: () => Promise<M>,
  pick: (module: M, params: Record<string, string>) => React.ReactNode,
): ScreenComponent {
  return lazy(async () => {
    const module = await loadScreen(load)
    return { default: ({ params }: { params: Record<string, string> }) => pick(module, params) }
  })
}

export const screens: Record<PagePath, ScreenComponent> = {
  '/': page(
    () => import('./shell/home-page.tsx'),
    (m) => <m.HomePage />,
  ),
  '/new': page(
    () => import('./composer/new-session-page.tsx'),
    (m) => <m.NewSessionPage />,
  ),
  '/sessions/:id': ({ params }) => <SessionPage key={params.id} id={params.id ?? ''} />,
  '/inbox': page(
    () => import('./approvals/inbox-page.tsx'),
    (m) => <m.InboxPage />,
  ),
  '/rules': page(
    () => import('./rules/rules-page.tsx'),
    (m) => <m.RulesPage />,
  ),
  '/mcp': page(
    () => import('./mcp/mcp-page.tsx'),
    (m) => <m.McpPage />,
  ),
  '/mcp/:name': page(
    () => import('./mcp/mcp-server-page.tsx'),
    (m, { name }) => <m.McpServerPage key={name} name={name ?? ''} />,
  ),
  '/mcp-sign-in': page(
    () => import('./mcp/sign-in-return.tsx'),
    (m) => <m.SignInReturn />,
  ),
  '/tools': page(
    () => import('./tools/tools-page.tsx'),
    (m) => <m.ToolsPage />,
  ),
  '/workspaces': page(
    () => import('./workspaces/workspaces-page.tsx'),
    (m) => <m.WorkspacesPage />,
  ),
  '/workspaces/:id': page(
    () => import('./workspaces/workspace-page.tsx'),
    (m, { id }) => <m.WorkspacePage key={id} id={id ?? ''} />,
  ),
  '/profiles': page(
    () => import('./profiles/profiles-page.tsx'),
    (m) => <m.ProfilesPage />,
  ),
  '/profiles/:name': page(
    () => import('./profiles/profile-page.tsx'),
    (m, { name }) => <m.ProfilePage key={name} name={name ?? ''} />,
  ),
  '/costs': page(
    () => import('./costs/costs-page.tsx'),
    (m) => <m.CostsPage />,
  ),
  '/audit': page(
    () => import('./audit/audit-page.tsx'),
    (m) => <m.AuditPage />,
  ),
  '/devices': page(
    () => import('./devices/devices-page.tsx'),
    (m) => <m.DevicesPage />,
  ),
  '/settings': page(
    () => import('./settings/settings-page.tsx'),
    (m) => <m.SettingsPage />,
  ),
  '/system': page(
    () => import('./system/system-page.tsx'),
    (m) => <m.SystemPage />,
  ),
}

/** The pages of the shell's navigation, in one table: for the sidebar, the palette, shortcuts and titles. */
import { mcpSignInPath, type PagePath } from '@dorkos/shared'
import {
  Activity,
  Banknote,
  FolderGit2,
  Inbox,
  type LucideIcon,
  MonitorSmartphone,
  Plug,
  ScrollText,
  Settings,
  ShieldCheck,
  Wrench,
} from 'lucide-react'
import { text } from '../text/text.ts'

export interface NavEntry {
  path: Exclude<PagePath, `${string}:${string}`>
  title: string
  icon: LucideIcon
  /** Pages that are opened now and then are below "More". */
  rare?: boolean
}

const titles = text.shell.pages

export const navEntries: readonly NavEntry[] = [
  { path: '/inbox', title: titles.inbox, icon: Inbox },
  { path: '/mcp', title: titles.mcp, icon: Plug },
  { path: '/workspaces', title: titles.workspaces, icon: FolderGit2 },
  { path: '/costs', title: titles.costs, icon: Banknote },
  { path: '/tools', title: titles.tools, icon: Wrench, rare: true },
  { path: '/rules', title: titles.rules, icon: ShieldCheck, rare: true },
  { path: '/audit', title: titles.audit, icon: ScrollText, rare: true },
  { path: '/devices', title: titles.devices, icon: MonitorSmartphone, rare: true },
  { path: '/settings', title: titles.settings, icon: Settings, rare: true },
  { path: '/system', title: titles.system, icon: Activity, rare: true },
]

/** The entry that an address belongs to: its own, or the list that it is part of. */
export function navEntryOf(path: string): NavEntry | undefined {
  const listPath = path === mcpSignInPath ? '/mcp' : path
  return navEntries.find((entry) => listPath === entry.path || listPath.startsWith(`${entry.path}/`))
}

/** What an address is called, as far as it says. Sessions have their own titles. */
export function pageTitle(path: string): string {
  if (path === '/new') return titles.newSession
  if (path === '/') return titles.home
  return navEntryOf(path)?.title ?? (path.startsWith('/sessions/') ? titles.session : text.ui.appName)
}

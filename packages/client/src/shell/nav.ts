/** The pages of the shell's navigation: for the sidebar, the tabs of Settings, the palette, shortcuts and titles. */
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
  UserRoundCog,
  Wrench,
} from 'lucide-react'
import { text } from '../text/text.ts'

export interface NavEntry {
  path: Exclude<PagePath, `${string}:${string}`>
  title: string
  icon: LucideIcon
}

const titles = text.shell.pages

/** In the sidebar. The last one stands for all of `settingsEntries`. */
export const navEntries: readonly NavEntry[] = [
  { path: '/inbox', title: titles.inbox, icon: Inbox },
  { path: '/mcp', title: titles.mcp, icon: Plug },
  { path: '/workspaces', title: titles.workspaces, icon: FolderGit2 },
  { path: '/costs', title: titles.costs, icon: Banknote },
  { path: '/settings', title: titles.settings, icon: Settings },
]

/** The tabs of Settings. */
export const settingsEntries: readonly NavEntry[] = [
  { path: '/settings', title: titles.general, icon: Settings },
  { path: '/devices', title: titles.devices, icon: MonitorSmartphone },
  { path: '/rules', title: titles.rules, icon: ShieldCheck },
  { path: '/profiles', title: titles.profiles, icon: UserRoundCog },
  { path: '/tools', title: titles.tools, icon: Wrench },
  { path: '/audit', title: titles.audit, icon: ScrollText },
  { path: '/system', title: titles.system, icon: Activity },
]

/** Every page by its own name, for the palette and titles. */
export const pageEntries: readonly NavEntry[] = [
  ...navEntries,
  ...settingsEntries.filter(({ path }) => path !== '/settings'),
]

function entryOf(entries: readonly NavEntry[], path: string): NavEntry | undefined {
  const listPath = path === mcpSignInPath ? '/mcp' : path
  return entries.find((entry) => listPath === entry.path || listPath.startsWith(`${entry.path}/`))
}

/** The tab of Settings that an address is; undefined for other pages. */
export function settingsEntryOf(path: string): NavEntry | undefined {
  return entryOf(settingsEntries, path)
}

/** The entry of the sidebar that an address belongs to: its own, the list that it is part of, or Settings. */
export function navEntryOf(path: string): NavEntry | undefined {
  return entryOf(navEntries, path) ?? (settingsEntryOf(path) && navEntries.at(-1))
}

/** What an address is called, as far as it says. Sessions have their own titles. */
export function pageTitle(path: string): string {
  if (path === '/new') return titles.newSession
  if (path === '/') return titles.home
  return (
    entryOf(pageEntries, path)?.title ?? (path.startsWith('/sessions/') ? titles.session : text.ui.appName)
  )
}

import type { Session } from '@dorkos/shared'
import {
  Archive,
  ArchiveRestore,
  Contrast,
  Copy,
  Download,
  FileJson,
  GitFork,
  Home,
  Keyboard,
  LogOut,
  MessageSquare,
  PanelLeft,
  Pencil,
  Pin,
  PinOff,
  Square,
  SquarePen,
  Trash2,
} from 'lucide-react'
import { useLocation } from 'wouter'
import { signOut, useCan } from '../auth/auth-store.ts'
import { useInstall } from '../browser/install.ts'
import { setTheme, themes } from '../browser/theme.ts'
import { openPanel } from '../conversation/panel-address.ts'
import { panelTabs } from '../conversation/panel-tabs.ts'
import {
  archiveSession,
  copySessionLink,
  exportSession,
  forkSession,
  interruptSession,
  pinSession,
} from '../sessions/session-actions.ts'
import { askDelete, askRename } from '../sessions/session-dialogs.tsx'
import { sessionTitle } from '../sessions/session-title.ts'
import { useSessionList } from '../sessions/use-session-list.ts'
import { text } from '../text/later-text.ts'
import { formatRelative } from '../ui/format.ts'
import { useCurrentSession } from './current-session.ts'
import { pageEntries } from './nav.ts'
import type { PaletteCommand } from './palette-commands.ts'
import { shortcuts } from './shortcuts.ts'

export interface ShellActions {
  toggleSidebar: () => void
  openSheet: () => void
}

type Go = (path: string) => void

/** All that the palette can do now. */
export function useCommands(actions: ShellActions): PaletteCommand[] {
  const [, go] = useLocation()
  const session = useCurrentSession()
  const { groups } = useSessionList('active')
  const install = useInstall()
  const canChat = useCan('chat')
  const canDelete = useCan('admin')
  return [
    ...(session ? hereCommands(session, go, { canChat, canDelete }) : []),
    ...shellCommands(actions, go, install),
    ...pageCommands(go),
    ...groups.flatMap(({ title, sessions }) => sessions.map((one) => sessionCommand(one, title, go))),
  ]
}

interface Rights {
  canChat: boolean
  canDelete: boolean
}

function hereCommands(session: Session, go: Go, { canChat, canDelete }: Rights): PaletteCommand[] {
  const words = text.sessions
  const isRunning = session.state === 'working' || session.state === 'waiting'
  const { archived, pinned } = session
  const command = (
    id: string,
    title: string,
    icon: PaletteCommand['icon'],
    run: () => unknown,
  ): PaletteCommand => ({
    id: `here:${id}`,
    group: 'here',
    title,
    icon,
    run: () => void run(),
  })
  const fork = async () => {
    const id = await forkSession(session.id)
    if (id !== undefined) go(`/sessions/${id}`)
  }
  const changes = [
    ...(isRunning ? [command('stop', words.stop, Square, () => interruptSession(session))] : []),
    command('rename', words.rename, Pencil, () => askRename(session)),
    command('pin', pinned ? words.unpin : words.pin, pinned ? PinOff : Pin, () =>
      pinSession(session, !pinned),
    ),
    command('archive', archived ? words.unarchive : words.archive, archived ? ArchiveRestore : Archive, () =>
      archiveSession(session, !archived),
    ),
    command('fork', words.fork, GitFork, fork),
  ]
  return [
    ...(canChat ? changes : []),
    ...panelTabs.map((tab) => command(`panel:${tab.id}`, tab.command, tab.icon, () => openPanel(tab.id))),
    command('link', words.copyLink, Copy, () => copySessionLink(session)),
    command('markdown', words.exportMarkdown, Download, () => exportSession(session, 'markdown')),
    command('json', words.exportJson, FileJson, () => exportSession(session, 'json')),
    ...(canDelete ? [command('delete', words.delete, Trash2, () => askDelete(session))] : []),
  ]
}

function shellCommands(actions: ShellActions, go: Go, install: (() => void) | undefined): PaletteCommand[] {
  const words = text.shell
  const command = (
    id: string,
    title: string,
    icon: PaletteCommand['icon'],
    run: () => void,
    keys?: string,
  ): PaletteCommand => ({
    id: `do:${id}`,
    group: 'actions',
    title,
    icon,
    run,
    keys,
  })
  return [
    command('new', text.shell.palette.newSession, SquarePen, () => go('/new'), keysFor('new')),
    command('sidebar', text.shell.palette.sidebar, PanelLeft, actions.toggleSidebar, keysFor('sidebar')),
    command('sheet', text.shell.palette.sheet, Keyboard, actions.openSheet, keysFor('sheet')),
    ...(install ? [command('install', words.install, Download, install)] : []),
    ...themes.map((theme) =>
      command(`theme:${theme}`, text.shell.palette.themeTo(words.themes[theme]), Contrast, () =>
        setTheme(theme),
      ),
    ),
    command('sign-out', words.signOut, LogOut, () => void signOut()),
  ]
}

function pageCommands(go: Go): PaletteCommand[] {
  const page = (path: string, title: string, icon: PaletteCommand['icon']): PaletteCommand => ({
    id: `page:${path}`,
    group: 'pages',
    title,
    icon,
    keys: keysFor(`go:${path}`),
    run: () => go(path),
  })
  return [
    page('/', text.shell.pages.home, Home),
    ...pageEntries.map(({ path, title, icon }) => page(path, title, icon)),
  ]
}

function sessionCommand(session: Session, groupTitle: string, go: Go): PaletteCommand {
  return {
    id: `session:${session.id}`,
    group: 'sessions',
    title: sessionTitle(session),
    hint: `${groupTitle} · ${formatRelative(session.updated_at)}`,
    icon: MessageSquare,
    words: `${session.id} ${session.branch ?? ''}`,
    run: () => go(`/sessions/${session.id}`),
  }
}

function keysFor(id: string): string | undefined {
  return shortcuts.find((shortcut) => shortcut.id === id)?.keys
}

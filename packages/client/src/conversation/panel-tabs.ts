/** The tabs of the side panel, in one table: tab list, command palette and address are made from it. */
import { FileDiff, FolderTree, type LucideIcon, SquareTerminal } from 'lucide-react'
import type { ComponentType } from 'react'
import { runningTasks } from '../commands/shown-tasks.ts'
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/panel-text.ts'
import { deferred } from '../ui/deferred.tsx'

export interface PanelTab {
  /** As it stands in the address. */
  readonly id: string
  readonly label: string
  /** What the command palette offers. */
  readonly command: string
  readonly icon: LucideIcon
  /** Fills the panel, and scrolls by itself. */
  readonly View: ComponentType<{ state: PageSession }>
  /** A figure beside the label; none while it is 0. */
  readonly count?: (state: PageSession) => number
}

export const panelTabs: readonly PanelTab[] = [
  {
    id: 'changes',
    label: text.changes.tab,
    command: text.changes.show,
    icon: FileDiff,
    View: deferred(async () => (await import('../changes/changes-tab.tsx')).ChangesTab),
  },
  {
    id: 'files',
    label: text.files.tab,
    command: text.files.show,
    icon: FolderTree,
    View: deferred(async () => (await import('../files/files-tab.tsx')).FilesTab),
  },
  {
    id: 'commands',
    label: text.commands.tab,
    command: text.commands.show,
    icon: SquareTerminal,
    View: deferred(async () => (await import('../commands/commands-tab.tsx')).CommandsTab),
    count: ({ tasks }) => runningTasks(tasks).length,
  },
]

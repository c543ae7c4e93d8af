import { text } from '../text/text.ts'
import { DisclosureButton } from '../ui/disclosure.tsx'
import type { ListRow } from './session-groups.ts'

interface GroupRowProps {
  row: Extract<ListRow, { kind: 'group' }>
  index: number
  /** There are older sessions that are not loaded. */
  more: boolean
  onToggle: () => void
}

/** The head of a workspace's sessions; opens and closes them. */
export function GroupRow({ row: { group, open }, index, more, onToggle }: GroupRowProps) {
  const count = text.sessions.groupCount(group.sessions.length, more && group.key !== 'pinned')
  return (
    <DisclosureButton
      open={open}
      onToggle={onToggle}
      data-row={index}
      title={group.path ?? group.title}
      className="flex h-8 max-md:h-10 w-full items-center gap-1 rounded-md px-1 text-xs font-medium text-soft hover:text-text"
    >
      <bdi className="min-w-0 truncate">{group.title}</bdi>
      <span className="ml-auto shrink-0 pr-1 font-normal text-faint tabular-nums">{count}</span>
    </DisclosureButton>
  )
}

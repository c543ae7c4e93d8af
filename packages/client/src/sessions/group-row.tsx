import { ChevronRight } from 'lucide-react'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import type { ListRow } from './session-groups.ts'

interface GroupRowProps {
  row: Extract<ListRow, { kind: 'group' }>
  index: number
  onToggle: () => void
}

/** The head of a workspace's sessions; opens and closes them. */
export function GroupRow({ row: { group, open }, index, onToggle }: GroupRowProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={text.sessions.group(group.title, group.sessions.length)}
      data-row={index}
      title={group.path ?? group.title}
      onClick={onToggle}
      className="flex h-8 max-md:h-10 w-full items-center gap-1 rounded-md px-1 text-xs font-medium text-soft hover:text-text"
    >
      <ChevronRight
        aria-hidden
        size={14}
        className={cx('shrink-0 transition-transform', open && 'rotate-90')}
      />
      <bdi className="min-w-0 truncate">{group.title}</bdi>
      <span className="ml-auto shrink-0 pr-1 font-normal text-faint tabular-nums">
        {group.sessions.length}
      </span>
    </button>
  )
}

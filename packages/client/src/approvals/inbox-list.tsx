import type { Approval } from '@dorkos/shared'
import { type KeyboardEvent, useRef } from 'react'
import { useSessionName } from '../queries/use-names.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Badge, StateGlyph } from '../ui/badge.tsx'
import { cx } from '../ui/class-names.ts'
import { useAnswering } from './answers.ts'
import { riskTones } from './approval-header.tsx'
import { subjectOf } from './call-view.ts'
import { Countdown } from './countdown.tsx'
import { type InboxGroup, neighbour } from './inbox.ts'
import { ToolLabel } from './tool-label.tsx'

interface InboxListProps {
  groups: InboxGroup[]
  gone: readonly Approval[]
  selected: string | undefined
  onSelect: (id: string) => void
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** What waits, by session. Arrows choose; the keys of a card go to the card that is shown. */
export function InboxList({ groups, gone, selected, onSelect }: InboxListProps) {
  const list = useRef<HTMLElement>(null)
  const ids = groups.flatMap(({ approvals }) => approvals.map(({ id }) => id))
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = steps[event.key]
    if (step !== undefined) {
      const next = neighbour(ids, selected, step)
      event.preventDefault()
      if (next === undefined) return
      onSelect(next)
      list.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(next)}"]`)?.focus()
    } else if (event.key === 'Enter' || event.key === 'ArrowRight') {
      event.preventDefault()
      cardOf(selected)?.focus()
    } else if (/^[a-z1-9]$/i.test(event.key) && !event.repeat) {
      passOn(event, cardOf(selected))
    }
  }
  return (
    <nav
      ref={list}
      aria-label={text.approvals.inbox.list}
      onKeyDown={onKey}
      className="sticky top-0 flex flex-col gap-4"
    >
      {groups.map((group) => (
        <ListGroup key={group.key} group={group} gone={gone} selected={selected} onSelect={onSelect} />
      ))}
      <p className="px-2 text-xs text-faint pointer-coarse:hidden">{text.approvals.inbox.keys}</p>
    </nav>
  )
}

function cardOf(id: string | undefined): HTMLElement | null {
  return id === undefined ? null : document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"]`)
}

/** As if it had been pressed on the card. */
function passOn(event: KeyboardEvent, card: HTMLElement | null): void {
  const copy = new window.KeyboardEvent('keydown', { key: event.key, cancelable: true })
  card?.dispatchEvent(copy)
  if (copy.defaultPrevented) event.preventDefault()
}

type ListGroupProps = Omit<InboxListProps, 'groups'> & { group: InboxGroup }

function ListGroup({ group, gone, selected, onSelect }: ListGroupProps) {
  const name = useSessionName(group.sessionId)
  return (
    <section aria-label={name}>
      <h2 className="truncate px-2 pb-1 text-xs font-medium text-soft" title={name}>
        <bdi>{name}</bdi>
      </h2>
      <ul className="flex flex-col gap-0.5">
        {group.approvals.map((approval) => (
          <li key={approval.id}>
            <ListEntry
              approval={approval}
              isGone={gone.includes(approval)}
              isSelected={approval.id === selected}
              onSelect={onSelect}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ListEntryProps {
  approval: Approval
  isGone: boolean
  isSelected: boolean
  onSelect: (id: string) => void
}

function ListEntry({ approval, isGone, isSelected, onSelect }: ListEntryProps) {
  const isDone = useAnswering(approval.id).state === 'settled' || isGone
  const t = text.approvals
  const words = withVisibleControls(subjectOf(approval))
  return (
    <button
      type="button"
      data-entry={approval.id}
      tabIndex={isSelected ? 0 : -1}
      aria-current={isSelected || undefined}
      onClick={() => onSelect(approval.id)}
      className={cx(
        'flex w-full min-w-0 flex-col gap-0.5 rounded-lg px-2 py-1.5 text-left',
        isSelected ? 'bg-hover' : 'hover:bg-hover/60',
        isDone && 'opacity-60',
      )}
    >
      <span className="flex items-center gap-2 text-sm">
        <StateGlyph shape={isDone ? 'ring' : 'diamond'} tone={isDone ? 'neutral' : 'attention'} />
        <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">
          {approval.kind === 'tool' ? <ToolLabel tool={approval.tool} /> : t.inbox.kind[approval.kind]}
        </span>
        {!isDone && approval.kind === 'tool' && riskTones[approval.risk] === 'danger' && (
          <Badge tone="danger">{t.risk[approval.risk].word}</Badge>
        )}
        {isDone ? (
          <span className="text-xs text-soft">{t.inbox.answeredHere}</span>
        ) : (
          <Countdown deadline={approval.deadline} />
        )}
      </span>
      {words !== '' && (
        <span dir="auto" title={words} className="truncate font-mono text-xs text-soft">
          {words}
        </span>
      )}
    </button>
  )
}

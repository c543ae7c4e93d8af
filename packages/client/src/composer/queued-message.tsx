import { ApiError, type Turn } from '@dorkos/shared'
import { ArrowDown, ArrowUp, CornerDownRight, Pencil, Trash2 } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { api, errorText } from '../api.ts'
import { text } from '../text/queue-text.ts'
import { IconButton } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'
import { MessagePreview } from './message-preview.tsx'
import { pageOutbox } from './outbox-store.ts'
import { QueueEdit } from './queue-edit.tsx'
import { focusHome, useFocusHome } from './use-focus-home.ts'

interface QueuedMessageProps {
  sessionId: string
  turn: Turn
  queue: readonly Turn[]
  /** Where it stands in the queue. */
  index: number
  running: boolean
  readOnly: boolean
}

/** One message that waits: it can be changed, moved, taken back, or put into the running turn. */
export function QueuedMessage({ sessionId, turn, queue, index, running, readOnly }: QueuedMessageProps) {
  const [isEditing, setIsEditing] = useState(false)
  const [busy, setBusy] = useState(false)
  const item = useRef<HTMLLIElement>(null)
  useFocusHome(item)
  const editButton = useFocusAfter(isEditing)
  const content = turn.content ?? ''
  const params = { id: sessionId, messageId: turn.id }
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      toast.error(faultText(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  const steer = async () => {
    if (await act(() => api.steerMessage({ params, body: {} })))
      pageOutbox().steered(sessionId, content, turn.id)
  }
  const withdraw = async () => {
    // A button that works has lost the focus.
    if (await act(() => api.withdrawMessage({ params }))) focusHome()
  }
  const words = text.queue
  if (isEditing)
    return (
      <li ref={item} className="p-2">
        <QueueEdit
          content={content}
          busy={busy}
          onCancel={() => setIsEditing(false)}
          onSave={async (changed) => {
            if (await act(() => api.editMessage({ params, body: { content: changed } }))) setIsEditing(false)
          }}
        />
      </li>
    )
  return (
    <li ref={item} className="flex items-start gap-x-2 py-1.5 pr-1.5 pl-3 text-sm max-sm:flex-col">
      <div className="w-full min-w-0 flex-1 py-1 max-sm:pb-0">
        <MessagePreview content={content} />
      </div>
      {!readOnly && (
        <span className="flex shrink-0 max-sm:self-end">
          {queue.length > 1 && (
            <MoveButtons
              index={index}
              last={queue.length - 1}
              onMove={(by) =>
                void act(() => api.moveMessage({ params, body: { before: idAfterMove(queue, index, by) } }))
              }
            />
          )}
          {running && (
            <IconButton
              label={words.steer}
              icon={CornerDownRight}
              iconSize={16}
              disabled={busy}
              onClick={() => void steer()}
            />
          )}
          <IconButton
            ref={editButton}
            label={words.edit}
            icon={Pencil}
            iconSize={15}
            disabled={busy}
            onClick={() => setIsEditing(true)}
          />
          <IconButton
            label={words.delete}
            icon={Trash2}
            iconSize={15}
            disabled={busy}
            onClick={() => void withdraw()}
          />
        </span>
      )}
    </li>
  )
}

/** Who has edited a message is at the button that began it again. */
function useFocusAfter(isEditing: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const was = useRef(isEditing)
  useLayoutEffect(() => {
    if (was.current && !isEditing) button.current?.focus()
    was.current = isEditing
  }, [isEditing])
  return button
}

interface MoveButtonsProps {
  index: number
  last: number
  onMove: (by: -1 | 1) => void
}

function MoveButtons({ index, last, onMove }: MoveButtonsProps) {
  const buttons = useRef<HTMLSpanElement>(null)
  const moved = useRef<-1 | 1>(undefined)
  // An element that is moved loses the focus; and who moved a message may want to move it on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new index is checked.
  useLayoutEffect(() => {
    const by = moved.current
    moved.current = undefined
    const [up, down] = buttons.current?.querySelectorAll('button') ?? []
    const isAtEnd = by === -1 ? index === 0 : index === last
    if (by !== undefined) ((by === -1) === isAtEnd ? down : up)?.focus()
  }, [index])
  const button = (by: -1 | 1, isAtEnd: boolean) => (
    <IconButton
      label={by === -1 ? text.queue.up : text.queue.down}
      icon={by === -1 ? ArrowUp : ArrowDown}
      iconSize={15}
      disabled={isAtEnd}
      className={isAtEnd ? 'invisible' : undefined}
      onClick={() => {
        moved.current = by
        onMove(by)
      }}
    />
  )
  return (
    <span ref={buttons} className="flex">
      {button(-1, index === 0)}
      {button(1, index === last)}
    </span>
  )
}

/** It may have begun a moment ago, which is nobody's fault. */
function faultText(error: unknown): string {
  return error instanceof ApiError && error.code === 'conflict' ? text.queue.started : errorText(error)
}

/** The message that the one at `index` goes before when it moves by one; null when it goes to the end. */
function idAfterMove(queue: readonly Turn[], index: number, by: -1 | 1): string | null {
  return queue[by === -1 ? index - 1 : index + 2]?.id ?? null
}

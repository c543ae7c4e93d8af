/** Brings what a link names into sight: older pages are loaded until it is there, but not for ever. */
import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { HistoryState } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { toast } from '../ui/toast.tsx'
import { findRow, type Row } from './rows.ts'
import { usePursuit } from './use-pursuit.ts'

interface LinkTargetInput {
  rows: readonly Row[]
  target: string | undefined
  history: HistoryState
  loadOlder: () => void
  virtualizer: Virtualizer<HTMLElement, Element>
  setSticks: (sticks: boolean) => void
  /** The end is no longer followed. What is there now has been seen. */
  leaveEnd: () => void
}

const mostPages = 60
const shineMs = 2500

/** Gives the key of the row that shines because a link led to it. */
export function useLinkTarget(input: LinkTargetInput): string | undefined {
  const { rows, target, history, loadOlder, virtualizer, setSticks, leaveEnd } = input
  const search = useRef({ target: '', pages: 0, ended: false })
  const [shine, setShine] = useState<string>()
  const rowsNow = useRef(rows)
  rowsNow.current = rows
  const { start: pursue } = usePursuit()
  if (search.current.target !== (target ?? '')) {
    search.current = { target: target ?? '', pages: 0, ended: target === undefined }
  }
  useEffect(() => {
    const { current } = search
    if (target === undefined || current.ended || rows.length === 0) return
    const index = findRow(rows, target)
    if (index >= 0) {
      current.ended = true
      leaveEnd()
      const key = rows[index]?.key
      const indexNow = () => rowsNow.current.findIndex((row) => row.key === key)
      const box = virtualizer.scrollElement
      if (box) pursue(box, intoSight(box, virtualizer, indexNow))
      setShine(key)
    } else if (history.phase === 'complete' || current.pages >= mostPages) {
      current.ended = true
      setSticks(true)
      toast.info(text.conversation.notFound)
    } else if (history.phase === 'idle') {
      current.pages += 1
      loadOlder()
    }
  }, [rows, target, history.phase, loadOlder, virtualizer, setSticks, leaveEnd, pursue])
  useEffect(() => {
    if (shine === undefined) return
    const timer = setTimeout(() => setShine(undefined), shineMs)
    return () => clearTimeout(timer)
  }, [shine])
  return shine
}

function intoSight(box: HTMLElement, virtualizer: LinkTargetInput['virtualizer'], indexNow: () => number) {
  return {
    arrived: () => {
      const row = box.querySelector(`[data-index="${indexNow()}"]`)?.getBoundingClientRect()
      const { top, bottom } = box.getBoundingClientRect()
      return row !== undefined && row.top < bottom && row.bottom > top
    },
    move: () => virtualizer.scrollToIndex(indexNow(), { align: 'center' }),
  }
}

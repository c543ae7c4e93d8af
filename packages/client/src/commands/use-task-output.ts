import { ApiError, type Task } from '@dorkos/shared'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { type ReadOutput, withEarlier, withOutputPage } from './task-output.ts'

const everyMs = 1000
const pageBytes = 64 * 1024

export interface FollowedOutput {
  read: ReadOutput | undefined
  /** `gone`: there is nothing to read, yet or any more. `failed`: it is tried again. */
  state: 'loading' | 'ready' | 'gone' | 'failed'
  /** One more page before what is there. */
  loadEarlier: () => Promise<void>
}

/** Reads what a command prints, each second while it runs and somebody can see it, and once more when it has ended. */
export function useTaskOutput(sessionId: string, { task_id, status }: Task): FollowedOutput {
  const [read, setRead] = useState<ReadOutput>()
  const [state, setState] = useState<FollowedOutput['state']>('loading')
  const latest = useRef<ReadOutput>(undefined)
  const isRunning = status === 'running'
  const keep = useCallback((next: ReadOutput) => {
    latest.current = next
    setRead(next)
  }, [])
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async () => {
      if (!document.hidden) {
        const offset = latest.current?.next
        const query = { limit: pageBytes, ...(offset !== undefined && { offset }) }
        try {
          const params = { id: sessionId, taskId: task_id }
          const page = await api.getTaskOutput({ params, query, signal: abort.signal })
          if (abort.signal.aborted) return
          keep(withOutputPage(latest.current, page))
          setState('ready')
          // What one page had no room for is read at once.
          if (page.next_offset < page.bytes && page.text !== '') return void poll()
        } catch (error) {
          if (abort.signal.aborted) return
          setState(error instanceof ApiError && error.status === 404 ? 'gone' : 'failed')
        }
      }
      if (isRunning) timer = setTimeout(() => void poll(), everyMs)
    }
    void poll()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [sessionId, task_id, isRunning, keep])
  const loadEarlier = async () => {
    const known = latest.current
    if (known === undefined || known.start === 0) return
    const offset = Math.max(0, known.start - pageBytes)
    const query = { offset, limit: known.start - offset }
    const page = await api.getTaskOutput({ params: { id: sessionId, taskId: task_id }, query })
    if (latest.current) keep(withEarlier(latest.current, page))
  }
  return { read, state, loadEarlier }
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../api.ts'

/** For a window that stays open when saving fails, and says why. */
export function useSaving(): {
  busy: boolean
  fault: string | undefined
  /** What was wrong is being mended. */
  clear: () => void
  save: <T>(work: () => Promise<T>) => Promise<T | undefined>
} {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const save = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true)
    setFault(undefined)
    try {
      const done = await work()
      void queries.invalidateQueries({ queryKey: ['mcp'] })
      return done
    } catch (error) {
      setFault(errorText(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { busy, fault, clear: () => setFault(undefined), save }
}

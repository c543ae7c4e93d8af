import { useEffect, useState } from 'react'
import { useServerClock } from '../live/use-live.ts'

/** The server's time in milliseconds, updated each second while `running`. */
export function useNow(running: boolean, everyMs = 1000): number {
  const offset = useServerClock()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [running, everyMs])
  return now + offset
}

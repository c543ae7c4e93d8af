import { useEffect, useState } from 'react'
import { useServerClock } from '../live/use-live.ts'

/** Milliseconds until a deadline by the server's clock, counted by the second near the end and more rarely before. */
export function useCountdown(deadline: string): number {
  const offset = useServerClock()
  const [now, setNow] = useState(Date.now)
  const left = Date.parse(deadline) - (now + offset)
  const step = left > 3_600_000 ? 30_000 : 1000
  const isOver = left <= 0
  useEffect(() => {
    setNow(Date.now())
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), step)
    return () => clearInterval(timer)
  }, [step, isOver])
  return left
}

import { useEffect, useState } from 'react'
import { formatDateTime, formatRelative } from './format.ts'

/** A time as "5 min ago", kept up to date, with the whole date in its title. */
export function Time({ value, className }: { value: string; className?: string }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={value} title={formatDateTime(value)} className={className}>
      {formatRelative(value)}
    </time>
  )
}

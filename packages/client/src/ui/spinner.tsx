import { LoaderCircle } from 'lucide-react'
import { text } from '../text/text.ts'

export function Spinner({ size = 16, label }: { size?: number; label?: string }) {
  return (
    <LoaderCircle
      size={size}
      className="shrink-0 motion-safe:animate-spin"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    />
  )
}

/** For a whole screen or panel that has nothing to show yet. */
export function Loading() {
  return (
    <div role="status" className="flex items-center justify-center gap-2 p-8 text-soft">
      <Spinner /> {text.ui.loading}
    </div>
  )
}

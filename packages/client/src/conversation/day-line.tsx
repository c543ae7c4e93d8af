export function DayLine({ time }: { time: string }) {
  const date = new Date(time)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  const words = date.toLocaleDateString('en', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
  return (
    <div className="flex items-center gap-3 pt-2 pb-3 text-xs text-faint">
      <span aria-hidden className="h-px flex-1 bg-line" />
      <time dateTime={time}>{words}</time>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  )
}

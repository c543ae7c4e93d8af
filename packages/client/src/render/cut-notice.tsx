import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

/** Below something that is shown in part. */
export function CutNotice({
  label,
  onShowAll,
  value,
}: {
  label: string
  onShowAll: () => void
  value?: string
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-1 text-xs text-soft">
      <span className="flex-1">{label}</span>
      <Button size="sm" variant="ghost" onClick={onShowAll}>
        {text.render.showAll}
      </Button>
      {value !== undefined && <CopyButton value={value} label={text.render.copyAll} />}
    </div>
  )
}

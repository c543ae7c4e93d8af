import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { ScrollBox } from '../render/scroll-box.tsx'
import { text } from '../text/card-text.ts'
import type { Option } from './questions.ts'

/** What an option would look like, in a place of its own: whichever is shown, nothing else moves. */
export function OptionPreview({ option }: { option: Option }) {
  const t = text.approvals.question
  const label = t.previewOf(withVisibleControls(option.label))
  return (
    <div className="relative h-56 min-w-0 lg:h-auto lg:min-h-56">
      <div className="absolute inset-0 flex flex-col rounded-lg border border-line bg-ground">
        <p className="truncate border-b border-line px-3 py-1.5 text-xs text-soft" title={label}>
          <bdi>{label}</bdi>
        </p>
        {option.preview === undefined ? (
          <p className="p-3 text-xs text-soft">{t.noPreview}</p>
        ) : (
          <ScrollBox label={label} className="min-h-0 flex-1 overflow-auto p-3">
            <pre className="font-mono text-xs whitespace-pre">
              <SafeText text={option.preview} />
            </pre>
          </ScrollBox>
        )}
      </div>
    </div>
  )
}

import type { HistoryState } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useConversation } from './conversation-context.tsx'

interface HistoryRowProps {
  history: HistoryState
  empty: boolean
  onRetry: () => void
}

/** Above the first row: whether there is more. */
export function HistoryRow({ history, empty, onRetry }: HistoryRowProps) {
  const { phase, fault } = history
  const { demo } = useConversation()
  return (
    <div className="absolute inset-x-0 top-0 flex h-14 items-center justify-center gap-3 px-4 text-sm text-faint">
      {(phase === 'loading' || phase === 'unloaded') && (
        <>
          <Spinner /> {text.conversation.loadingOlder}
        </>
      )}
      {phase === 'complete' && (
        <span className="text-center">
          {empty ? text.conversation.empty : text.conversation.beginning}
          {demo && <span className="block text-xs">{text.conversation.demo}</span>}
        </span>
      )}
      {phase === 'failed' && (
        <>
          <span role="alert" className="min-w-0 truncate text-danger" title={fault}>
            {text.conversation.olderFailed(fault ?? text.ui.unknownError)}
          </span>
          <Button size="sm" onClick={onRetry}>
            {text.ui.retry}
          </Button>
        </>
      )}
    </div>
  )
}

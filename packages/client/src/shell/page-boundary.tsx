import { RefreshCw, RotateCcw } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { isMissingPart } from '../ui/error-kind.ts'

interface PageBoundaryProps {
  /** Another key is another try. */
  resetKey: string
  children: ReactNode
}

interface PageBoundaryState {
  error: unknown
  failed: boolean
}

/** A page that fails does not take the shell with it. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { error: undefined, failed: false }

  static getDerivedStateFromError(error: unknown): PageBoundaryState {
    return { error, failed: true }
  }

  override componentDidUpdate(previous: PageBoundaryProps): void {
    if (this.state.failed && previous.resetKey !== this.props.resetKey) this.#reset()
  }

  #reset(): void {
    this.setState({ error: undefined, failed: false })
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return <PageFault error={this.state.error} retry={() => this.#reset()} />
  }
}

function PageFault({ error, retry }: { error: unknown; retry: () => void }) {
  const missing = isMissingPart(error)
  const words = text.shell
  const [title, lead] = !missing
    ? [words.pageFailed, words.pageFailedLead]
    : navigator.onLine
      ? [words.newVersion, words.newVersionLead]
      : [words.partMissing, words.partMissingLead]
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-start gap-3 px-4 py-12">
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="text-sm text-soft">{lead}</p>
      {!missing && error instanceof Error && (
        <pre className="max-h-40 w-full overflow-auto rounded-lg bg-raised p-3 font-mono text-xs break-words whitespace-pre-wrap">
          {error.message}
        </pre>
      )}
      <div className="flex gap-2">
        <Button variant="primary" icon={RefreshCw} onClick={() => location.reload()}>
          {words.reload}
        </Button>
        {!missing && (
          <Button icon={RotateCcw} onClick={retry}>
            {words.tryAgain}
          </Button>
        )}
      </div>
    </div>
  )
}

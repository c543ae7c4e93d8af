import { Component, type ReactNode } from 'react'
import { text } from '../text/text.ts'
import { isMissingPart } from './error-kind.ts'

/** A part that the server does not have any more is missing where it would be, and nowhere else. Other faults are the page's. */
export class PartBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!isMissingPart(error)) throw error
    return (
      <p role="alert" className="flex flex-wrap gap-2 p-2 text-sm text-warn">
        {text.shell.partMissing}
        <button type="button" className="underline" onClick={() => location.reload()}>
          {text.shell.reload}
        </button>
      </p>
    )
  }
}

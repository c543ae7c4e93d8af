import type { KeyboardEvent } from 'react'

/** Ctrl+Enter or Cmd+Enter sends from a field in which Enter is a new line. */
export function onSendKeys(send: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    send()
  }
}

/** What a key means in the message box. */

export interface EditorKeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  /** Ctrl, or Cmd on a Mac. */
  readonly commandKey: boolean
  /** An input method is putting a character together. */
  readonly composing: boolean
}

export interface KeySettings {
  /** Enter makes a line; Ctrl/Cmd+Enter sends. */
  readonly sendWithCommand: boolean
  /** On a touch keyboard Enter always makes a line. */
  readonly touch: boolean
}

export type EditorAction =
  | 'send'
  /** Into the running turn, now. */
  | 'steer'
  | 'older'
  | 'newer'
  | 'cycle-mode'

/** Nothing: the key does what it does in any text. */
export function editorAction(press: EditorKeyPress, settings: KeySettings): EditorAction | undefined {
  if (press.composing || press.altKey) return undefined
  switch (press.key) {
    case 'Enter':
      return enterAction(press, settings)
    case 'Tab':
      return press.shiftKey && !press.commandKey ? 'cycle-mode' : undefined
    case 'ArrowUp':
      return press.shiftKey || press.commandKey ? undefined : 'older'
    case 'ArrowDown':
      return press.shiftKey || press.commandKey ? undefined : 'newer'
    default:
      return undefined
  }
}

function enterAction(
  press: EditorKeyPress,
  { sendWithCommand, touch }: KeySettings,
): EditorAction | undefined {
  if (press.commandKey) return sendWithCommand && !press.shiftKey ? 'send' : 'steer'
  return press.shiftKey || sendWithCommand || touch ? undefined : 'send'
}

export type ListAction = 'previous' | 'next' | 'choose' | 'close'

/** While a list of suggestions is open. */
export function listAction(press: EditorKeyPress): ListAction | undefined {
  if (press.composing || press.altKey || press.commandKey) return undefined
  switch (press.key) {
    case 'ArrowUp':
      return 'previous'
    case 'ArrowDown':
      return 'next'
    case 'Enter':
    case 'Tab':
      return press.shiftKey ? undefined : 'choose'
    case 'Escape':
      return 'close'
    default:
      return undefined
  }
}

/** A modal window on the browser's own dialog element: it keeps focus inside, closes on Escape and gives focus back. */
import { X } from 'lucide-react'
import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useRef, useState } from 'react'
import { text } from '../text/text.ts'
import { IconButton } from './button.tsx'
import { cx } from './class-names.ts'

/** Where menus and popovers inside a dialog go: what is outside of it lies below it. */
const LayerContext = createContext<HTMLElement | null>(null)

export function useLayer(): HTMLElement | undefined {
  return useContext(LayerContext) ?? undefined
}

const widths = { sm: 'sm:w-100', md: 'sm:w-140', lg: 'sm:w-200', xl: 'sm:w-280' }

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** Under the title. */
  description?: ReactNode
  size?: keyof typeof widths
  children: ReactNode
  /** Buttons at the bottom. */
  actions?: ReactNode
  /** The title is only said, not shown. */
  hideTitle?: boolean
}

export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null
}

function OpenDialog({ onClose, title, description, size = 'md', children, actions, hideTitle }: DialogProps) {
  const titleId = useId()
  return (
    <ModalFrame
      onClose={onClose}
      labelledBy={titleId}
      className={cx(
        'm-auto max-h-[min(90dvh,56rem)] w-[calc(100vw-1.5rem)] rounded-xl border border-line',
        widths[size],
      )}
    >
      <div className="flex max-h-[min(90dvh,56rem)] flex-col">
        <div className={hideTitle ? 'sr-only' : 'flex items-start gap-3 px-5 pt-4 pb-2'}>
          <div className="min-w-0 flex-1">
            <h2 id={titleId} className="text-base font-semibold">
              {title}
            </h2>
            {description && <div className="mt-0.5 text-sm text-soft">{description}</div>}
          </div>
          {!hideTitle && (
            <IconButton label={text.ui.close} icon={X} onClick={onClose} className="-mr-2 -mt-1" />
          )}
        </div>
        <div className={cx('min-h-0 flex-1 overflow-y-auto', hideTitle ? '' : 'px-5 py-2')}>{children}</div>
        {actions && (
          <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</div>
        )}
      </div>
    </ModalFrame>
  )
}

interface ModalFrameProps {
  onClose: () => void
  labelledBy?: string
  label?: string
  /** Where it lies and how large it is. */
  className: string
  /** Focus begins on the window and not in its first field: a field would open a keyboard over it. */
  focusFrame?: boolean
  children: ReactNode
}

/** The window without anything in it. */
export function ModalFrame({ onClose, labelledBy, label, className, focusFrame, children }: ModalFrameProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const begunBeside = useRef(false)
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  // Closed while it is still in the document: one that was taken out gives no focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    dialog.showModal()
    // The browser would choose the first button, which closes the window, and whose tooltip takes the first Escape.
    const field = dialog.querySelector<HTMLElement>(
      'input:not(:disabled), textarea:not(:disabled), select:not(:disabled)',
    )
    const hasFocus = dialog.contains(document.activeElement) && document.activeElement?.tagName !== 'BUTTON'
    if (focusFrame) dialog.focus()
    else if (!hasFocus) (field ?? dialog).focus()
    setLayer(dialog)
    return () => dialog.close()
  }, [focusFrame])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the window closes it; Escape does so by keyboard.
    <dialog
      ref={ref}
      tabIndex={-1}
      aria-labelledby={labelledBy}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A second Escape closes it without asking.
      onClose={() => {
        if (ref.current?.open === false) onClose()
      }}
      onPointerDown={(event) => {
        begunBeside.current = event.target === ref.current
      }}
      // A window that becomes smaller under a press on a part of it is not meant.
      onClick={(event) => {
        if (event.target === ref.current && begunBeside.current) onClose()
      }}
      className={cx('overflow-hidden bg-card p-0 text-text shadow-xl outline-none', className)}
    >
      <LayerContext value={layer}>{children}</LayerContext>
    </dialog>
  )
}

import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from './class-names.ts'

interface ListOptionProps {
  /** For the `aria-activedescendant` of the box that has the focus. */
  id: string
  selected: boolean
  onPoint: () => void
  onChoose: () => void
  children: ReactNode
}

/** An option of a list that is steered from a text box: the box keeps the focus and takes the keys. */
export function ListOption({ id, selected, onPoint, onChoose, children }: ListOptionProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (selected) ref.current?.scrollIntoView?.({ block: 'nearest' })
  }, [selected])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the text box, which names the selected option.
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the text box (aria-activedescendant).
    <div
      ref={ref}
      id={id}
      role="option"
      aria-selected={selected}
      onPointerMove={selected ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cx(
        'flex min-h-9 max-sm:min-h-11 cursor-pointer items-center gap-2 rounded-md px-2 py-1 text-sm',
        selected && 'bg-hover',
      )}
    >
      {children}
    </div>
  )
}

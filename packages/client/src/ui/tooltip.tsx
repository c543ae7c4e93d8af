import { cloneElement, type ReactElement } from 'react'

/** A word for what has only a picture, by the browser's own means. Screen readers get theirs from the element's label. */
export function Tooltip({ label, children }: { label: string; children: ReactElement<{ title?: string }> }) {
  return cloneElement(children, { title: label })
}

import { createElement, Fragment, type ReactNode } from 'react'

/** Things that have no identity but their position, such as the words of a line: children without keys. Not for more than some thousands. */
export function sequence<T>(items: readonly T[], draw: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(draw))
}

/** What scrolls around an element. */
export function scrollParent(element: HTMLElement | null): HTMLElement | null {
  for (let here = element?.parentElement ?? null; here; here = here.parentElement) {
    const { overflowY } = getComputedStyle(here)
    if (overflowY === 'auto' || overflowY === 'scroll') return here
  }
  return null
}

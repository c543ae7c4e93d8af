/** Which tab of the side panel is open stands in the address: a reload and a link keep it, and Back closes it. */

const key = 'panel'
/** In the address, for whichever tab that is. */
export const firstTab = 'first'
/** Under this the browser keeps which tab was open last. */
export const lastTabKey = 'dorkos.panel'

/** Openings so far, and how many of them have moved the focus. */
let asked = 0
let answered = 0

export function panelIn(search: string): string | undefined {
  return new URLSearchParams(search).get(key) ?? undefined
}

/** For somebody who asked for it: the focus follows. */
export function openPanel(tab: string): void {
  asked += 1
  const isOpen = panelIn(location.search) !== undefined
  const address = addressWith(tab)
  if (isOpen) history.replaceState(history.state, '', address)
  else history.pushState({ [key]: true }, '', address)
}

/** Nobody asked for anything: the address named no tab, and this one is shown. */
export function correctPanel(tab: string): void {
  history.replaceState(history.state, '', addressWith(tab))
}

export function closePanel(): void {
  // Opened here: back to what was before it, so that Back does not lead to it once more.
  if (history.state?.[key] === true) history.back()
  else history.replaceState(null, '', addressWith(undefined))
}

/** Changes with every `openPanel`. */
export const askedTimes = () => asked

/** Whether somebody opened it since the last call, and not a link or a reload. */
export function takeAsked(times: number): boolean {
  const isNew = times > answered
  answered = times
  return isNew
}

function addressWith(tab: string | undefined): string {
  const search = new URLSearchParams(location.search)
  if (tab === undefined) search.delete(key)
  else search.set(key, tab)
  const query = search.toString()
  return `${location.pathname}${query === '' ? '' : `?${query}`}${location.hash}`
}

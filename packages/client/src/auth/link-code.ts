/** The one-time code of a sign-in link. It stands in the fragment, which no server and no log ever sees. */

/** What a fragment says: the code, and what is left of the fragment without it. */
export function readLinkCode(hash: string): { code: string | undefined; rest: string } {
  if (!/^#(?:.*&)?code=/.test(hash)) return { code: undefined, rest: hash }
  const parameters = new URLSearchParams(hash.slice(1))
  const code = parameters.get('code')?.trim()
  parameters.delete('code')
  const rest = parameters.toString()
  return { code: code || undefined, rest: rest === '' ? '' : `#${rest}` }
}

let taken: string | undefined

/** Takes the code out of the address bar and of the history, before anything else runs. */
export function takeLinkCode(): void {
  const { code, rest } = readLinkCode(location.hash)
  if (rest === location.hash) return
  history.replaceState(history.state, '', `${location.pathname}${location.search}${rest}`)
  taken = code
}

/** The code that was taken, once. */
export function usedLinkCode(): string | undefined {
  const code = taken
  taken = undefined
  return code
}

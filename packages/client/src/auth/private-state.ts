/**
 * What this browser keeps of a person's work: drafts, unsent messages, answers that were begun, what was seen. It belongs to one principal:
 * it stays for them when their token is refused, and goes, in all tabs, when they sign out or another signs in. Only how the page looks and
 * behaves stays.
 */
const ours = 'dorkos.'
const otherKeys: ReadonlySet<string> = new Set([
  // Has its own ways (token-storage.ts).
  'dorkos.token',
  'dorkos.alerts',
  'dorkos.alerts-hint',
  'dorkos.diff',
  'dorkos.nav.more',
  'dorkos.send-with-command',
  'dorkos.sidebar',
  'dorkos.theme',
])
/** Whose it is. */
const ownerKey = 'dorkos.principal'
/** Written and taken away at once: other tabs hear of it. */
const leftKey = 'dorkos.left'

const forgetters = new Set<() => void>()
/** Whose the things in the memory of this tab are. */
let owner: string | undefined

/** For modules that hold private things in memory. They go before those in storage do, so that nothing is written again. */
export function onForget(forget: () => void): () => void {
  forgetters.add(forget)
  return () => forgetters.delete(forget)
}

/** Somebody has signed in: what is there of another goes before it can be seen or sent. */
export function claimPrivate(principal: string): void {
  // What nobody knows the owner of belongs to nobody.
  if (storedOwner() !== principal) forgetPrivate()
  else if (owner !== undefined && owner !== principal) forgetInTab()
  owner = principal
  try {
    localStorage.setItem(ownerKey, principal)
  } catch {
    // Then nothing else is kept there either.
  }
}

/** Whether this tab may write private things down. Not when its person has left meanwhile, in another tab. */
export function mayKeep(): boolean {
  return storedOwner() === owner
}

function storedOwner(): string | undefined {
  try {
    return localStorage.getItem(ownerKey) ?? undefined
  } catch {
    return undefined
  }
}

export function isPrivateKey(key: string): boolean {
  return key.startsWith(ours) && !otherKeys.has(key)
}

export function forgetPrivate(): void {
  forgetInTab()
  forgetStored('localStorage')
  try {
    localStorage.setItem(leftKey, '')
    localStorage.removeItem(leftKey)
  } catch {
    // Without storage no other tab has anything of it.
  }
}

/** What other tabs see too is left alone: it may be the next person's by now. */
function forgetInTab(): void {
  for (const forget of forgetters) forget()
  owner = undefined
  forgetStored('sessionStorage')
}

/** By its name: where storage is switched off, even to ask for it fails. */
function forgetStored(name: 'localStorage' | 'sessionStorage'): void {
  try {
    const storage = globalThis[name]
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    for (const key of keys.filter(isPrivateKey)) storage.removeItem(key)
  } catch {
    // Nothing is kept there.
  }
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === leftKey && newValue !== null) forgetInTab()
  })
}

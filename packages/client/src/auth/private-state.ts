/**
 * What this browser keeps of a person's work: drafts, unsent messages, answers that were begun, what was seen. When that person signs out
 * it goes, in all tabs; only how the page looks and behaves stays.
 */
const ours = 'dorkos.'
const lookKeys: ReadonlySet<string> = new Set([
  'dorkos.alerts',
  'dorkos.alerts-hint',
  'dorkos.diff',
  'dorkos.nav.more',
  'dorkos.send-with-command',
  'dorkos.sidebar',
  'dorkos.theme',
])
/** Written and taken away at once: other tabs hear of it. */
const leftKey = 'dorkos.left'

const forgetters = new Set<() => void>()

/** For modules that hold private things in memory. They go before those in storage do, so that nothing is written again. */
export function onForget(forget: () => void): () => void {
  forgetters.add(forget)
  return () => forgetters.delete(forget)
}

export function isPrivateKey(key: string): boolean {
  return key.startsWith(ours) && !lookKeys.has(key)
}

export function forgetPrivate(): void {
  forgetHere()
  try {
    localStorage.setItem(leftKey, '')
    localStorage.removeItem(leftKey)
  } catch {
    // Without storage no other tab has anything of it.
  }
}

function forgetHere(): void {
  for (const forget of forgetters) forget()
  for (const storage of ['localStorage', 'sessionStorage'] as const) forgetStored(storage)
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
    if (key === leftKey && newValue !== null) forgetHere()
  })
}

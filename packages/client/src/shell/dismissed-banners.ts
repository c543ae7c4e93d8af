/** Banners that were hidden, for as long as this tab lives. One that says something new comes back. */
import type { Banner } from '@dorkos/shared'
import { onForget } from '../auth/private-state.ts'

const key = 'dorkos.banners.hidden'
let hidden: readonly string[] | undefined

onForget(() => {
  hidden = undefined
})

function nameOf({ code, message }: Banner): string {
  return `${code}: ${message}`
}

function all(): readonly string[] {
  if (hidden) return hidden
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    hidden = Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
  } catch {
    hidden = []
  }
  return hidden
}

/** A danger cannot be hidden. */
export function isDismissed(banner: Banner): boolean {
  return banner.level !== 'danger' && all().includes(nameOf(banner))
}

export function dismissBanner(banner: Banner): void {
  hidden = [...all().slice(-20), nameOf(banner)]
  try {
    sessionStorage.setItem(key, JSON.stringify(hidden))
  } catch {
    // Then it is hidden until the next reload.
  }
}

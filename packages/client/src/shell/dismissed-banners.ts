/**
 * Banners that were hidden: warnings for as long as this tab lives, what is only good to know until its person signs out. One that says
 * something new comes back.
 */
import type { Banner } from '@dorkos/shared'
import { mayKeep, onForget } from '../auth/private-state.ts'

const key = 'dorkos.banners.hidden'
type StorageName = 'localStorage' | 'sessionStorage'
let hidden: readonly string[] | undefined

onForget(() => {
  hidden = undefined
})

function nameOf({ code, message }: Banner): string {
  return `${code}: ${message}`
}

function stored(storage: StorageName): readonly string[] {
  try {
    const names: unknown = JSON.parse(window[storage].getItem(key) ?? '[]')
    return Array.isArray(names) ? names.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

function all(): readonly string[] {
  hidden ??= [...stored('localStorage'), ...stored('sessionStorage')]
  return hidden
}

/** A danger cannot be hidden. */
export function isDismissed(banner: Banner): boolean {
  return banner.level !== 'danger' && all().includes(nameOf(banner))
}

export function dismissBanner(banner: Banner): void {
  const name = nameOf(banner)
  hidden = [...all(), name]
  const storage = banner.level === 'info' && mayKeep() ? 'localStorage' : 'sessionStorage'
  try {
    window[storage].setItem(key, JSON.stringify([...stored(storage).slice(-20), name]))
  } catch {
    // Then it is hidden until the next reload.
  }
}

import type { Banner } from '@dorkos/shared'
import { beforeEach, expect, it, vi } from 'vitest'

const demo: Banner = { code: 'demo_model', level: 'info', message: 'A demo.' }
const warning: Banner = { code: 'config_fault', level: 'warning', message: 'Not taken.' }

/** As a page that was just loaded. */
async function load() {
  vi.resetModules()
  return await import('./dismissed-banners.ts')
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

it('hides a warning in this tab, and what is only good to know in the next one too', async () => {
  const first = await load()
  for (const banner of [demo, warning]) first.dismissBanner(banner)
  expect([demo, warning].map(first.isDismissed)).toEqual([true, true])
  expect([demo, warning].map((await load()).isDismissed)).toEqual([true, true])
  sessionStorage.clear()
  expect([demo, warning].map((await load()).isDismissed)).toEqual([true, false])
})

it('shows one that says something new, and every danger', async () => {
  const { dismissBanner, isDismissed } = await load()
  const danger: Banner = { code: 'cli_version', level: 'danger', message: 'Too old.' }
  for (const banner of [demo, danger]) dismissBanner(banner)
  expect(isDismissed({ ...demo, message: 'Another demo.' })).toBe(false)
  expect(isDismissed(danger)).toBe(false)
})

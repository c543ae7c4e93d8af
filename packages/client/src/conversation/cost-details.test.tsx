import type { RateLimit } from '@dorkos/shared'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, it, vi } from 'vitest'
import { emptySession } from '../live/reduce-session.ts'
import { CostDetails } from './cost-details.tsx'

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))

async function words(rateLimit: RateLimit | undefined): Promise<string> {
  const container = document.createElement('div')
  const root = createRoot(container)
  const state = { ...emptySession('s'), rateLimit }
  await act(async () => root.render(<CostDetails state={state} usd={1} />))
  const found = container.textContent
  await act(async () => root.unmount())
  return found
}

const soon = new Date(Date.now() + 3_600_000).toISOString()
const past = new Date(Date.now() - 1000).toISOString()

it('says how much of a subscription is used, until it begins anew', async () => {
  const limit = { status: 'allowed', kind: 'five_hour', utilization: 0.42, resets_at: soon }
  expect(await words(limit)).toMatch(/5-hour limit: 42% used, resets at \d{1,2}:\d\d [AP]M/)
  expect(await words({ ...limit, utilization: 81, kind: 'seven_day' })).toContain('Weekly limit: 81% used')
  expect(await words({ status: 'allowed', kind: 'monthly', utilization: 0.5 })).toContain('Monthly: 50% used')
  for (const none of [undefined, { ...limit, resets_at: past }, { status: 'overloaded' }])
    expect(await words(none)).not.toContain('%')
})

it('is not harmed by what the contract does not allow', async () => {
  const hostile = { status: 1, kind: {}, utilization: 'x', resets_at: [] } as unknown as RateLimit
  expect(await words(hostile)).not.toContain('limit:')
  expect(await words({ ...hostile, kind: 'five_hour', utilization: 0.1, resets_at: 'never' })).not.toContain(
    '%',
  )
})

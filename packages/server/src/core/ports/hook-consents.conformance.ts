/** What every store of consents keeps to. */
import { expect, it } from 'vitest'
import { time } from './fixtures.conformance.ts'
import type { StoredHookConsent } from './hook-consents.ts'
import type { Records } from './records.ts'

export function hookConsentTests(get: () => Records): void {
  const consent = (digest: string, more: Partial<StoredHookConsent> = {}): StoredHookConsent => ({
    digest,
    grant: 'run',
    label: 'Stop: \u0000\u202e',
    principal: 'owner',
    at: time,
    ...more,
  })

  it('keeps the last one of each content, until it is removed', async () => {
    const { hookConsents } = get()
    expect(await hookConsents.list()).toEqual([])
    await hookConsents.put(consent('a'))
    await hookConsents.put(consent('b'))
    await hookConsents.put(consent('a', { grant: 'allow' }))
    expect(await hookConsents.list()).toEqual([consent('a', { grant: 'allow' }), consent('b')])
    expect(await hookConsents.remove('a')).toEqual(consent('a', { grant: 'allow' }))
    expect(await hookConsents.remove('a')).toBeUndefined()
    expect(await hookConsents.list()).toEqual([consent('b')])
  })
}

import { describe, expect, it } from 'vitest'
import { activeChoices, type CostView, metricsFor, readView, writeView } from './cost-view.ts'

describe('what there is to look at', () => {
  const none = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
  it('is no money of the demo model, and no tokens where it counted none', () => {
    expect(metricsFor({ usd: 0, tokens: { ...none, input: 5 } }, true)).toEqual(['turns', 'tokens'])
    expect(metricsFor({ usd: 0, tokens: none }, true)).toEqual(['turns'])
  })
  it('is everything of Claude, where nothing is worth knowing, too', () => {
    expect(metricsFor({ usd: 0, tokens: none }, false)).toEqual(['usd', 'turns', 'tokens'])
  })
})

it('counts what somebody chose', () => {
  expect(activeChoices(readView(''))).toBe(0)
  expect(activeChoices(readView('?days=30&show=tokens'))).toBe(0)
  expect(activeChoices(readView('?days=7&by=model&demo=1'))).toBe(3)
  expect(activeChoices(readView('?from=2026-02-01&to=2026-02-02'))).toBe(1)
})

describe('the address of the page of costs', () => {
  it('leads back to the same view', () => {
    const views: CostView[] = [
      { period: { kind: 'days', days: 7 }, group: 'model', metric: 'tokens', demo: true },
      {
        period: { kind: 'custom', first: '2026-01-01', last: '2026-02-01' },
        group: 'day',
        metric: 'usd',
        demo: false,
      },
      { period: { kind: 'days', days: 30 }, group: 'day', metric: undefined, demo: undefined },
    ]
    for (const view of views) expect(readView(writeView(view))).toEqual(view)
    expect(writeView(readView(''))).toBe('')
  })

  it('takes nonsense for nothing', () => {
    expect(readView('?days=13&by=__proto__&show=x&from=2026-99-01&to=2026-01-01')).toEqual(readView(''))
  })

  it('turns a period around that ends before it begins', () => {
    expect(readView('?from=2026-03-01&to=2026-02-01').period).toEqual({
      kind: 'custom',
      first: '2026-02-01',
      last: '2026-03-01',
    })
  })
})

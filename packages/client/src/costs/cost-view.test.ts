import { describe, expect, it } from 'vitest'
import { type CostView, readView, writeView } from './cost-view.ts'

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

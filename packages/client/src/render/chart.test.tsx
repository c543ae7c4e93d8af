import { afterEach, expect, it, vi } from 'vitest'
import { text } from '../text/text.ts'
import { StackedBars } from './chart.tsx'
import { createTestPage } from './test-page.tsx'

vi.mock('./load-plot.ts', () => ({ loadPlot: () => Promise.reject(new Error('not there')) }))

const page = createTestPage()
afterEach(() => page.remove())

it('a plot that cannot be loaded says so, and is a table', async () => {
  await page.draw(
    <StackedBars title="Cost" labels={['Mon', 'Tue']} series={[{ name: 'all', values: [1, 2] }]} />,
  )
  await page.eventually(() => expect(page.box.textContent).toContain(text.render.chartFailed))
  expect([...page.box.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual(['Tue2', 'Mon1'])
  expect(page.box.querySelector('button')).toBeNull()
})

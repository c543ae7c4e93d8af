import { Sparkles } from 'lucide-react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestPage, type TestPage } from '../render/test-page.tsx'
import { Disclosure } from './disclosure.tsx'

let page: TestPage
beforeEach(() => {
  page = createTestPage()
})
afterEach(() => page.remove())

const button = () => {
  const found = document.querySelector('button')
  if (!found) throw new Error('There is no button')
  return found
}
const state = () => ({
  expanded: button().getAttribute('aria-expanded'),
  controls: document.getElementById(button().getAttribute('aria-controls') ?? '')?.textContent,
})

describe('a disclosure', () => {
  it('makes what it opens when it is opened, and says what and whether', async () => {
    await page.draw(<Disclosure label="More">inside</Disclosure>)
    expect(document.body.textContent).not.toContain('inside')
    expect(state()).toEqual({ expanded: 'false', controls: undefined })
    await page.press('More')
    expect(state()).toEqual({ expanded: 'true', controls: 'inside' })
    await page.press('More')
    expect(document.body.textContent).not.toContain('inside')
    expect(state()).toEqual({ expanded: 'false', controls: undefined })
  })

  it('leaves it to who keeps whether it is open', async () => {
    const asked: boolean[] = []
    await page.draw(
      <Disclosure label="More" opened={[false, (open) => asked.push(open)]}>
        inside
      </Disclosure>,
    )
    await page.press('More')
    expect(asked).toEqual([true])
    expect(state().expanded).toBe('false')
  })

  it('shows no chevron where there is nothing to open', async () => {
    const draw = (disabled: boolean) =>
      page.draw(
        <Disclosure icon={Sparkles} label="More" disabled={disabled}>
          inside
        </Disclosure>,
      )
    await draw(false)
    expect(button().querySelectorAll('svg')).toHaveLength(2)
    await draw(true)
    expect(button().querySelectorAll('svg')).toHaveLength(1)
    expect(button().disabled).toBe(true)
  })
})

import { afterEach, expect, it, vi } from 'vitest'
import { loadPlot, withUsableLanguage } from './load-plot.ts'

afterEach(() => vi.restoreAllMocks())

it('loads in a browser whose language Intl refuses, and leaves that language as it was', async () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('en-US@posix')
  expect(() => new Intl.NumberFormat(navigator.language)).toThrow(RangeError)
  expect((await loadPlot()).uPlot.paths.bars).toBeTypeOf('function')
  expect(navigator.language).toBe('en-US@posix')
})

it.each([
  ['en-US@posix', 'en'],
  ['de-CH', 'de-CH'],
])('while something loads, %s is %s', async (language, expected) => {
  class Browser {
    get language() {
      return language
    }
  }
  const browser = new Browser()
  const loading = withUsableLanguage(browser, async () => {
    expect(browser.language).toBe(expected)
    throw new Error('not there')
  })
  await expect(loading).rejects.toThrow('not there')
  expect(browser.language).toBe(language)
  expect(Object.hasOwn(browser, 'language')).toBe(false)
})

import { beforeEach, expect, it, vi } from 'vitest'
import { loadScreen } from './load-screen.ts'

const missing = new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/assets/x.js')
const browser = { reload: vi.fn(), now: vi.fn(() => 1_000_000) }

beforeEach(() => {
  sessionStorage.clear()
  vi.clearAllMocks()
})

it('begins a new page for a screen that does not come, and shows the fault when that does not help', async () => {
  void loadScreen(() => Promise.reject(missing), browser)
  await vi.waitFor(() => expect(browser.reload).toHaveBeenCalledTimes(1), 20_000)
  browser.now.mockReturnValue(1_030_000)
  await expect(loadScreen(() => Promise.reject(missing), browser)).rejects.toThrow('dynamically')
  expect(browser.reload).toHaveBeenCalledTimes(1)
  history.replaceState(null, '', '/another')
  void loadScreen(() => Promise.reject(missing), browser)
  await vi.waitFor(() => expect(browser.reload).toHaveBeenCalledTimes(2), 20_000)
  history.replaceState(null, '', '/')
  browser.now.mockReturnValue(1_100_000)
  void loadScreen(() => Promise.reject(missing), browser)
  await vi.waitFor(() => expect(browser.reload).toHaveBeenCalledTimes(3), 20_000)
})

it('shows every other fault at once', async () => {
  await expect(loadScreen(() => Promise.reject(new Error('x is not a function')), browser)).rejects.toThrow(
    'x is',
  )
  expect(browser.reload).not.toHaveBeenCalled()
})

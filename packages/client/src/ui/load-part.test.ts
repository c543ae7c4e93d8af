import { afterEach, expect, it, vi } from 'vitest'
import { loadPart, loadPartsWhen } from './load-part.ts'

afterEach(() => loadPartsWhen(async () => {}))

it('asks for nothing while the line is cut', async () => {
  let open = () => {}
  loadPartsWhen(
    () =>
      new Promise((resolve) => {
        open = resolve
      }),
  )
  const load = vi.fn(async () => 'the part')
  const part = loadPart(load)
  await Promise.resolve()
  expect(load).not.toHaveBeenCalled()
  open()
  expect(await part).toBe('the part')
})

it('asks once more, when the line is there again', async () => {
  const ready = vi.fn(async () => {})
  loadPartsWhen(ready)
  const load = vi.fn(async () => 'the part').mockRejectedValueOnce(new Error('cut'))
  expect(await loadPart(load)).toBe('the part')
  expect(ready).toHaveBeenCalledTimes(2)
  const gone = vi.fn(() => Promise.reject(new Error('HTTP 404')))
  await expect(loadPart(gone)).rejects.toThrow('HTTP 404')
  expect(gone).toHaveBeenCalledTimes(2)
})

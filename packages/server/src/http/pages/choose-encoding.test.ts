import { expect, it } from 'vitest'
import { chooseEncoding } from './choose-encoding.ts'

const all = new Set(['br', 'gzip', 'identity'] as const)

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['BR', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
  ['br;q=nonsense', 'identity'],
  ['broken;;;,,,=', 'identity'],
])('%s is answered in %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted, all)).toBe(encoding)
})

it('takes only what is there', () => {
  expect(chooseEncoding('br, gzip', new Set(['gzip', 'identity']))).toBe('gzip')
  expect(chooseEncoding('br, gzip', new Set(['identity']))).toBe('identity')
})

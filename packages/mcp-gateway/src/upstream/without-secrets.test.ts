import { expect, it } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

it('takes secrets out of strings and keys, wherever they are', () => {
  const value = {
    content: [{ type: 'text', text: 'Bearer token-"1", twice: token-"1"' }],
    'token-"1"': 12345678,
    nothing: null,
  }
  expect(withoutSecrets(value, ['token-"1"', '12345678', 'text'])).toEqual({
    content: [{ type: 'text', text: 'Bearer •••, twice: •••' }],
    '•••': 12345678,
    nothing: null,
  })
})

it('takes the longest first, and leaves what holds none as it is', () => {
  expect(withoutSecrets('secret-one-and-more', ['secret-one', 'secret-one-and-more'])).toBe('•••')
  const value = { text: 'nothing' }
  expect(withoutSecrets(value, ['secret-one'])).toBe(value)
  expect(withoutSecrets(undefined, ['secret-one'])).toBeUndefined()
})

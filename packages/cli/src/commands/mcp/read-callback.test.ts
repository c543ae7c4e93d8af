import { expect, it } from 'vitest'
import { readCallback } from './read-callback.ts'

const read = (query: string) => readCallback(new URLSearchParams(query), 's1')

it('takes what belongs to the sign-in', () => {
  expect(read('code=c&state=s1')).toEqual({ code: 'c', state: 's1' })
  expect(read('code=c%2Bd&state=s1&iss=https%3A%2F%2Fa&session_state=x')).toEqual({
    code: 'c+d',
    state: 's1',
    iss: 'https://a',
  })
  expect(read('error=access_denied&error_description=no&state=s1')).toEqual({
    error: 'access_denied',
    error_description: 'no',
    state: 's1',
  })
  expect(read(`error=e&state=s1&error_description=${'x'.repeat(5000)}`)?.error_description).toHaveLength(1000)
})

it.each([
  '',
  'code=c',
  'state=s1',
  'code=c&state=',
  'code=c&state=S1',
  'code=c&state=s1x',
  'code=c&state=s1&state=s1',
  'code=c&code=d&state=s1',
  'code=&state=s1',
  'code=c&error=e&state=s1',
  `code=${'c'.repeat(4001)}&state=s1`,
  `code=c&state=s1&iss=${'i'.repeat(501)}`,
  `error=${'e'.repeat(201)}&state=s1`,
])('refuses %j', (query) => {
  expect(read(query)).toBeUndefined()
})

import { expect, it } from 'vitest'
import { readJson } from './read-json.ts'

it('reads an object, or nothing', () => {
  expect(readJson(' ')).toEqual({ input: {} })
  expect(readJson('{"a":[1]}')).toEqual({ input: { a: [1] } })
  expect(readJson('{\n  "a": 1,\n  b\n}')).toEqual({ fault: expect.stringContaining('3') })
  for (const wrong of ['[]', '"x"', 'null', '{', 'a'])
    expect(readJson(wrong)).toEqual({ fault: expect.any(String) })
})

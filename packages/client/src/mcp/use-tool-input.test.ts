import { expect, it } from 'vitest'
import { readInputJson } from './use-tool-input.ts'

it('reads an object, or nothing', () => {
  expect(readInputJson(' ')).toEqual({ input: {} })
  expect(readInputJson('{"a":[1]}')).toEqual({ input: { a: [1] } })
  expect(readInputJson('{\n  "a": 1,\n  b\n}')).toEqual({ fault: expect.stringContaining('3') })
  for (const wrong of ['[]', '"x"', 'null', '{', 'a'])
    expect(readInputJson(wrong)).toEqual({ fault: expect.any(String) })
})

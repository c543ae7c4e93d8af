import { expect, it } from 'vitest'
import { renderFillIn } from './render-fill-in.ts'

it.each([
  ['<YOUR_TOKEN> GITHUB_TOKEN', 'put your GITHUB_TOKEN in place of <YOUR_TOKEN> in /c'],
  ['<your api key> KEY', 'put your KEY in place of <your api key> in /c'],
  ['your-key An argument', 'put what belongs there in place of your-key (an argument) in /c'],
  ['<host> The address', 'put what belongs there in place of <host> (the address) in /c'],
  ['$' + '{input:key} The key of Maps', 'put “The key of Maps” in place of $' + '{input:key} in /c'],
  ['<x>', 'put what belongs there in place of <x> in /c'],
  ['<a\x1b[2Jb> K', 'put your K in place of <a\\u{1b}[2Jb> in /c'],
])('%j', (text, sentence) => {
  expect(renderFillIn(text, '/c')).toBe(`To fill in: ${sentence}`)
})

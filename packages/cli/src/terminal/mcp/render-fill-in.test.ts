import { expect, it } from 'vitest'
import { renderFillIn } from './render-fill-in.ts'

it.each([
  ['<YOUR_TOKEN> GITHUB_TOKEN', 'replace <YOUR_TOKEN> with your GITHUB_TOKEN in /c'],
  ['<your api key> KEY', 'replace <your api key> with your KEY in /c'],
  ['your-key An argument', 'replace your-key (an argument) with the right value in /c'],
  ['<host> The address', 'replace <host> (the address) with the right value in /c'],
  ['$' + '{input:key} The key of Maps', 'replace $' + '{input:key} with “The key of Maps” in /c'],
  ['<x>', 'replace <x> with the right value in /c'],
  ['<a\x1b[2Jb> K', 'replace <a\\u{1b}[2Jb> with your K in /c'],
])('%j', (text, sentence) => {
  expect(renderFillIn(text, '/c')).toBe(`To fill in: ${sentence}`)
})

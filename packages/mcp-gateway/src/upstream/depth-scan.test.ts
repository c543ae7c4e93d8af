import { expect, it } from 'vitest'
import { DepthScan, isNestedTooDeeply } from './depth-scan.ts'

const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`

it.each([
  ['what is deep', nested(10_002), true],
  ['what is deep and never ends', '['.repeat(10_001), true],
  ['what is deep after a text with a quote', `["\\"",${nested(10_002)}]`, true],
  ['what is less deep', nested(10_000), false],
  ['what is wide', `[${'[],{},'.repeat(50_000)}0]`, false],
  ['brackets in a text', JSON.stringify(`\\"${'[{'.repeat(50_000)}`), false],
  ['ends without a beginning', ']'.repeat(50_000) + '['.repeat(10_000), false],
])('%s', (_, text, isDeep) => {
  const bytes = Buffer.from(text)
  expect(isNestedTooDeeply(text)).toBe(isDeep)
  const scan = new DepthScan()
  let found = false
  for (let at = 0; at < bytes.length && !found; at += 7) found = scan.push(bytes.subarray(at, at + 7))
  expect(found).toBe(isDeep)
})

it('begins anew with another text', () => {
  const scan = new DepthScan()
  for (let n = 0; n < 3; n++) {
    expect(scan.push(Buffer.from(`"${'['.repeat(10)}`))).toBe(false)
    scan.reset()
    expect(scan.push(Buffer.from('['.repeat(9000)))).toBe(false)
    scan.reset()
  }
})

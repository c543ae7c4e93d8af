import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { createTestPage } from '../render/test-page.tsx'
import { text } from '../text/page-text.ts'
import type { Pair } from './entry-form.ts'
import { PairsField } from './pairs-field.tsx'
import { TextListField } from './text-list-field.tsx'

const words = text.mcp.entry
const page = createTestPage()
afterEach(() => page.remove())

function Fields() {
  const [values, setValues] = useState<readonly string[]>(['-y'])
  const [pairs, setPairs] = useState<readonly Pair[]>([])
  const common = { label: '', hint: '', fault: undefined }
  return (
    <>
      <TextListField {...common} values={values} onChange={setValues} />
      <PairsField {...common} pairs={pairs} onChange={setPairs} />
    </>
  )
}

it('a row that was added can be typed into at once', async () => {
  await page.draw(<Fields />)
  const focused = () => document.activeElement?.getAttribute('aria-label')
  await page.press(words.addArgument)
  expect(focused()).toBe(words.argument(2))
  await page.press(words.addPair)
  expect(focused()).toBe(words.pairName(1))
  await page.press(words.addPair)
  expect(focused()).toBe(words.pairName(2))
})

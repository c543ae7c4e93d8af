import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Code } from './code.tsx'
import { LocalWorker } from './local-worker.ts'
import { createTestPage, type TestPage } from './test-page.tsx'

let page: TestPage
vi.stubGlobal('Worker', LocalWorker)

beforeEach(() => {
  page = createTestPage()
})

afterEach(() => page.remove())

const draw = (text: string, language?: string, streaming = false) =>
  page.draw(<Code text={text} language={language} streaming={streaming} />)
const code = () => page.box.querySelector('code')
const coloured = () =>
  [...page.box.querySelectorAll<HTMLElement>('code span')].filter((span) => span.style.color !== '')

it('colours code when the highlighter has come, and changes no character', async () => {
  const text = `const a = 'x' // note\n\n${'function f(b) {\n  return `t`\n}\n'.repeat(60)}`
  await draw(text, 'ts')
  expect(code()?.textContent).toBe(text)
  await page.eventually(() => expect(coloured().length).toBeGreaterThan(100))
  expect(code()?.textContent).toBe(text)
  const colours = new Set(coloured().map((span) => span.style.color))
  expect(colours).toContain('var(--code-token-keyword)')
  expect(colours).toContain('var(--code-token-string-expression)')
  // Slices of lines go on where the one before ended.
  expect(
    coloured()
      .filter((span) => span.textContent === 'return')
      .map((span) => span.style.color),
  ).toEqual(Array.from({ length: 60 }, () => 'var(--code-token-keyword)'))
})

it('goes on from what is coloured while more comes', async () => {
  await draw('let a = 1\nlet', 'js', true)
  await page.eventually(() => expect(coloured().length).toBeGreaterThan(0))
  await draw('let a = 1\nlet b = 2', 'js', true)
  expect(code()?.textContent).toBe('let a = 1\nlet b = 2')
  expect(coloured().length).toBeGreaterThan(0)
})

it('leaves languages plain that it does not know, and code that is long', async () => {
  const long = `let a = '${'x'.repeat(80)}'\n`.repeat(800)
  await page.draw(
    <>
      <Code text="some text" language="klingon" />
      <Code text={long} language="js" />
      <Code text="let last = 1" language="js" />
    </>,
  )
  // They are coloured in order, so that the last one is when all are.
  await page.eventually(() => expect(coloured().length).toBeGreaterThan(0))
  const [unknown, huge] = page.box.querySelectorAll('code')
  expect(unknown?.innerHTML).toBe('some text')
  expect(huge?.innerHTML).toBe(long)
})

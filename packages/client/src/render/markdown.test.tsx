import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MarkdownBlock } from './block-reader.ts'
import { Markdown } from './markdown.tsx'
import { BlockView } from './markdown-block.tsx'
import { createTestPage, type TestPage } from './test-page.tsx'

let page: TestPage
let box: HTMLElement

beforeEach(() => {
  page = createTestPage()
  box = page.box
})

afterEach(async () => {
  await page.remove()
  vi.restoreAllMocks()
})

const draw = (node: ReactNode) => page.draw(node)

describe('Markdown', () => {
  it('draws only the last block again while the text grows', async () => {
    const start = '# Title\n\nFirst paragraph.\n\n- a\n- b\n\n```js\nlet a\n```\n\nLast'
    const drawn = vi.spyOn(BlockView as unknown as { type: (props: unknown) => ReactNode }, 'type')
    await draw(<Markdown text={start} streaming />)
    expect(drawn).toHaveBeenCalledTimes(5)
    const nodes = [...box.querySelectorAll('h3, p, ul, figure')].slice(0, 4)
    for (let step = 1; step <= 50; step += 1)
      await draw(<Markdown text={`${start}${' word'.repeat(step)}`} streaming />)
    await draw(<Markdown text={`${start}${' word'.repeat(50)}`} />)
    // A slow machine draws less often; never another block than the last.
    const again = drawn.mock.calls
      .slice(5)
      .map(([props]) => (props as { block: MarkdownBlock }).block.token.raw)
    expect(again.length).toBeGreaterThan(0)
    expect(again.length).toBeLessThanOrEqual(51)
    expect(again.filter((raw) => !raw.startsWith('Last'))).toEqual([])
    expect([...box.querySelectorAll('h3, p, ul, figure')].slice(0, 4)).toEqual(nodes)
    expect(box.querySelectorAll('p').item(1).textContent).toBe(`Last${' word'.repeat(50)}`)
  })

  it('keeps the elements of a block when the next one begins, and when the text ends', async () => {
    await draw(<Markdown text="One" streaming />)
    const first = box.querySelector('p')
    await draw(<Markdown text={'One.\n\nTwo'} streaming />)
    await draw(<Markdown text={'One.\n\nTwo.\n\nThree.'} streaming={false} />)
    expect(box.querySelector('p')).toBe(first)
    expect([...box.querySelectorAll('p')].map((p) => p.textContent)).toEqual(['One.', 'Two.', 'Three.'])
  })

  it('shows unfinished marks as what they will be', async () => {
    await draw(<Markdown text={'Some **bold'} streaming />)
    expect(box.querySelector('strong')?.textContent).toBe('bold')
    await draw(<Markdown text={'| a | b |'} streaming />)
    expect(box.querySelectorAll('th')).toHaveLength(2)
    await draw(<Markdown text={'```sh\nnpm i'} streaming />)
    expect(box.querySelector('code')?.textContent).toBe('npm i')
    await draw(<Markdown text={'Some **bold'} />)
    expect(box.querySelector('strong')).toBeNull()
  })

  it('makes nothing but text of HTML', async () => {
    const hostile =
      '<script>window.bad = 1</script>\n\n<img src=x onerror="window.bad = 1">\n\nText <b onclick="x()">bold</b> <iframe src="https://a.example"></iframe> a<br>b'
    await draw(<Markdown text={hostile} />)
    expect(box.querySelector('script, img, iframe, b')).toBeNull()
    expect(box.textContent).toContain('<script>window.bad = 1</script>')
    expect(box.querySelectorAll('br')).toHaveLength(1)
  })

  it('links only where it may', async () => {
    const text =
      '[bad](javascript:alert(1)) [worse](java&#115;cript:alert(1)) [rel](./a.md) [ok](https://good.example@evil.example/) <https://auto.example> ![pic](https://tracker.example/a.png) ![in](data:image/png;base64,iVBORw0K)'
    await draw(<Markdown text={text} />)
    const links = [...box.querySelectorAll('a')]
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://good.example@evil.example/',
      'https://auto.example/',
      'https://tracker.example/a.png',
    ])
    expect(links[0]?.title).toContain('evil.example')
    for (const link of links) {
      expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer nofollow'])
    }
    expect([...box.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([
      'data:image/png;base64,iVBORw0K',
    ])
    expect(box.textContent).toContain('bad worse rel')
  })

  it('shows direction marks in code and links', async () => {
    await draw(<Markdown text={'Run `rm\u202E x` or [a\u202Eb](https://a.example)'} />)
    expect(box.querySelector('code')?.textContent).toBe('rm[U+202E] x')
    expect(box.querySelector('a')?.textContent).toBe('a[U+202E]b')
  })

  it('draws lists, tasks, tables and headings as what they are', async () => {
    const text =
      '# A\n\n#### B\n\n3. three\n4. four\n   - nested\n\n- [x] done\n- [ ] open\n\n| l | r |\n|:--|--:|\n| 1 | &amp; |\n\n> quote\n\n~~gone~~ &lt;x&gt; &copy;'
    await draw(<Markdown text={text} />)
    expect([...box.querySelectorAll('h3, h6')].map((heading) => heading.textContent)).toEqual(['A', 'B'])
    expect(box.querySelector('ol')?.getAttribute('start')).toBe('3')
    expect(box.querySelector('ol ul li')?.textContent).toBe('nested')
    expect([...box.querySelectorAll('input')].map((input) => [input.checked, input.disabled])).toEqual([
      [true, true],
      [false, true],
    ])
    expect(
      [...box.querySelectorAll('td')].map((cell) => [
        cell.textContent,
        cell.className.includes('text-right'),
      ]),
    ).toEqual([
      ['1', false],
      ['&', true],
    ])
    expect(box.querySelector('blockquote')?.textContent).toBe('quote')
    expect(box.querySelector('del')?.parentElement?.textContent).toBe('gone <x> ©')
  })

  it('draws a part of what is huge, and all when asked', async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index} of the code`).join('\n')
    await draw(<Markdown text={`\`\`\`\n${lines}\n\`\`\``} />)
    expect(box.textContent?.length).toBeLessThan(150_000)
    const words = 'word '.repeat(100_000)
    await draw(<Markdown text={words} />)
    expect(box.textContent?.length).toBeLessThan(250_000)
    await page.press('Show all')
    expect(box.textContent?.length).toBeGreaterThanOrEqual(words.trimEnd().length)
  })

  it('bounds how deep it nests', async () => {
    await draw(<Markdown text={`${'> '.repeat(3000)}deep`} />)
    expect(box.querySelectorAll('blockquote').length).toBeLessThanOrEqual(41)
    expect(box.textContent).toContain('deep')
  })

  it('draws formulas as MathML, and their source when they cannot be read', async () => {
    await draw(<Markdown text={'Let $x^2$ and $\\frac{1}{$ be. \\(\\href{javascript:alert(1)}{y}\\)'} />)
    await page.eventually(() => expect(box.querySelector('math msup')).not.toBeNull())
    expect(box.querySelector('a, [href]')).toBeNull()
    expect(box.textContent).toContain('\\frac{1}{')
  })
})

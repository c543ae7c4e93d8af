import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StackedBars } from './chart.tsx'
import { Diff, PatchView } from './diff.tsx'
import { JsonView } from './json-view.tsx'
import { loadPlot } from './load-plot.ts'
import { StateStrip } from './state-strip.tsx'
import { Terminal } from './terminal.tsx'
import { createTestPage, type TestPage } from './test-page.tsx'
import { ToolContent } from './tool-content.tsx'

let page: TestPage
let box: HTMLElement

beforeEach(() => {
  localStorage.clear()
  page = createTestPage()
  box = page.box
})

afterEach(() => page.remove())

describe('Diff', () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')

  it('shows counts, changes and folded lines that open', async () => {
    await page.draw(<Diff before={before} after={before.replace('line 15', 'row 15')} fileName="a/b.ts" />)
    await page.eventually(() => expect(box.querySelectorAll('tr').length).toBeGreaterThan(5))
    expect(box.querySelector('figcaption')?.textContent).toContain('+1−1')
    expect(box.textContent).toContain('12 unchanged lines')
    await page.press('12 unchanged lines')
    expect(box.textContent).toContain('line 0')
  })

  it('remembers two columns', async () => {
    await page.draw(<Diff before="a" after="b" />)
    await page.eventually(() => expect(box.querySelector('table')).not.toBeNull())
    await page.press('Split')
    expect(localStorage.getItem('dorkos.diff')).toBe('split')
    expect(box.querySelector('colgroup')).not.toBeNull()
    await page.press('Unified')
    expect(box.querySelector('colgroup')).toBeNull()
  })

  it('shows hidden characters, and the text of a patch that it cannot read', async () => {
    await page.draw(<PatchView patch={[{ oldStart: 1, newStart: 1, lines: ['+a\u202Eb'] }]} />)
    await page.eventually(() => expect(box.textContent).toContain('a[U+202E]b'))
    await page.draw(<PatchView patch="nothing like a patch" />)
    await page.eventually(() => expect(box.querySelector('code')?.textContent).toBe('nothing like a patch'))
  })
})

describe('a diff that is to be allowed', () => {
  it('hides no end of a line, and breaks what is wide', async () => {
    const wide = `a${' '.repeat(400)}; rm -rf /`
    const long = `b${' '.repeat(9000)}; rm -rf ~`
    await page.draw(<Diff whole before="" after={`${wide}\n${long}`} />)
    await page.eventually(() => expect(box.textContent).toContain('; rm -rf ~'))
    for (const cell of box.querySelectorAll('td:last-child'))
      expect(cell.className).toContain('whitespace-pre-wrap [overflow-wrap:anywhere]')
    expect(box.textContent).toContain('characters hidden')
    expect(box.textContent).not.toContain(long)
    await page.press('Show all')
    expect(box.textContent).toContain(long)
  })

  it('shows its last rows, and how many are folded before them', async () => {
    const lines = Array.from({ length: 2600 }, (_, index) => `line ${index}`)
    await page.draw(<Diff whole before="" after={[...lines, 'rm -rf /'].join('\n')} />)
    await page.eventually(() => expect(box.textContent).toContain('rm -rf /'))
    expect(box.textContent).not.toContain('line 1300')
    await page.press('1,101 lines hidden (+1,101 −0). Show all')
    expect(box.textContent).toContain('line 1300')
  })

  it('does not say that nothing changes when it does', async () => {
    await page.draw(<Diff whole before={'a\nb\n'} after={'a\r\nb\r\n'} />)
    await page.eventually(() => expect(box.textContent).toContain('Only line endings change.'))
    await page.draw(<Diff whole before="" after="" />)
    await page.eventually(() => expect(box.textContent).toContain('Empty file.'))
  })
})

describe('Terminal', () => {
  it('shows the whole command with what is hidden in it, coloured output and the exit code', async () => {
    await page.draw(
      <Terminal
        command={'echo\u200b hi && rm x'}
        output={'\u001b[31mred\u001b[0m plain\u001b]0;t\u0007'}
        exitCode={2}
      />,
    )
    expect(box.textContent).toContain('echo[U+200B] hi && rm x')
    const red = [...box.querySelectorAll<HTMLElement>('span')].find(
      (span) => span.style.color === 'var(--ansi-1)',
    )
    expect(red?.textContent).toBe('red')
    expect(box.textContent).toContain('red plain')
    expect(box.textContent).toContain('exit 2')
  })

  it('cuts long output until asked', async () => {
    const output = Array.from({ length: 2000 }, (_, index) => `row ${index}`).join('\n')
    await page.draw(<Terminal command="x" output={output} />)
    expect(box.textContent).not.toContain('row 1999')
    await page.press('Show all')
    expect(box.textContent).toContain('row 1999')
  })
})

describe('JsonView', () => {
  it('folds, shows line breaks, and cuts what is long', async () => {
    const value = {
      list: [1, 2],
      text: 'a\nb',
      deep: { a: { b: { c: 1 } } },
      long: 'x'.repeat(5000),
      none: null,
    }
    await page.draw(<JsonView value={value} />)
    expect(box.textContent).toContain('a\nb')
    expect(box.textContent).not.toContain('c:')
    await page.press('a:1 field')
    await page.press('b:1 field')
    expect(box.textContent).toContain('c:')
    expect(box.textContent?.length).toBeLessThan(4000)
    await page.press('list:2 items')
    expect(box.querySelectorAll('[aria-expanded="false"]')).toHaveLength(1)
  })

  it('shows long lists in parts, and survives a value that holds itself', async () => {
    const own: Record<string, unknown> = { items: Array.from({ length: 120 }, (_, index) => index) }
    own.self = own
    await page.draw(<JsonView value={own} open={3} />)
    await page.press('Show more (50 of 120)')
    expect(box.textContent).toContain('119:')
  })
})

describe('data that is to be allowed', () => {
  it('is open to its ends', async () => {
    const name = `${'n'.repeat(300)}END`
    const value = {
      deep: { a: { b: { c: { d: 'at the bottom' } } } },
      many: Array.from({ length: 1000 }, (_, index) => `item ${index}`),
      long: `${'x'.repeat(9000)}THE END`,
      [name]: 1,
      [`${name}2`]: { inner: 2 },
    }
    await page.draw(<JsonView whole value={value} />)
    for (const shown of ['at the bottom', 'item 0', 'item 999', 'THE END', `${name}:`, `${name}2:`])
      expect(box.textContent).toContain(shown)
    expect(box.textContent).not.toContain('item 500')
    await page.press('800 hidden. Show all')
    expect(box.textContent).toContain('item 500')
    await page.press('Show all')
    expect(box.textContent).toContain(value.long)
  })

  it('ends nowhere, however deep', async () => {
    let value: unknown = 'at the bottom'
    for (let depth = 0; depth < 200; depth += 1) value = [value]
    await page.draw(<JsonView whole value={value} />)
    expect(box.textContent).toContain('at the bottom')
  })
})

describe('ToolContent', () => {
  it('shows texts, data, pictures and what it does not know', async () => {
    const content = [
      { type: 'text', text: 'plain <b>text</b>' },
      { type: 'text', text: '{"a": {"b": 1}}' },
      { type: 'image', data: 'iVBORw0K', mimeType: 'image/png' },
      { type: 'image', data: 'PHN2Zz4=', mimeType: 'image/svg+xml' },
      { type: 'resource_link', uri: 'javascript:alert(1)', name: 'link' },
      { type: 'future', value: 1 },
    ]
    await page.draw(<ToolContent content={content} />)
    expect(box.querySelectorAll('img')).toHaveLength(1)
    expect(box.querySelector('a, b')).toBeNull()
    expect(box.textContent).toContain('plain <b>text</b>')
    expect(box.textContent).toContain('future')
    expect(box.textContent).toContain('javascript:alert(1)')
  })
})

describe('plots', () => {
  /** This document has no canvas to draw on, and the library, once it is loaded, draws on one. */
  const drawNowhere = () => {
    const nothing = new Proxy(() => nothing, { get: () => nothing, set: () => true })
    vi.stubGlobal('Path2D', new Proxy(class {}, { construct: () => nothing }))
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => nothing as never)
  }
  afterEach(() => vi.unstubAllGlobals())

  it('have a summary and a table', async () => {
    const series = [
      { name: 'opus', values: [1, 2] },
      { name: 'haiku', values: [3, 4] },
    ]
    drawNowhere()
    await loadPlot()
    await page.draw(
      <StackedBars title="Cost" labels={['Mon', 'Tue']} series={series} format={(value) => `$${value}`} />,
    )
    expect(box.querySelector('figure')?.getAttribute('aria-label')).toBe('Cost: 2 values, highest $6.')
    await page.press('Show as table')
    expect([...box.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual([
      'Tue$2$4$6',
      'Mon$1$3$4',
    ])
    await page.draw(
      <StateStrip title="Health" from={0} to={10} parts={[{ from: 0, to: 5, tone: 'ok', label: 'up' }]} />,
    )
    expect(box.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('Health: up')
  })
})

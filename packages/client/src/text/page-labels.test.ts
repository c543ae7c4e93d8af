import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('../../../../', import.meta.url).pathname
const folder = join(root, 'packages/client/src/text/en')

/** Every text of the page, those within functions too. */
const texts = new Set(
  readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/'((?:[^'\\\n]|\\.)*)'/g)].map(
      ([, one = '']) => one,
    ),
  ),
)

/** In italics a label, in bold the way to a screen. */
const labelsIn = (markdown: string): string[] => [
  ...[...markdown.matchAll(/(?<![*\w])\*(?! )([^*\n]+)\*(?!\*)/g)].map(([, label = '']) => label),
  ...[...markdown.matchAll(/\*\*([^*\n]+ → [^*\n]+)\*\*/g)].flatMap(([, way = '']) => way.split(' → ')),
]

it('docs/page.md calls what is on the page as the page does', () => {
  const labels = labelsIn(readFileSync(join(root, 'docs/page.md'), 'utf8')).map((one) =>
    one.replaceAll("'", '’'),
  )
  expect(labels.length).toBeGreaterThan(30)
  expect(texts.size).toBeGreaterThan(1000)
  expect(labels.filter((label) => !texts.has(label))).toEqual([])
})

it('a label is in italics, a way is bold with arrows, and other bold words are none', () => {
  expect(labelsIn('- **Files**: *Mention* or **Settings → Devices**, 2 * 3 * 4.')).toEqual([
    'Mention',
    'Settings',
    'Devices',
  ])
})

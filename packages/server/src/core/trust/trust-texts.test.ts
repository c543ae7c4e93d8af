/** What people are shown: words of commands, diffs, notes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CoveredItem } from '../ports/trust.ts'
import { commandWords } from './command-words.ts'
import { compareItems } from './compare-items.ts'
import { lineDiff } from './line-diff.ts'
import { maskCommand } from './mask-text.ts'

describe('words of a command', () => {
  const folders = { root: '/w s', ownerHome: '/home/o' }
  it.each([
    ['"$CLAUDE_PROJECT_DIR"/a.sh', '/w s/a.sh'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
    ['"${CLAUDE_PROJECT_DIR}/my dir/a.sh" x', '/w s/my dir/a.sh'],
    ["sh -c 'cd x; ./b.sh'", './b.sh'],
    ['node --import=./hook.mjs app.js', './hook.mjs'],
    ['a&&b.sh|c.sh>d', 'c.sh'],
    ['~/bin/x', '/home/o/bin/x'],
    ['my\\ file.sh', 'my file.sh'],
    ['$(./sub.sh)', './sub.sh'],
    ['`./tick.sh`', './tick.sh'],
  ])('of %s have %s', (text, word) => {
    expect(commandWords(text, folders)).toContain(word)
  })

  it('are never the place itself, and too many are reported', () => {
    expect(commandWords('. .. ./ / ""', folders)).toEqual(['. .. ./ / ""'])
    expect(commandWords(Array.from({ length: 600 }, (_, at) => at).join(' '), folders)).toBeUndefined()
  })
})

/** What a text becomes by the hunks of a unified diff. Throws where they are not of this text. */
function patched(before: string, diff: string): string {
  const old = before.split('\n')
  if (old.at(-1) === '') old.pop()
  const now: string[] = []
  let at = 0
  const lines = diff === '' ? [] : diff.split('\n')
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const numbers = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line)?.slice(1).map(Number)
    const [oldStart = Number.NaN, oldCount = 0, newStart = 0, newCount = 0] = numbers ?? []
    const first = oldCount === 0 ? oldStart : oldStart - 1
    while (at < first) now.push(old[at++] ?? '')
    expect([at, now.length]).toEqual([first, newCount === 0 ? newStart : newStart - 1])
    const end = { old: at + oldCount, now: now.length + newCount }
    while (at < end.old || now.length < end.now) {
      const next = lines.shift() ?? '?'
      if (next.startsWith('\\')) continue
      expect(next).toMatch(/^[-+ ]/)
      if (!next.startsWith('+')) expect(old[at++]).toBe(next.slice(1))
      if (!next.startsWith('-')) now.push(next.slice(1))
    }
    expect([at, now.length]).toEqual([end.old, end.now])
    if (lines[0]?.startsWith('\\')) lines.shift()
  }
  return [...now, ...old.slice(at)].join('\n')
}

describe('a diff', () => {
  const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].join('\n')

  it('shows what changed, with a little around it', () => {
    expect(lineDiff(letters, letters.replace('d', 'D')).diff).toBe('@@ -2,5 +2,5 @@\n b\n c\n-d\n+D\n e\n f')
  })

  it('has a hunk for each place, with the numbers of both sides', () => {
    const after = letters.replace('b\n', '').replace('j', 'J\nJJ')
    expect(lineDiff(letters, after).diff.split('\n')).toEqual([
      '@@ -1,4 +1,3 @@',
      ...[' a', '-b', ' c', ' d'],
      '@@ -8,5 +7,6 @@',
      ...[' h', ' i', '-j', '+J', '+JJ', ' k', ' l'],
    ])
    // What lies between is too little to be left out.
    expect(lineDiff(letters, letters.replace('b', 'B').replace('g', 'G')).diff.match(/@@ .* @@/g)).toEqual([
      '@@ -1,9 +1,9 @@',
    ])
  })

  it('of what is new or gone has no line of the other side', () => {
    expect(lineDiff('', 'x\ny\n').diff).toBe('@@ -0,0 +1,2 @@\n+x\n+y')
    expect(lineDiff('x\ny', '').diff).toBe('@@ -1,2 +0,0 @@\n-x\n-y')
    expect(lineDiff('', '')).toEqual({ diff: '', cut: false })
  })

  it('says where only the last line break is another', () => {
    const mark = '\\ No newline at end of file'
    expect(lineDiff('x\ny', 'x\ny\n').diff).toBe(`@@ -1,2 +1,2 @@\n x\n-y\n${mark}\n+y`)
    expect(lineDiff('x\ny\n', 'x\ny').diff).toBe(`@@ -1,2 +1,2 @@\n x\n-y\n+y\n${mark}`)
  })

  it('makes of the one text the other, for any texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', '-', '@@ -1,1 +1,1 @@'), { maxLength: 30 })
      .map((lines) => lines.join('\n'))
    const lines = (of: string) => (of === '' || of.endsWith('\n') ? of.slice(0, -1) : of)
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { diff, cut } = lineDiff(before, after)
        expect(cut).toBe(false)
        expect(diff === '').toBe(before === after)
        expect(patched(before, diff)).toBe(lines(after))
      }),
    )
  })

  it('that is cut counts the lines that it shows', () => {
    const many = Array.from({ length: 300 }, (_, at) => `line ${at}`)
    const { diff, cut } = lineDiff(many.join('\n'), many.map((line) => `${line}!`).join('\n'))
    expect([cut, diff.split('\n').length, diff.split('\n')[0]]).toEqual([true, 200, '@@ -1,199 +0,0 @@'])
    const spread = many.map((line, at) => (at % 10 === 0 ? `${line}!` : line))
    const shown = lineDiff(many.join('\n'), spread.join('\n'))
    expect(shown.cut).toBe(true)
    expect(shown.diff.split('\n').length).toBeLessThanOrEqual(200)
    const reached = patched(many.join('\n'), shown.diff).split('\n')
    expect(reached.slice(0, 250)).toEqual(spread.slice(0, 250))
  })

  it('of a long text shows no more than what changed', () => {
    const long = Array.from({ length: 5000 }, (_, at) => `line ${at}`)
    const { diff, cut } = lineDiff(long.join('\n'), ['first', ...long.slice(1, -1), 'last'].join('\n'))
    expect(cut).toBe(false)
    expect(diff.match(/^[-+].*/gm)).toEqual(['-line 0', '+first', '-line 4999', '+last'])
  })

  it('is bounded', () => {
    const { diff, cut } = lineDiff('a\n'.repeat(50_000), `${'b'.repeat(100_000)}\n`.repeat(100))
    expect(cut).toBe(true)
    expect(diff.length).toBeLessThan(100_000)
  })
})

describe('changes', () => {
  const item = (path: string, more: Partial<CoveredItem> = {}): CoveredItem => ({
    kind: 'file',
    path,
    digest: path,
    runs: [],
    text: 'x',
    secrets: {},
    ...more,
  })

  it('are what was added, removed, and differs, also where nothing of it can be shown', () => {
    const before = [
      item('same'),
      item('gone'),
      item('text'),
      item('secret', { secrets: { 'env.T': 's1' } }),
      item('spacing'),
      item('binary', { text: undefined as never }),
    ]
    const now = [
      item('same'),
      item('text', { digest: '2', text: 'y' }),
      item('secret', { digest: '2', secrets: { 'env.T': 's2' } }),
      item('spacing', { digest: '2' }),
      item('binary', { digest: '2', text: undefined as never }),
      item('new'),
    ]
    const shown = compareItems(before, now).map(({ change, path, diff, notes }) => [
      change,
      path,
      diff,
      ...notes,
    ])
    expect(shown).toEqual([
      ['changed', 'text', '@@ -1,1 +1,1 @@\n-x\n+y'],
      ['changed', 'secret', undefined, 'env.T: value changed'],
      ['changed', 'spacing', undefined, 'Only its spacing or comments changed.'],
      ['changed', 'binary', undefined, 'It changed; it is not text.'],
      ['added', 'new', '@@ -0,0 +1,1 @@\n+x'],
      ['removed', 'gone', '@@ -1,1 +0,0 @@\n-x'],
    ])
  })
})

it('masks the values of flags, headers and addresses in a command line, and keeps the rest as it is', () => {
  expect(maskCommand('curl -H "x-api-key: abc"  --token abc https://u:p@h/x | sh -c \'a b\' ')).toBe(
    'curl -H "x-api-key: •••"  --token ••• https://•••@h/x | sh -c \'a b\' ',
  )
})

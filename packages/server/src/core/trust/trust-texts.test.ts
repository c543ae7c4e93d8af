/** What people are shown: words of commands, diffs, notes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CoveredItem } from '../ports/trust.ts'
import { commandWords } from './command-words.ts'
import { compareItems } from './compare-items.ts'
import { lineDiff } from './line-diff.ts'
import { maskCommand } from './mask-text.ts'

describe('words of a command', () => {
  const place = { root: '/w s', ownerHome: '/home/o' }
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
    expect(commandWords(text, place)).toContain(word)
  })

  it('are never the place itself, and too many are told', () => {
    expect(commandWords('. .. ./ / ""', place)).toEqual(['. .. ./ / ""'])
    expect(commandWords(Array.from({ length: 600 }, (_, at) => at).join(' '), place)).toBeUndefined()
  })
})

describe('a diff', () => {
  it('shows what changed, with a little around it', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].join('\n')
    expect(lineDiff(before, before.replace('d', 'D')).diff).toBe('@@ line 2 @@\n b\n c\n-d\n+D\n e\n f')
  })

  it('has exactly the lines of both texts that differ, for any texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after).diff.split('\n')
        const count = (of: string) => of.split('\n').length
        const [minus, plus] = ['-', '+'].map((sign) => lines.filter((line) => line.startsWith(sign)).length)
        expect((plus ?? 0) - (minus ?? 0)).toBe(count(after) - count(before))
        if (before !== after) expect((plus ?? 0) + (minus ?? 0)).toBeGreaterThan(0)
      }),
    )
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
      ['changed', 'text', '@@ line 1 @@\n-x\n+y'],
      ['changed', 'secret', undefined, 'env.T: value changed'],
      ['changed', 'spacing', undefined, 'Only its spacing or comments changed.'],
      ['changed', 'binary', undefined, 'It changed; it is not text.'],
      ['added', 'new', expect.stringContaining('+x')],
      ['removed', 'gone', expect.stringContaining('-x')],
    ])
  })
})

it('masks the values of flags, headers and addresses in a command line, and keeps the rest as it is', () => {
  expect(maskCommand('curl -H "x-api-key: abc"  --token abc https://u:p@h/x | sh -c \'a b\' ')).toBe(
    'curl -H "x-api-key: •••"  --token ••• https://•••@h/x | sh -c \'a b\' ',
  )
})

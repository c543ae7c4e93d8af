import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeTail } from './complete-tail.ts'

describe('completeTail', () => {
  it.each([
    ['Some **bold te', 'Some **bold te**'],
    ['Some **', 'Some '],
    ['An *emphasis', 'An *emphasis*'],
    ['***both', '***both***'],
    ['Use `npm run', 'Use `npm run`'],
    ['Use `', 'Use '],
    ['Gone ~~away', 'Gone ~~away~~'],
    ['See [the docs](https://exam', 'See the docs'],
    ['See [the do', 'See the do'],
    ['See ![alt](http', 'See alt'],
    ['**Bold [link](ht', '**Bold link**'],
    ['done **bold** and *em* `code`', 'done **bold** and *em* `code`'],
    ['See [x](https://a.b) now', 'See [x](https://a.b) now'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['snake_case_name', 'snake_case_name'],
    ['list[0', 'list[0'],
    ['- [ ] task **no', '- [ ] task **no**'],
    ['- [', '- '],
    ['First **done\n\nSecond', 'First **done\n\nSecond'],
    ['Escaped \\*star', 'Escaped \\*star'],
    ['`**not bold', '`**not bold`'],
  ])('shows %j as %j', (tail, shown) => expect(completeTail(tail)).toBe(shown))

  it.each([
    ['Items:\n-', 'Items:'],
    ['Title\n==', 'Title'],
    ['Code:\n``', 'Code:'],
    ['Next\n#', 'Next'],
  ])('leaves out marks that may become something else: %j', (tail, shown) =>
    expect(completeTail(tail)).toBe(shown),
  )

  it.each([
    ['| a | b', '| a | b|\n|---|---|'],
    ['| a | b |\n|--', '| a | b |\n|---|---|'],
    ['| a | b |\n|:-:|--', '| a | b |\n|:-:|---|'],
    ['Text\n\n| a |', 'Text\n\n| a |\n|---|'],
  ])('shows a table from its first row on: %j', (tail, shown) => expect(completeTail(tail)).toBe(shown))

  it('leaves open code as it is', () => {
    const code = '```js\nconst a = `x\n\n| **b'
    expect(completeTail(code)).toBe(code)
    expect(completeTail(`- item\n\n  ${code}`)).toBe(`- item\n\n  ${code}`)
  })

  it('never fails, and changes nothing but the end', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '**',
        '*',
        '_',
        '`',
        '```',
        '[',
        '](',
        ')',
        '!',
        '|',
        '\n',
        '\n\n',
        '- ',
        '#',
        ' ',
        'word',
        '\\',
        '~~',
        '$$',
        '>',
      ),
    )
    fc.assert(
      fc.property(pieces, (parts) => {
        const tail = `Fixed text.\n\n${parts.join('')}`
        expect(completeTail(tail).startsWith('Fixed text.')).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

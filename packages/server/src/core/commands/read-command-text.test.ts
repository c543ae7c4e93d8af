import { expect, it } from 'vitest'
import { readCommandText } from './read-command-text.ts'

it.each([
  ['plain', 'Do things.\nMore', 'Do things.'],
  ['a heading', '\n\n# A Heading\n\ntext', 'A Heading'],
  ['what is marked otherwise', '\n**Bold** `code`', '**Bold** `code`'],
  ['a long line', 'word '.repeat(100), `${'word '.repeat(19)}wo...`],
  ['nothing', '', ''],
  ['a head alone', '---\nallowed-tools: Bash\n---\n', ''],
  ['a description', '---\ndescription: Makes tea: green # note\n---\nbody', 'Makes tea: green'],
  ['one in quotes', '---\ndescription: "Says: \\"hello\\"" # x\n---\nbody', 'Says: "hello"'],
  ['one in single quotes', "---\ndescription: 'it''s quoted'\n---\nbody", "it's quoted"],
  ['a folded one', '---\ndescription: >-\n  folded\n  over lines\nname: x\n---\nbody', 'folded over lines'],
  ['one over lines', '---\ndescription: |\n  one\n\n  two\n---\nbody', 'one two'],
  ['one that goes on', '---\ndescription: starts here\n  goes on\n---\nbody', 'starts here goes on'],
  ['Windows’ lines', '---\r\ndescription: here\r\n---\r\nbody', 'here'],
  ['what is no YAML', '---\ndescription: [unclosed\n---\nbody', '[unclosed'],
  ['an empty one', '---\ndescription:\n---\nbody', 'body'],
  ['a head that does not end', '---\ndescription: here\nbody', 'here body'.slice(0, 4)],
])('describes %s', (_, text, description) => {
  expect(readCommandText(text).description).toBe(description)
})

it('reads the name, what it takes, and whether people may call it', () => {
  const text = '---\nname: tea\nargument-hint: [kind] [cups]\nuser-invocable: false\n---\nx'
  expect(readCommandText(text)).toMatchObject({
    name: 'tea',
    argumentHint: '[kind] [cups]',
    isHidden: true,
  })
  expect(readCommandText('x')).toMatchObject({ name: undefined, argumentHint: '', isHidden: false })
  expect(readCommandText("---\nuser-invocable: 'false'\n---\nx").isHidden).toBe(true)
  expect(readCommandText('---\nuser-invocable: true\n---\nx').isHidden).toBe(false)
})

it('takes no time for a text made to take long', () => {
  const text = `---\ndescription: "${'\\'.repeat(200_000)}\n${' '.repeat(200_000)}\n---\n${'#'.repeat(200_000)}`
  expect(readCommandText(text).description.length).toBeLessThanOrEqual(2000)
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { resumeCommand } from './resume-command.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'resume-command-')))
afterAll(() => rmSync(root, { recursive: true }))

const id = '0b3f6c1e-1111-4111-8111-111111111111'

it('goes to the directory first', () => {
  expect(resumeCommand('/projects/mine', id)).toBe(`cd '/projects/mine' && claude --resume ${id}`)
  expect(resumeCommand('', id)).toBe(`claude --resume ${id}`)
})

it.each([
  'plain',
  'with space',
  `it's "quoted" $(touch no) \`touch no\` ; touch no`,
  'two\nlines\ttab',
  "back\\slash\nand 'quote'",
  'esc\u001b[201~ \u0003',
  'right\u202eleft \u00e9 \u{1f600}',
  '-dash',
])('a shell finds the directory %j', (name) => {
  const directory = join(root, name)
  mkdirSync(directory)
  const line = resumeCommand(directory, id)
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  const printed = execFileSync('bash', ['-c', `claude() { pwd; printf '%s\\n' "$@"; }; ${line}`], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(printed).toBe(`${directory}\n--resume\n${id}\n`)
})

it('takes a name with a dash in front for a name', () => {
  mkdirSync(join(root, '-'))
  const line = resumeCommand('-', id)
  expect(execFileSync('bash', ['-c', `claude() { pwd; }; ${line}`], { cwd: root, encoding: 'utf8' })).toBe(
    `${join(root, '-')}\n`,
  )
})

it.each([`/x/a\n'; echo hacked #`, `/x/a\\'; echo hacked #`, `/x/$(echo hacked)\t\\`])(
  'a shell without that way of quoting runs nothing of %j',
  (directory) => {
    const line = resumeCommand(directory, id)
    const printed = execFileSync('sh', ['-c', `claude() { :; }; ${line}; echo over`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(printed).toBe('over\n')
    // fish reads a backslash inside of quotes as well: there is none before a quote.
    expect(line.replaceAll(/'\\['\\]'/g, '')).not.toMatch(/\\'/)
  },
)

it('keeps an odd id one word, and no option', () => {
  expect(resumeCommand('', 'a b; c')).toBe(`claude --resume='a b; c'`)
  expect(resumeCommand('', '--dangerous')).toBe(`claude --resume='--dangerous'`)
})

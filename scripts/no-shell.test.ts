import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../packages', import.meta.url))

/** Code of the packages, without comments and tests, by its path. */
const sources = readdirSync(packages).flatMap((name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => {
      const text = readFileSync(join(packages, name, 'src', file), 'utf8')
      return { path: join(name, 'src', file), code: text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '') }
    }),
)
const starting = sources.filter(({ code }) => code.includes("'node:child_process'"))
const where = (pattern: RegExp, from = starting) =>
  from.filter(({ code }) => pattern.test(code)).map(({ path }) => path)

it('no shell reads what a program is started with, but where a command for a shell is what there is', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(starting.length).toBeGreaterThan(5)
  // By name and one by one, so that the next line sees them all.
  expect(where(/import (?!type\b)[^{]*'node:child_process'|import\('node:child_process'\)/)).toEqual([])
  expect(where(/import \{[^}]*\bexec(Sync)?\b[^}]*\} from 'node:child_process'/)).toEqual([])
  expect(where(/\bshell: (?!false\b)|[{,]\s*shell\s*[,}]/)).toEqual([])
  expect(where(/['"`](ba|da|z)?sh['"`]/)).toEqual([])
  expect(where(/\/bin\/\w*sh['"`]/, sources).toSorted()).toEqual([
    // Its script is fixed; the command to run in the container comes after it, as words.
    'server/src/adapters/container/container-command.ts',
    // A hook is a command for a shell, which a person saw and allowed.
    'server/src/adapters/hook-runner/hook-runner.ts',
    // So is the helper in the owner's own settings.
    'server/src/credentials/api-key-helper.ts',
  ])
})

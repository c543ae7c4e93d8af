import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

interface Step {
  file: string
  /** Reached otherwise than by an import. */
  isApart: boolean
}

/** The fenced lists of the page: a folder with a colon, and below it files of that folder. */
const walks = [...page.matchAll(/(\d+) files\.\n\n```walk (\w+)\n([\s\S]*?)```/g)].map(
  ([, count = '', name = '', list = '']) => ({ name, count: Number(count), steps: stepsOf(list) }),
)

function stepsOf(list: string): Step[] {
  let folder = ''
  return list.split('\n').flatMap((line) => {
    if (!line.startsWith(' ')) folder = line.replace(/:$/, '')
    else
      return line
        .trim()
        .split(/\s+/)
        .map((name) => ({ file: join(folder, name.replace('*', '')), isApart: name.endsWith('*') }))
    return []
  })
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )
}

it('there are three', () => {
  expect(walks.map(({ name }) => name)).toEqual(['message', 'question', 'mcp'])
})

describe.each(walks)('the walk of $name', ({ count, steps }) => {
  const files = steps.map(({ file }) => file)

  it('names files that are there, each once, and how many', () => {
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
    expect(files).toHaveLength(count)
  })

  it('is one way: each file imports another of it, or is imported by one, but for those that it marks', () => {
    const links = files.flatMap((file) =>
      importsOf(file).flatMap((to) => (files.includes(to) ? [[file, to]] : [])),
    )
    const linked = new Set(links.flat())
    expect(steps.filter(({ file, isApart }) => linked.has(file) === isApart)).toEqual([])
  })
})

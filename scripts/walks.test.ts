import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Walk {
  name: string
  count: number
  files: string[]
  /** Of these, the ones that are reached over a wire and not by an import. */
  afterWire: ReadonlySet<string>
  beside: string[]
}

/** The fenced lists of the page: a folder with a colon, below it files of that folder; a wire begins with `=`. */
const walks = [
  ...read('docs/architecture.md').matchAll(/(\d+) files\.\n\n```walk (\w+)\n([\s\S]*?)```/g),
].map(([, count = '', name = '', list = '']) => toWalk(name, Number(count), list))

function toWalk(name: string, count: number, list: string): Walk {
  const files: string[] = []
  const beside: string[] = []
  const afterWire = new Set<string>()
  let folder = ''
  let isWire = true
  for (const line of list.split('\n').filter((one) => one !== '')) {
    if (line.startsWith('=')) isWire = true
    else if (line.startsWith(' ')) {
      const [, leadsAside, names = ''] = /^\s+(beside: )?(.*)$/.exec(line) ?? []
      for (const file of names.split(/\s+/).map((one) => join(folder, one)))
        if (leadsAside) beside.push(file)
        else {
          if (isWire) afterWire.add(file)
          isWire = false
          files.push(file)
        }
    } else folder = line.replace(/:$/, '')
  }
  return { name, count, files, afterWire, beside }
}

interface Import {
  to: string
  isTypeOnly: boolean
}

/** What `text` imports or exports again: the names, and where from. */
function* clausesOf(text: string) {
  for (const [, type, clause = '', from = ''] of text.matchAll(
    /^(?:import|export) (type )?([^'";]*?) ?from '([^']+)'/gm,
  )) {
    const names = (/\{([^}]*)\}/.exec(clause)?.[1] ?? '').split(',').flatMap((one) => {
      const [, isType, name = '', as = name] = /^\s*(type )?(\w+)(?: as (\w+))?/.exec(one) ?? []
      return name === '' ? [] : [{ name, as, isTypeOnly: Boolean(type ?? isType) }]
    })
    yield {
      from,
      names,
      isTypeOnly: Boolean(type) || (names.length > 0 && names.every((one) => one.isTypeOnly)),
    }
  }
  for (const [, from = ''] of text.matchAll(/import\(\s*'([^']+)'/g))
    yield { from, names: [], isTypeOnly: false }
}

/** Of each package, by its name: the file that each name of its entry is from. */
const entries = new Map(
  readdirSync(join(root, 'packages')).flatMap((folder) => {
    const entry = join('packages', folder, 'src/index.ts')
    if (!existsSync(join(root, entry))) return []
    const { name } = JSON.parse(read(join('packages', folder, 'package.json'))) as { name: string }
    const names = [...clausesOf(read(entry))].flatMap((clause) =>
      clause.names.map(({ as }) => [as, join(dirname(entry), clause.from)] as const),
    )
    return [[name, new Map(names)] as const]
  }),
)

const importsOf = memoised((file: string): Import[] =>
  [...clausesOf(read(file))].flatMap(({ from, names, isTypeOnly }) => {
    if (from.startsWith('.')) return [{ to: join(dirname(file), from), isTypeOnly }]
    const entry = entries.get(from)
    return names.flatMap((one) => {
      const to = entry?.get(one.name)
      return to === undefined ? [] : [{ to, isTypeOnly: one.isTypeOnly }]
    })
  }),
)

function memoised<T>(make: (file: string) => T): (file: string) => T {
  const made = new Map<string, T>()
  return (file) => {
    if (!made.has(file)) made.set(file, make(file))
    return made.get(file) as T
  }
}

const runtimeImportsOf = (file: string): string[] =>
  importsOf(file).flatMap(({ to, isTypeOnly }) => (isTypeOnly || !existsSync(join(root, to)) ? [] : [to]))

it('there are three', () => {
  expect(walks.map(({ name }) => name)).toEqual(['message', 'question', 'mcp'])
})

describe.each(walks)('the walk of $name', ({ count, files, afterWire, beside }) => {
  it('names files that are there, each once, and how many', () => {
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
    expect(files).toHaveLength(count)
  })

  it('is one way: each file imports one before it or is imported by one, unless a wire leads to it', () => {
    const isLinked = (one: string, other: string) => importsOf(one).some(({ to }) => to === other)
    const unlinked = files.filter(
      (file, at) => !files.slice(0, at).some((before) => isLinked(before, file) || isLinked(file, before)),
    )
    expect(unlinked.filter((file) => !afterWire.has(file))).toEqual([])
  })

  it('leaves out nothing that lies between two of its files, but what it says leads elsewhere', () => {
    const between = files
      .flatMap(runtimeImportsOf)
      .filter((file) => !files.includes(file) && runtimeImportsOf(file).some((to) => files.includes(to)))
    expect([...new Set(between)].toSorted()).toEqual(beside.toSorted())
  })
})

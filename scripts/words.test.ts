/** Names are of words that a reader of the field expects: these were used for too many things, and are not identifiers any more. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, it } from 'vitest'

/** Names in JSON that is stored or sent: whoever reads it would have to change with it. */
const inJson: ReadonlyMap<string, readonly string[]> = new Map(
  [
    'adapters/sqlite/sqlite-records.ts',
    'adapters/sqlite/sqlite-records.test.ts',
    'adapters/sqlite/worker/mcp-operations.ts',
    'config/config-error.ts',
    'core/mcp/mcp-service.ts',
    'core/mcp/sign-in-key.ts',
  ].map((file) => [join('server/src', file), ['place']]),
)

const unwanted =
  /\b(tell(s|ing)?|told|seat(s|ed)?|standing|forgave|forgive[ns]?|put right|plac(es?|ed|ing))\b/

const packages = fileURLToPath(new URL('../packages', import.meta.url))
const sources = readdirSync(packages).flatMap((name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(name, 'src', file)),
)

const isUnwanted = (identifier: string): boolean =>
  unwanted.test(
    identifier
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
      .replaceAll(/[^A-Za-z\d]+/g, ' ')
      .toLowerCase(),
  )

function identifiersOf(path: string, code: string): Set<string> {
  const found = new Set<string>()
  const add = ({ name }: { name: string }) => found.add(name)
  new Visitor({ Identifier: add, PrivateIdentifier: add, JSXIdentifier: add }).visit(
    parseSync(path, code).program,
  )
  return found
}

it('no identifier and no file is named by a word that means too much', () => {
  expect(sources.length).toBeGreaterThan(1500)
  const found = sources.flatMap((path) => {
    const code = readFileSync(join(packages, path), 'utf8')
    // Most have none in any case, and need not be parsed.
    const identifiers = /tell|told|seat|standing|forg[ai]ve|right|plac/i.test(code)
      ? identifiersOf(path, code)
      : []
    return [basename(path), ...identifiers]
      .filter((one) => isUnwanted(one) && !inJson.get(path)?.includes(one))
      .map((one) => `${path}: ${one}`)
  })
  expect(found).toEqual([])
})

it.each([
  'place',
  'placeOf',
  'StreamPlaces',
  'isTold',
  'tellAll',
  'seat',
  'putRight',
  'own_place',
  'forgiven',
])('%s is such a name', (name) => expect(isUnwanted(name)).toBe(true))

it.each(['placeholder', 'marketplace', 'replaceAll', 'outstanding', 'storyteller'])('%s is none', (name) =>
  expect(isUnwanted(name)).toBe(false),
)

it('identifiers are seen wherever they stand', () => {
  const code =
    'class A { #a = 1; b() { const { c: d } = e } }\nconst f = <G h={i}>{"told"}</G> // told\ntype J = { k: L }'
  expect([...identifiersOf('x.tsx', code)].toSorted().join(' ')).toBe('A G J L a b c d e f h i k')
})

it('an exported name of the server means one thing', () => {
  const names = new Map<string, string[]>()
  const server = join(packages, 'server/src')
  for (const file of readdirSync(server, { recursive: true, encoding: 'utf8' })) {
    if (!/^(?!.*\.(test|conformance)\.).*\.ts$/.test(file)) continue
    for (const [, name = ''] of readFileSync(join(server, file), 'utf8').matchAll(
      /^export (?:async )?(?:class|interface|type|function\*?|const) (\w+)/gm,
    ))
      names.set(name, [...(names.get(name) ?? []), file])
  }
  expect(names.size).toBeGreaterThan(800)
  expect([...names].filter(([, files]) => new Set(files).size > 1)).toEqual([])
})

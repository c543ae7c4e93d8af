/** Names are of words that a reader of the field expects: these were used for too many things, and are not identifiers any more. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = join(root, 'packages')
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

/** In prose these words are fine where they mean what they mean everywhere: told to stop, tells one from another. */
const unwantedInProse =
  /\b((is|are|was|were|be|been|being) told (?!to\b|otherwise\b|apart\b)|told of|tells? of|puts? (\w+ ){0,3}right\b(?! (after|away|before|behind))|seat(s|ed)?|forgave|forgive[ns]?)\b/i

function proseOf(path: string, code: string): string[] {
  const comments = parseSync(path, code).comments.map(({ value }) => value.replaceAll(/\s+(\* )?/g, ' '))
  const titles = [...code.matchAll(/^\s*(?:it|describe)(?:\.\w+)*\(\s*(['"`])(.*?)\1,/gm)]
  return [...comments, ...titles.map(([, , title = '']) => title)]
}

it('comments and titles say publish, report or repair where they mean it', () => {
  const found = sources.flatMap((path) => {
    const code = readFileSync(join(packages, path), 'utf8')
    if (!unwantedInProse.test(code)) return []
    return proseOf(path, code).flatMap((one) => (unwantedInProse.test(one) ? `${path}: ${one}` : []))
  })
  expect(found).toEqual([])
})

it('prose is what comments and titles say, and not code', () => {
  const code =
    "it('is told late', () => x.told)\n/** Puts a session\n * right. */\nconst a = 'is told of it' // told of"
  expect(proseOf('server/x.ts', code).filter((one) => unwantedInProse.test(one))).toEqual([
    '* Puts a session right. ',
    ' told of',
    'is told late',
  ])
  expect(unwantedInProse.test('It is told to stop, and tells one from another.')).toBe(false)
})

/** Exported twice on purpose: once as it is, once as what loads it on first use or in its own words. */
const exportedTwice: ReadonlyMap<string, RegExp> = new Map([
  ['claude-code-agent', /^transcripts\/on-disk\.ts$/],
  ['client', /^(approvals\/deferred-approval-card\.tsx|ui\/menu\.tsx|text\/.*|.*test-support\/.*)$/],
])

it.each(readdirSync(packages))('an exported name of %s means one thing', (name) => {
  const names = new Map<string, Set<string>>()
  const exported = /^export (?:async )?(?:class|interface|type|function\*?|const) (\w+)/gm
  for (const path of sources.filter((one) => one.startsWith(join(name, 'src/')))) {
    const file = path.slice(join(name, 'src/').length)
    if (/\.(test|conformance)\./.test(file) || exportedTwice.get(name)?.test(file)) continue
    for (const [, one = ''] of readFileSync(join(packages, path), 'utf8').matchAll(exported))
      names.set(one, (names.get(one) ?? new Set()).add(file))
  }
  expect(names.size).toBeGreaterThan(10)
  expect([...names].filter(([, files]) => files.size > 1)).toEqual([])
})

/** Types and classes that two packages export although one can see the other, and why. */
const meanTheSame: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CliMessage: 'a line of the CLI: the core may not import the SDK',
    ContentBlock: 'a block of the Messages API: the core may not import the SDK',
    ElicitationRequest: 'of the protocol: the SDK and mcp-gateway know nothing of each other',
    ElicitationResult: 'of the protocol: the SDK and mcp-gateway know nothing of each other',
    JsonRpcMessage: 'of the protocol: the SDK and mcp-gateway know nothing of each other',
    JsonSchema: 'of the standard: the SDK knows nothing of the contract',
    MessageState: 'of a message to the CLI: the core may not import the SDK',
    PermissionMode: 'of the CLI: the SDK knows nothing of the contract',
    Session: 'one conversation: the object that runs it, and the resource of the API',
    SettingSource: 'of the CLI: the core may not import the SDK',
    TextBlock: 'a block of the Messages API: the SDK and scripted-model know nothing of each other',
    TurnOutcome: 'how a turn ended: the SDK knows nothing of the contract, which has more of them',
  }),
)

interface Exported {
  /** By the file that declares it. */
  declared: Set<string>
  /** What others can import. */
  published: Set<string>
  dependencies: Set<string>
}

function exportedOf(name: string): Exported {
  const paths = sources.filter(
    (one) => one.startsWith(join(name, 'src/')) && !/\.(test|conformance)\./.test(one),
  )
  const texts = paths.map((path) => readFileSync(join(packages, path), 'utf8'))
  const declaration = /^export (?:abstract )?(?:class|interface|type|const|function) ([A-Z]\w+)/gm
  const index = paths.find((path) => path === join(name, 'src/index.ts'))
  const lists = index
    ? readFileSync(join(packages, index), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)
    : []
  const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return {
    declared: new Set(texts.flatMap((text) => [...text.matchAll(declaration)].map(([, one = '']) => one))),
    published: new Set(
      [...lists].flatMap(([, list = '']) =>
        list.split(',').map((one) =>
          one
            .trim()
            .replace(/^type /, '')
            .replace(/^\w+ as /, ''),
        ),
      ),
    ),
    dependencies: new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })),
  }
}

it('nor does it mean another in two packages, where one reader meets both', () => {
  const all = readdirSync(packages).map((name) => {
    const { name: published } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
    return { name, package: String(published), ...exportedOf(name) }
  })
  const twice = all.flatMap((owner) =>
    all
      .filter((other) => other !== owner)
      .flatMap((other) =>
        [...owner.declared]
          .filter((one) => owner.published.has(one) && other.declared.has(one))
          // The contract's names are those of the glossary, for all; others are met by who imports both, or one from the other.
          .filter(
            (one) =>
              owner.name === 'shared' || other.published.has(one) || other.dependencies.has(owner.package),
          )
          .map((one) => ({ one, where: `${one}: ${owner.name}, ${other.name}` })),
      ),
  )
  expect(twice.filter(({ one }) => !meanTheSame.has(one)).map(({ where }) => where)).toEqual([])
  // An exception that is none any more goes.
  expect([...meanTheSame.keys()].filter((name) => !twice.some(({ one }) => one === name))).toEqual([])
})

/** The table at the end of `docs/style.md`: words that read as translated, or that the field has a better one for. */
const avoided = [
  ...readFileSync(join(root, 'docs/style.md'), 'utf8').matchAll(/^\| (.+?) \| .+? \| (yes)? ?\|$/gm),
].flatMap(([, words = '', onlyOnPage]) =>
  words.split(', ').map((word) => ({ word, isOnlyOnPage: onlyOnPage !== undefined })),
)

function avoidedIn(prose: string, isPage: boolean): string[] {
  return avoided.flatMap(({ word, isOnlyOnPage }) =>
    (isPage || !isOnlyOnPage) && new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i').test(prose)
      ? [`${word}: ${prose}`]
      : [],
  )
}

/** What strings of code say to people; names and keys are one word. */
function sentencesOf(path: string, code: string): string[] {
  const found: string[] = []
  const add = (words: unknown) => typeof words === 'string' && /\s/.test(words) && found.push(words)
  new Visitor({
    Literal: ({ value }) => void add(value),
    TemplateElement: ({ value }) => void add(value.cooked),
  }).visit(parseSync(path, code).program)
  return found
}

/** Without code, links and titles of tests, which name things as they are. */
const proseOfMarkdown = (markdown: string): string[] =>
  markdown
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`|\]\([^)]*\)(: “[^\n]*?”(?= \|))?/g, '')
    .split(/\n+/)

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  join('benchmarks', 'README.md'),
  join('examples', 'README.md'),
  ...[
    'docs',
    join('docs', 'decisions'),
    ...readdirSync(packages).map((name) => join('packages', name, 'docs')),
  ]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.md') && file !== join('docs', 'style.md')),
  ...readdirSync(packages).map((name) => join('packages', name, 'README.md')),
]

/** The page shows the server's sentences as its own. */
const textsOfPage = [join('client/src/text/en/'), join('shared/src/words/')].map((folder) =>
  sources.filter((path) => path.startsWith(folder) && !path.includes('.test.')),
)

it('texts of the page and sentences of the server avoid the words that docs/style.md avoids', () => {
  for (const texts of textsOfPage) expect(texts.length).toBeGreaterThan(10)
  expect(avoided.length).toBeGreaterThan(40)
  const found = textsOfPage
    .flat()
    .flatMap((path) =>
      sentencesOf(path, readFileSync(join(packages, path), 'utf8')).flatMap((one) => avoidedIn(one, true)),
    )
  expect(found).toEqual([])
})

it('so does the command line', () => {
  const commands = sources.filter((path) => path.startsWith(join('cli/src/')) && !path.includes('.test.'))
  expect(commands.length).toBeGreaterThan(30)
  const found = commands.flatMap((path) =>
    sentencesOf(path, readFileSync(join(packages, path), 'utf8')).flatMap((one) => avoidedIn(one, false)),
  )
  expect(found).toEqual([])
})

it.each(documents)('so does %s', (path) => {
  const prose = proseOfMarkdown(readFileSync(join(root, path), 'utf8'))
  expect(prose.flatMap((one) => avoidedIn(one, false))).toEqual([])
})

it('an avoided word is seen in sentences, and not in code, names or longer words', () => {
  const code = "const stands = 'stands'; say('It stands here', `By itself`, 'understands it')"
  expect(sentencesOf('x.ts', code).flatMap((one) => avoidedIn(one, false))).toEqual([
    'stands: It stands here',
    'by itself: By itself',
  ])
  const markdown = 'It `stands`.\n```sh\nstands\n```\n| a | [x](stands.md): “stands” |'
  expect(proseOfMarkdown(markdown).join('')).toBe('It .| a | [x |')
  expect(avoidedIn('It holds.', true)).toEqual(['holds: It holds.'])
  expect(avoidedIn('It holds.', false)).toEqual([])
})

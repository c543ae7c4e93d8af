import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { undocumentedVariables } from 'claude-code-agent'
import { expect, it } from 'vitest'
import { minimumCliVersion } from '../packages/claude-code-agent/src/transport/minimum-version.ts'
import { isOlder } from './run-cases.ts'
import { contractCases } from './suite.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const declaring = 'packages/claude-code-agent/src/launch/undocumented-variables.ts'

/** What runs in production. The test kit and the scripted model play the CLI's and the API's side, and programs for tests start it bare. */
const packages = ['claude-code-agent', 'server', 'mcp-gateway', 'shared', 'cli', 'client']

const sources = packages.flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|conformance)\.tsx?$/.test(file))
    .map((file) => join('packages', name, 'src', file)),
)

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Those that the reference of the CLI's environment variables explains as we use them. */
const documented = [
  ...[
    'CLAUDECODE',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_SHELL_PREFIX',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_PLUGIN_ROOT',
    'CLAUDE_PLUGIN_DATA',
    'CLAUDE_PID',
  ],
  ...[
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_SUBAGENT_MODEL',
  ],
  ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
  ...['CLAUDE_CODE_SKIP_BEDROCK_AUTH', 'CLAUDE_CODE_SKIP_VERTEX_AUTH', 'CLAUDE_CODE_SKIP_FOUNDRY_AUTH'],
  ...[
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'DISABLE_TELEMETRY',
    'DISABLE_AUTOUPDATER',
    'ENABLE_TOOL_SEARCH',
  ],
  ...[
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_MODEL',
  ],
  ...['ANTHROPIC_SMALL_FAST_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION', 'ANTHROPIC_DEFAULT_OPUS_MODEL'],
  ...['ANTHROPIC_DEFAULT_SONNET_MODEL', 'ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_BEDROCK_BASE_URL'],
  ...['ANTHROPIC_VERTEX_PROJECT_ID', 'ANTHROPIC_VERTEX_BASE_URL', 'ANTHROPIC_FOUNDRY_RESOURCE'],
  ...['ANTHROPIC_FOUNDRY_BASE_URL', 'ANTHROPIC_FOUNDRY_API_KEY'],
]

/** Named like the CLI's, and read or set by us alone. */
const ours = ['CLAUDE_CODE_PATH', 'CLAUDE_CODE_AGENT_PROCESS']

/** Files that name a version of the CLI in a comment, and rely on nothing that a case could show. */
const withoutCase: Record<string, string> = {
  'packages/claude-code-agent/src/transport/find-cli.ts':
    'It is about packages of versions that are older than any that is accepted.',
  'packages/server/src/core/event-map/dropped-messages.ts':
    'It hides a notice that the CLI gives at times of its own choice, in a mode that sessions do not have.',
}

const undocumented: string[] = Object.values(undocumentedVariables).map(({ name }) => name)

it('gives every case an id of its own and files that are there', () => {
  const ids = contractCases.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  const missing = contractCases
    .flatMap(({ reliedOnBy }) => reliedOnBy)
    .filter((file) => !existsSync(join(root, file)))
  expect(missing).toEqual([])
  expect(contractCases.filter(({ reliedOnBy }) => reliedOnBy.length === 0)).toEqual([])
})

it('has in docs/contract.md the counts of a whole run: as many cases as there are', () => {
  const rows = [...read('docs/contract.md').matchAll(/^\| 2\.1\.\d+ \(.+\) \| (\d+) \| (\d+) \| (\d+)\b/gm)]
  const counts = rows.map(([, ...numbers]) => numbers.map(Number).reduce((sum, number) => sum + number))
  expect(counts).toEqual([contractCases.length, contractCases.length])
})

it('shows by a case what each file relies on that names a version of the CLI in a comment', () => {
  const relying = new Set(contractCases.flatMap(({ reliedOnBy }) => reliedOnBy))
  const naming = sources.filter((file) => /\b2\.1\.\d+\b/.test(commentsOf(file).join('\n')))
  const unshown = naming.filter((file) => !relying.has(file))
  expect(unshown.toSorted()).toEqual(Object.keys(withoutCase).toSorted())
})

it('holds no case on which safety hangs for newer than the oldest CLI that is accepted', () => {
  const newer = contractCases.filter(
    ({ security, since }) => security && since && isOlder(minimumCliVersion, since.version),
  )
  expect(newer.map(({ id }) => id)).toEqual([])
})

it('shows each undocumented variable by a case that sets or looks at it', () => {
  for (const { name, shownBy } of Object.values(undocumentedVariables)) {
    const one = contractCases.find(({ id }) => id === shownBy)
    expect(one, `${name}: ${shownBy} is no case`).toBeDefined()
    // A title alone shows nothing.
    expect(`${one?.observe} ${JSON.stringify(one?.expected)}`, `${name} is not in ${shownBy}`).toContain(name)
  }
})

it('names undocumented variables in one file alone', () => {
  const used = sources
    .filter((file) => file !== declaring)
    .flatMap((file) => wordsOf(file).map((word) => ({ file, word })))
    .filter(({ word }) => undocumented.includes(word))
  expect(used).toEqual([])
})

it('knows of every variable of the CLI whether a document explains it, and of no other', () => {
  const known = [...documented, ...ours, ...undocumented]
  const used = new Set(sources.flatMap(wordsOf))
  expect(known.toSorted()).toEqual([...used].toSorted())
})

const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm

function commentsOf(file: string): string[] {
  return read(file).match(comments) ?? []
}

function wordsOf(file: string): string[] {
  const text = read(file).replace(comments, '')
  return (
    text.match(
      /\b(?:CLAUDECODE|CLAUDE_[A-Z_]+[A-Z]|ANTHROPIC_[A-Z_]+[A-Z]|(?:DISABLE|ENABLE)_[A-Z_]+[A-Z]|IS_SANDBOX)\b/g,
    ) ?? []
  )
}

/** Ways to have something run that trust does not show, cover or close. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TrustFiles } from '../../core/ports/trust.ts'
import { createTrustFiles, type TrustFilesOptions } from './trust-files.ts'

let base: string
let root: string
let files: TrustFiles
const make = (more: Partial<TrustFilesOptions> = {}) =>
  createTrustFiles({
    key: Buffer.alloc(32),
    ownerHome: join(base, 'owner'),
    closedFolders: [join(base, 'owner/.dorkos')],
    claudeConfigDir: join(base, 'owner/.claude'),
    ...more,
  })

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-hidden-')))
  root = join(base, 'owner/project')
  await mkdir(root, { recursive: true })
  files = make()
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function put(path: string, content: unknown): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
  await writeFile(file, isRaw ? content : JSON.stringify(content))
  return file
}
const read = () => files.read(root, { texts: true })
const hook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } })
const scripts = async () =>
  (await read()).items.filter(({ kind }) => kind === 'script').map(({ path }) => path)
const closed = async () => {
  const { closedFiles } = await files.read(root)
  return closedFiles.map((file) => file.slice(root.length + 1))
}

describe('a file that others may read in another way', () => {
  const servers = '{"mcpServers":{"one":{"command":"node","args":["./server.js"]}}}'
  it.each<[string, string, Buffer]>([
    ['.mcp.json', 'UTF-8', Buffer.concat([Buffer.from(servers), Buffer.from([0x2f, 0x2f, 0xff])])],
    ['.mcp.json', 'UTF-8', Buffer.from(`${servers}//\0`)],
    ['.mcp.json', 'not JSON', Buffer.from(`${servers}}`)],
    [
      '.claude/settings.json',
      'UTF-8',
      Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    ],
    ['.claude/settings.local.json', 'UTF-8', Buffer.from('{}//\0')],
    ['.claude/settings.json', 'not JSON', Buffer.from('{"a" 1}')],
    ['.claude/settings.json', 'deeply', Buffer.from(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
    [
      '.claude/agents/a.md',
      'UTF-8',
      Buffer.concat([Buffer.from('---\nhooks: x\n---\n'), Buffer.from([0xff])]),
    ],
  ])('cannot be trusted: %s, %s', async (path, reason, content) => {
    await put(path, content)
    for (const texts of [true, false])
      expect((await make().read(root, { texts })).faults).toEqual([
        { path, reason: expect.stringContaining(reason) },
      ])
  })

  it('is no fault when it is empty', async () => {
    await put('.claude/settings.json', '')
    expect((await read()).faults).toEqual([])
  })
})

it('shows the code that a server is given, and what its variables load', async () => {
  await put('.mcp.json', {
    mcpServers: {
      one: { command: 'node', args: ['-e', 'run("evil")'], env: { NODE_OPTIONS: '--import ./load.mjs' } },
    },
  })
  await put('load.mjs', '1')
  const runs = (await read()).items.flatMap((item) => item.runs)
  expect(runs.join('\n')).toContain('evil')
  expect(runs).toContain('env NODE_OPTIONS: --import ./load.mjs')
  expect(await scripts()).toEqual(['load.mjs'])
})

it('does not wait for texts made to be slow', async () => {
  await put('.claude/settings.json', { x: `a${' '.repeat(400_000)}b`, y: `a${' '.repeat(400_000)}` })
  expect((await files.read(root)).faults).toEqual([])
  expect((await read()).faults).toEqual([])
})

describe('a script is covered', () => {
  it.each([
    ['sh "$(cd . && pwd -P)"/scripts/x.sh', 'scripts/x.sh'],
    ['"$(git rev-parse --show-toplevel)"/scripts/x.sh', 'scripts/x.sh'],
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: as a shell has it
    ['${ROOT}/scripts/x.sh', 'scripts/x.sh'],
    ['$ROOT/scripts/x.sh', 'scripts/x.sh'],
    ['${CLAUDE_PROJECT_DIR%/}/scripts/x.sh', 'scripts/x.sh'],
    ['node ${X:-./scripts/y.js}', 'scripts/y.js'],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as a shell has it
    ['node ./scripts/y', 'scripts/y.js'],
    ['node ./scripts/pkg', 'scripts/pkg/index.js'],
    ['node ./scripts/main', 'scripts/main/lib/start.js'],
    ['node .', 'index.js'],
    ['python3 scripts/app', 'scripts/app/__main__.py'],
    ['cd scripts && python3 -m mod.sub', 'scripts/mod/sub.py'],
  ])('by %s', async (command, script) => {
    await put('.claude/settings.json', hook(command))
    for (const path of [
      'scripts/x.sh',
      'scripts/y.js',
      'scripts/pkg/index.js',
      'index.js',
      'scripts/mod/sub.py',
    ])
      await put(path, '1')
    await put('scripts/app/__main__.py', '1')
    await put('scripts/main/package.json', { main: 'lib/start' })
    await put('scripts/main/lib/start.js', '1')
    expect(await scripts()).toContain(script)
    expect(await closed()).toContain(script)
  })

  it('by a default in the arguments of a server', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the file has it
    await put('.mcp.json', { mcpServers: { one: { command: 'node', args: ['${X:-./server.js}'] } } })
    await put('server.js', '1')
    expect(await scripts()).toEqual(['server.js'])
  })

  it('and folders that no program runs stay open', async () => {
    await put('.claude/settings.json', hook('eslint ./src . && cd src'))
    await put('src/index.js', '1')
    await put('index.js', '1')
    expect(await scripts()).toEqual([])
  })
})

describe('a script that is not there', () => {
  it.each([
    ['bash ./scripts/late.sh', 'scripts/late.sh'],
    ['"$CLAUDE_PROJECT_DIR"/scripts/late --fast', 'scripts/late'],
    ['"$CLAUDE_PROJECT_DIR/my dir/late.sh"', 'my dir/late.sh'],
    ['$(git rev-parse --show-toplevel)/scripts/late.sh', 'scripts/late.sh'],
    ['sh late.sh', 'late.sh'],
    ['sh bin/late', 'bin/late'],
    ['node ./late', 'late.js'],
    ['sh link/late.sh', 'bin/late.sh'],
    ['sh dangling.sh', 'made-later.sh'],
  ])('is closed: %s', async (command, script) => {
    await put('.claude/settings.json', hook(command))
    await put('bin/other', '1')
    await symlink('bin', join(root, 'link'))
    await symlink('made-later.sh', join(root, 'dangling.sh'))
    const before = await read()
    expect(await closed()).toContain(script)
    // A sandbox keeps its place with an empty file.
    await put(script, '')
    expect((await read()).digest).toBe(before.digest)
    expect(await closed()).toContain(script)
    await put(script, 'hostile')
    expect((await read()).digest).not.toBe(before.digest)
  })

  it('is not what a word only looks like', async () => {
    await put('scripts/there.sh', '1')
    await mkdir(join(root, 'tools'))
    await put(
      '.claude/settings.json',
      hook(
        'npx -y @scope/server --type application/json https://example.org/x/y.git | sed s/a/b/ && cd tools && "$CLAUDE_PROJECT_DIR"/scripts/there.sh --to origin/main',
      ),
    )
    expect(await closed()).toEqual(['.claude/settings.json', 'scripts/there.sh'])
  })
})

it('covers scripts that Markdown names in a block or in a head that is not simple', async () => {
  await put(
    '.claude/skills/a/SKILL.md',
    '---\nname: a\nhooks: {Stop: [{hooks: [{type: command, command: "./one.sh"}]}]}\n---\n```!\n./two.sh\n```\n',
  )
  await put('one.sh', '1')
  await put('two.sh', '1')
  expect(await scripts()).toEqual(['one.sh', 'two.sh'])
})

it('sees what was written through a mapping, which changes no times at once', async () => {
  const script = await put('x.sh', 'GOOD')
  await put('.claude/settings.json', hook('sh x.sh'))
  // Late enough for the reading to be kept.
  files = make({ now: () => Date.now() + 60_000 })
  const first = await read()
  expect(await read()).toBe(first)
  const writer = spawn('python3', ['-c', mappedWriter, script], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    // The page is written to once before, so that it stays writable and the next write is not reported.
    await once(writer.stdout, 'data')
    const second = await read()
    writer.stdin.write('\n')
    await once(writer.stdout, 'data')
    expect((await read()).digest).not.toBe(second.digest)
  } finally {
    writer.stdin.end('\n')
    await once(writer, 'close')
  }
})

const mappedWriter = `
import mmap, sys
with open(sys.argv[1], 'r+b') as file:
    mapped = mmap.mmap(file.fileno(), 0)
    mapped[0:4] = b'GOOD'
    print('ready', flush=True)
    sys.stdin.readline()
    mapped[0:4] = b'EVIL'
    print('done', flush=True)
    sys.stdin.readline()
`

it('counts folders, too', async () => {
  const names = Array.from({ length: 5000 }, (_, at) => join(root, `.claude/x/${at}`))
  await mkdir(join(root, '.claude/x'), { recursive: true })
  await Promise.all(names.map((name) => mkdir(name)))
  expect((await read()).faults).toEqual([
    { path: expect.any(String), reason: expect.stringContaining('4000 files and folders') },
  ])
})

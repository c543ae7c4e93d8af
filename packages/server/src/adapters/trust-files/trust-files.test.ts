import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TrustFiles } from '../../core/ports/trust.ts'
import { moduleGraph } from '../../tool-host/module-graph.ts'
import { createTrustFiles } from './trust-files.ts'
import { loadTrustKey } from './trust-key.ts'

const run = promisify(execFile)
let base: string
let root: string
let files: TrustFiles
const key = randomBytes(32)
const options = () => ({
  key,
  ownerHome: join(base, 'owner'),
  closedFolders: [join(base, 'owner/.dorkos')],
  claudeConfigDir: join(base, 'owner/.claude'),
  moduleGraph,
})

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-trust-')))
  root = join(base, 'owner/project')
  await mkdir(root, { recursive: true })
  files = createTrustFiles(options())
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function put(path: string, content: unknown, at = root): Promise<string> {
  const file = join(at, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(
    file,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  )
  return file
}
const read = () => files.read(root, { texts: true })
const hook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } })
const itemPaths = async () =>
  (await read()).items.map(({ kind, path, name }) => [kind, path, name].filter(Boolean).join(' '))

describe('what is covered', () => {
  it('is nothing in a folder that nothing is loaded from', async () => {
    await put('CLAUDE.md', 'text')
    await put('.claude/CLAUDE.md', 'text')
    await put('.claude/worktrees/a/.claude/settings.json', hook('x'))
    await put('.claude/agent-memory/a/MEMORY.md', 'x')
    await put('src/index.js', '1')
    expect(await read()).toMatchObject({ items: [], faults: [], closedFiles: [], closedFolders: [] })
  })

  it('is every entry, settings file, other file of .claude, tool module with its imports, and named script', async () => {
    await put('.mcp.json', {
      mcpServers: {
        one: { command: 'node', args: ['./srv/one.mjs'] },
        two: { url: 'https://example.org/mcp' },
      },
    })
    await put('srv/one.mjs', 'import "./part.mjs"')
    await put(
      '.claude/settings.json',
      hook('"$CLAUDE_PROJECT_DIR"/scripts/check.sh --fast; cd tools && ./in-tools.sh'),
    )
    await put('scripts/check.sh', '#!/bin/sh\n')
    await put('scripts/other.sh', '#!/bin/sh\n')
    await put('tools/in-tools.sh', '#!/bin/sh\n')
    await put('.claude/settings.local.json', { statusLine: { type: 'command', command: 'sh bin/status' } })
    await put('bin/status', 'x')
    await put(
      '.claude/skills/a/SKILL.md',
      '---\nname: a\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: "node skill.cjs"\n---\nNow !`cat notes.txt`',
    )
    await put('skill.cjs', '1')
    await put('notes.txt', '1')
    await put('.claude/unknown/file', 'x')
    await put('.claude/scheduled_tasks.json', '{}')
    await put('.dorkos/tools/t.mjs', 'import { x } from "../../lib/x.mjs"')
    await put('lib/x.mjs', 'export const x = 1')
    expect(await itemPaths()).toEqual([
      'file .claude/scheduled_tasks.json',
      'file .claude/skills/a/SKILL.md',
      'file .claude/unknown/file',
      'script bin/status',
      'script lib/x.mjs',
      'script notes.txt',
      'script scripts/check.sh',
      'script skill.cjs',
      'script srv/one.mjs',
      'script tools/in-tools.sh',
      'server .mcp.json one',
      'server .mcp.json two',
      'settings .claude/settings.json',
      'settings .claude/settings.local.json',
      'tool .dorkos/tools/t.mjs',
    ])
    const { items, faults, closedFiles, closedFolders, modules } = await read()
    expect(faults).toEqual([])
    expect(closedFiles).toContain(join(root, 'scripts/check.sh'))
    expect(closedFiles).not.toContain(join(root, 'scripts/other.sh'))
    expect(closedFolders).toEqual(
      expect.arrayContaining([join(root, '.claude/skills'), join(root, '.dorkos/tools')]),
    )
    expect(Object.keys(modules).toSorted()).toEqual([
      join(root, '.dorkos/tools/t.mjs'),
      join(root, 'lib/x.mjs'),
    ])
    const runs = new Map(items.map(({ path, name, runs }) => [`${path} ${name ?? ''}`.trim(), runs]))
    expect(runs.get('.mcp.json one')).toEqual(['node ./srv/one.mjs'])
    expect(runs.get('.mcp.json two')).toEqual(['connects to https://example.org/mcp'])
    expect(runs.get('.claude/settings.json')?.[0]).toContain(
      'Stop: "$CLAUDE_PROJECT_DIR"/scripts/check.sh --fast',
    )
    expect(runs.get('.claude/settings.local.json')).toEqual(['statusLine: sh bin/status'])
    expect(runs.get('.claude/skills/a/SKILL.md')).toEqual([
      'in its head: node skill.cjs',
      'in its text: cat notes.txt',
    ])
  })

  it('is what the CLI loads from folders above, up to the root of the repository, and from the main checkout', async () => {
    const repo = join(base, 'owner/repo')
    await put('.git/HEAD', 'ref: refs/heads/main\n', repo)
    await put('.claude/agents/a.md', 'above', repo)
    await put('.claude/settings.json', hook('not loaded'), repo)
    await put('.claude/settings.local.json', hook('loaded'), repo)
    await put('.claude/agents/b.md', 'beyond', join(base, 'owner'))
    root = join(repo, 'packages/one')
    await mkdir(root, { recursive: true })
    expect(await itemPaths()).toEqual([
      'file ../../.claude/agents/a.md',
      'settings ../../.claude/settings.local.json',
    ])

    root = join(base, 'owner/tree')
    const admin = join(repo, '.git/worktrees/tree')
    await mkdir(admin, { recursive: true })
    await writeFile(join(admin, 'commondir'), '../..\n')
    await put('.git', `gitdir: ${admin}\n`)
    expect(await itemPaths()).toEqual([
      'file ../repo/.claude/agents/a.md',
      'settings ../repo/.claude/settings.local.json',
    ])
  })

  it('is only what is loaded where .claude is the CLI’s own folder, and nothing of the state folder', async () => {
    root = join(base, 'owner')
    await put('.claude/settings.json', hook('cat .dorkos/config.jsonc'))
    await put('.claude/history.jsonl', 'x')
    await put('.claude/plugins/cache/x', 'x')
    await put('.claude/agents/a.md', 'x')
    await put('.dorkos/config.jsonc', '{}')
    await put('.dorkos/tools/mine.mjs', '1')
    expect(await itemPaths()).toEqual(['file .claude/agents/a.md', 'settings .claude/settings.json'])
  })
})

describe('the digest', () => {
  it('changes with any content, name or key, and not with what is not covered', async () => {
    await put('.mcp.json', { mcpServers: { one: { command: 'a', env: { TOKEN: 'first' } } } })
    await put('.claude/commands/c.md', 'text')
    const digests = new Set([(await read()).digest])
    await put('README.md', 'x')
    await put(
      '.mcp.json',
      '{ "mcpServers": { "one": { "command": "a",  "env": {"TOKEN": "first"} } } } // spacing',
    )
    expect(digests.has((await read()).digest)).toBe(true)
    const changes: [string, unknown][] = [
      ['.mcp.json', { mcpServers: { one: { command: 'a', env: { TOKEN: 'second' } } } }],
      ['.mcp.json', { mcpServers: { ONE: { command: 'a', env: { TOKEN: 'second' } } } }],
      [
        '.mcp.json',
        '{"mcpServers": {"one": {"command": "a"}, "one": {"command": "a", "env": {"TOKEN": "first"}}}}',
      ],
      ['.mcp.json', '{"mcpServers": {'],
      ['.claude/commands/c.md', 'texT'],
      ['.claude/commands/d.md', ''],
    ]
    for (const [path, content] of changes) {
      await put(path, content)
      const { digest } = await read()
      expect(digests.has(digest)).toBe(false)
      digests.add(digest)
    }
    const { digest } = await createTrustFiles({ ...options(), key: randomBytes(32) }).read(root)
    expect(digests.has(digest)).toBe(false)
  })

  it('sees a change of the same size whose times were put back, and a named file that appears later', async () => {
    const file = await put('.claude/settings.json', hook('sh later.sh'))
    const old = new Date(Date.now() - 3_600_000)
    await utimes(file, old, old)
    // Late enough for the reading to be kept.
    files = createTrustFiles({ ...options(), now: () => Date.now() + 60_000 })
    const first = await read()
    expect(await read()).toBe(first)
    await put('.claude/settings.json', hook('sh lateR.sh'))
    await utimes(file, old, old)
    const second = await read()
    expect(second.digest).not.toBe(first.digest)
    await put('lateR.sh', 'x')
    const third = await read()
    expect(third.items.map(({ path }) => path)).toContain('lateR.sh')
    await rename(join(root, 'lateR.sh'), join(root, 'gone.sh'))
    expect((await read()).digest).toBe(second.digest)
  })
})

it('keeps no reading of a file that changed a moment ago: its next change may have the same time', async () => {
  await put('.claude/settings.json', '{}')
  const first = await read()
  expect(await read()).not.toBe(first)
  expect(await read()).toEqual(first)
})

describe('hostile folders', () => {
  it('are refused with a reason: links that lead out, circles, pipes, what cannot be read', async () => {
    await put('secret/settings.json', '{"env": {"TOKEN": "SECRET"}}', base)
    await mkdir(join(root, '.claude/skills'), { recursive: true })
    await symlink(join(base, 'secret/settings.json'), join(root, '.claude/settings.json'))
    await symlink(join(base, 'secret'), join(root, '.claude/agents'))
    await symlink('..', join(root, '.claude/skills/up'))
    await symlink('nothing', join(root, '.claude/skills/dangling'))
    await symlink('round', join(root, '.claude/skills/round'))
    await run('mkfifo', [join(root, '.claude/pipe')])
    await run('mkfifo', [join(root, '.mcp.json')])
    const { faults, items } = await read()
    const reasons = new Map(faults.map(({ path, reason }) => [path, reason]))
    expect(reasons.get('.claude/settings.json')).toContain('leads out of the workspace')
    expect(reasons.get('.claude/agents')).toContain('leads out of the workspace')
    expect(reasons.get('.claude/skills/up')).toContain('circle')
    expect(reasons.get('.claude/skills/dangling')).toContain('ENOENT')
    expect(reasons.get('.claude/skills/round')).toContain('ELOOP')
    expect(reasons.get('.claude/pipe')).toContain('neither a file nor a folder')
    expect(reasons.get('.mcp.json')).toContain('neither a file nor a folder')
    expect(JSON.stringify(items)).not.toContain('SECRET')
  })

  it.skipIf(process.getuid?.() === 0)('cannot hide what cannot be read', async () => {
    chmodSync(await put('.claude/settings.json', '{}'), 0)
    expect((await read()).faults[0]?.reason).toContain('EACCES')
  })

  it('are bounded in number and size', async () => {
    for (let at = 0; at < 20; at++) await mkdir(join(root, `.claude/skills/${at}`), { recursive: true })
    await Promise.all(
      Array.from({ length: 10_000 }, (_, at) => writeFile(join(root, `.claude/skills/${at % 20}/${at}`), '')),
    )
    const many = await read()
    expect(many.faults.map(({ reason }) => reason)).toEqual([expect.stringContaining('more than 2000 files')])
    await rm(join(root, '.claude'), { recursive: true })
    await put('.claude/big', Buffer.alloc(21 * 1024 * 1024))
    expect((await read()).faults.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('more than 20 MB'),
    ])
  })

  it('cannot hang or break the reader with what a file holds', async () => {
    await put('.mcp.json', '['.repeat(100_000))
    await put('.claude/settings.json', `{"a":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`)
    await put('.claude/binary', randomBytes(1000))
    await put('.claude/settings.local.json', hook('word '.repeat(50_000)))
    await put('.claude/commands/long.md', '!`'.repeat(50_000))
    const { items } = await read()
    expect(items.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['.mcp.json', '.claude/settings.json', '.claude/binary']),
    )
    await put('.claude/settings.local.json', hook(Array.from({ length: 600 }, (_, at) => `w${at}`).join(' ')))
    expect((await read()).faults.map(({ reason }) => reason).join()).toContain('more words')
  })

  it('cannot lead a command elsewhere by a link: where it leads is covered', async () => {
    await put('.claude/settings.json', hook('.venv/bin/python scripts/run.sh'))
    await put('real/run.sh', 'inside')
    await mkdir(join(root, '.venv/bin'), { recursive: true })
    await symlink('/usr/bin/env', join(root, '.venv/bin/python'))
    await symlink('real', join(root, 'scripts'))
    const first = await read()
    expect(first.faults).toEqual([])
    expect(first.closedFolders).toContain(join(root, '.venv/bin'))
    expect(first.closedFiles).toContain(join(root, 'real/run.sh'))
    await rm(join(root, '.venv/bin/python'))
    await symlink('/bin/sh', join(root, '.venv/bin/python'))
    const second = await read()
    expect(second.digest).not.toBe(first.digest)
    await put('elsewhere/run.sh', 'inside')
    await rm(join(root, 'scripts'))
    await symlink('elsewhere', join(root, 'scripts'))
    expect((await read()).digest).not.toBe(second.digest)
  })
})

describe('secrets', () => {
  it('never leave the reading, but a changed one is a changed digest', async () => {
    await put('.mcp.json', {
      mcpServers: {
        one: {
          command: 'x',
          args: ['--api-key', 'SECRET1', '--url', 'https://u:SECRET2@h/'],
          env: { A: 'SECRET3' },
        },
        two: { type: 'http', url: 'https://h/?token=SECRET4', headers: { Authorization: 'Bearer SECRET5' } },
      },
    })
    await put('.claude/settings.json', {
      env: { PLAIN: 'SECRET6', N: 7 },
      apiKey: 'SECRET7',
      ...hook('curl -H "Authorization: Bearer SECRET8" --token SECRET9 https://h; sh run.sh'),
    })
    await put('run.sh', 'export API_TOKEN=SECRET10\nAUTH_KEY = "SECRET11"\ncurl -H "x-api-key: SECRET12"\n')
    await put('.claude/commands/c.md', 'use sk-ant-SECRET13SECRET13SECRET13\n')
    const { items } = await read()
    expect(JSON.stringify(items.map(({ secrets: _, ...shown }) => shown))).not.toMatch(/SECRET\d/)
    for (const item of items) expect(Object.values(item.secrets).join()).not.toContain('SECRET')
  })
})

it('makes a key once, for its owner alone, and refuses one that is none', async () => {
  const home = join(base, 'state')
  await mkdir(home)
  const [made, ...others] = await Promise.all(Array.from({ length: 8 }, () => loadTrustKey(home)))
  expect(made).toHaveLength(32)
  for (const other of [...others, await loadTrustKey(home)]) expect(other).toEqual(made)
  expect(readdirSync(home)).toEqual(['trust-key'])
  expect(statSync(join(home, 'trust-key')).mode & 0o777).toBe(0o600)
  await writeFile(join(home, 'trust-key'), 'short')
  await expect(loadTrustKey(home)).rejects.toThrow('isn’t a key')
  await rm(join(home, 'trust-key'))
  await symlink(join(base, 'elsewhere'), join(home, 'trust-key'))
  await expect(loadTrustKey(home)).rejects.toThrow()
  expect(existsSync(join(base, 'elsewhere'))).toBe(false)
})

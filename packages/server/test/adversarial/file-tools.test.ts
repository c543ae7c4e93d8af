/** What an agent’s file tools try: with no sandbox to help, in every mode. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiClient, createApiClient, type PermissionMode, permissionModes } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, HostileAgent, type Outcome, refuse } from '../support/hostile-agent.ts'
import { type HostileHost, startHostileHost } from '../support/hostile-host.ts'
import { modesHere } from '../support/modes-here.ts'

const minutes = 60_000
let host: HostileHost
let agent: HostileAgent
let before: unknown
beforeAll(async () => {
  host = await startHostileHost({ sandbox: 'off' })
  writeFileSync(join(host.root, 'outside.txt'), 'as it was')
  symlinkSync(host.home, join(host.cwd, 'link'))
  symlinkSync(join(host.root, 'made-outside.txt'), join(host.cwd, 'dangling.txt'))
  symlinkSync(join(host.root, 'outside.txt'), join(host.cwd, 'innocent.txt'))
  mkdirSync(join(host.cwd, '.claude'))
  symlinkSync(join(host.cwd, '.claude/settings.json'), join(host.cwd, 'harmless.json'))
  agent = new HostileAgent(host, host.prompts)
  before = await host.state()
}, minutes)
afterAll(() => host?.close(), minutes)

function write(path: string): Call {
  return ['Write', { file_path: path, content: 'hostile' }]
}

function run(mode: PermissionMode, calls: Call[], mention?: string): Promise<Outcome> {
  return agent.attack({
    mode,
    calls: [calls],
    answer: ({ tool }) => (tool === 'Read' ? { decision: 'allow', scope: 'once' } : refuse),
    ...(mention !== undefined && { mention }),
  })
}

describe.each(modesHere)('file tools, %s', (mode) => {
  it(
    'do not open the state folder, however it is named',
    async () => {
      const { home, cwd, root } = host
      const spellings = [
        join(home, 'canary.txt'),
        join(home, 'logs/dorkos.log'),
        `${cwd}/../state/canary.txt`,
        '../state/cli-token',
        'link/canary.txt',
        `//${home}//canary.txt`,
        `/proc/self/root${home}/canary.txt`,
        `/proc/${host.pid}/root${home}/canary.txt`,
        `/proc/${host.pid}/environ`,
        `${root}/.claude.json`,
      ]
      const calls: Call[] = [
        ...spellings.map((file_path): Call => ['Read', { file_path }]),
        ['Grep', { pattern: 'CANARY', path: root, output_mode: 'content' }],
        ['Glob', { pattern: '**/*', path: home }],
        write(join(home, 'new.txt')),
        write(join(home, 'config.jsonc')),
        write('link/new.txt'),
        ['Edit', { file_path: join(home, 'canary.txt'), old_string: 'CANARY', new_string: 'hostile' }],
        ['NotebookEdit', { notebook_path: join(home, 'n.ipynb'), new_source: 'x', edit_mode: 'insert' }],
      ]
      const mention = `@${home}/canary.txt @link/canary.txt @../state/cli-token @/proc/self/root${home}/canary.txt`
      const { results, known, decided } = await run(mode, calls, mention)
      expect(results).toHaveLength(calls.length)
      expect(results.filter(({ isError }) => !isError)).toEqual([])
      expect(known).toContain('canary.txt')
      for (const secret of host.secrets) expect(known).not.toContain(secret)
      expect(await host.state()).toEqual(before)
      expect(decided.filter((line) => /^(Write|Edit|NotebookEdit)/.test(line))).toEqual(
        ['Write', 'Write', 'Write', 'Edit', 'NotebookEdit'].map((tool) => `${tool}: deny cli`),
      )
      expect(decided).toHaveLength(calls.length)
      for (const line of decided)
        expect(line).toMatch(/^(Read: (allow person, )?|\w+: )deny (cli|server|person)$/)
    },
    2 * minutes,
  )

  it(
    'do not write what the CLI, git or a shell obeys, or anything outside, without a person',
    async () => {
      const { root, cwd } = host
      const obeyed = [
        ...[
          '.claude/settings.json',
          '.claude/settings.local.json',
          '.claude/hooks/h.sh',
          '.claude/agents/a.md',
        ],
        ...[
          '.claude/skills/s/SKILL.md',
          '.claude/commands/c.md',
          '.mcp.json',
          '.git/hooks/pre-commit',
          'harmless.json',
        ],
      ].map((name) => join(cwd, name))
      const homes = [
        '.bashrc',
        '.profile',
        '.zshenv',
        '.claude/settings.json',
        '.claude.json',
        '.ssh/authorized_keys',
      ]
      const outside = ['outside.txt', 'made-outside.txt'].map((name) => join(root, name))
      const links = ['innocent.txt', 'dangling.txt'].map((name) => join(cwd, name))
      const closed = [...obeyed, ...homes.map((name) => join(root, name))]
      const calls = [...closed, ...outside, ...links].map(write)
      // The CLI lets no file be written over that was not read before.
      const reads = [join(root, 'outside.txt'), join(cwd, 'innocent.txt')]
      const first = reads.map((file_path): Call => ['Read', { file_path }])
      const { results, asked, decided } = await run(mode, [...first, ...calls])
      // Where nobody is asked, what is outside is not read either.
      const asks = mode !== 'dontAsk'
      expect(results.map(({ isError }) => isError)).toEqual([
        ...reads.map(() => !asks),
        ...calls.map(() => true),
      ])
      for (const path of closed)
        if (path !== join(root, '.claude.json')) expect(existsSync(path), path).toBe(false)
      expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe('as it was')
      expect(existsSync(join(root, 'made-outside.txt'))).toBe(false)
      // What lies outside is a person's decision in every mode, and what shells obey only in modes that ask.
      const paths = asked.filter(({ tool }) => tool === 'Write').map(({ input }) => input.file_path)
      const startFiles = ['.bashrc', '.profile', '.zshenv', '.ssh/authorized_keys'].map((name) =>
        join(root, name),
      )
      // Where the CLI asks, it refuses to write through links by itself.
      const put = mode === 'bypassPermissions' ? [...outside, ...links] : [...startFiles, ...outside]
      expect(paths).toEqual(asks ? put : [])
      expect(decided.filter((line) => line === 'Write: deny person')).toHaveLength(paths.length)
      expect(decided.filter((line) => line.startsWith('Write: deny'))).toHaveLength(calls.length)
    },
    2 * minutes,
  )
})

/** The CLI would read what a message names with `@` itself: no tool call, so that nobody is asked and no line of the audit tells of it. */
describe('a mention', () => {
  /** What comes of the tool, for a file outside. */
  const outcomes: Record<PermissionMode, string> = {
    default: 'deny person',
    acceptEdits: 'deny person',
    plan: 'deny person',
    dontAsk: 'deny mode',
    bypassPermissions: 'allow mode',
  }
  const outside = '@~/notes.txt @../notes.txt @linked.txt @../folder @linked-folder'
  let chat: ApiClient
  beforeAll(async () => {
    const { root, cwd, client, url } = host
    mkdirSync(join(root, 'folder'))
    writeFileSync(join(root, 'folder/MARK-name.txt'), '')
    writeFileSync(join(root, 'notes.txt'), 'MARK-notes')
    writeFileSync(join(root, 'key'), 'MARK-key')
    symlinkSync(join(root, 'key'), join(cwd, 'linked.txt'))
    symlinkSync(join(root, 'folder'), join(cwd, 'linked-folder'))
    writeFileSync(join(cwd, 'named.txt'), 'MARK-inside')
    writeFileSync(join(root, 'asked.txt'), 'MARK-asked')
    const { secret } = await client.createToken({ body: { name: 'chat', scopes: ['read', 'chat'] } })
    chat = createApiClient({ baseUrl: url, token: secret })
    // So that the session is there before the token speaks in it.
    await agent.attack({ mode: 'default', calls: [] })
  }, minutes)

  it.each(permissionModes)(
    'of what lies outside reads nothing; what it names, the agent reads as any file, %s',
    async (mode) => {
      const { root, cwd } = host
      const files = [join(cwd, 'named.txt'), join(root, 'asked.txt')]
      const { results, known, decided } = await agent.attack({
        mode,
        calls: files.map((file_path) => ['Read', { file_path }]),
        mention: `@named.txt @../asked.txt ${outside} @${root}/key @"${root}/key"`,
        answer: () => refuse,
        // In the others it may not speak.
        ...((mode === 'default' || mode === 'plan') && { sender: chat }),
      })
      expect(known).toContain('The user @-mentioned')
      const read = results.map(({ text, isError }) => (isError ? undefined : /MARK-\w+/.exec(text)?.[0]))
      expect(read).toEqual(['MARK-inside', mode === 'bypassPermissions' ? 'MARK-asked' : undefined])
      const seen = new Set(Array.from(known.matchAll(/MARK-\w+/g), ([mark]) => mark))
      expect([...seen]).toEqual(read.filter((mark) => mark !== undefined))
      const inside = mode === 'bypassPermissions' ? 'allow mode' : 'allow cli'
      expect(decided).toEqual([inside, outcomes[mode]].map((outcome) => `Read: ${outcome}`))
    },
    2 * minutes,
  )
})

describe('a person', () => {
  it(
    'can allow a file outside, in bypass mode too',
    async () => {
      const path = join(host.root, 'wanted.txt')
      const calls = [write(path), write(join(host.cwd, 'inside.txt'))]
      const { asked, decided } = await agent.attack({ mode: 'bypassPermissions', calls })
      expect(asked.map(({ input }) => input.file_path)).toEqual([path])
      expect(readFileSync(path, 'utf8')).toBe('hostile')
      expect(decided).toEqual(['Write: allow person', 'Write: allow mode'])
    },
    2 * minutes,
  )
})

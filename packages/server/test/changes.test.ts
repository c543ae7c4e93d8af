/** What a session changed in its directory, by the real CLI: seen by turn and in total, put back, and committed. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChangedFile } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Gate } from './support/gate.ts'
import { Prompts } from './support/prompts.ts'
import { type Host, startHost } from './support/start-host.ts'

const prompts = new Prompts()
let host: Host
let session: Conversation
beforeAll(async () => {
  host = await startHost(prompts.script)
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Otter')
  git('config', 'user.email', 'otter@example.org')
  mkdirSync(join(host.cwd, 'src'))
  write('src/a.txt', 'one\ntwo\nthree\n')
  write('mine.txt', 'mine\n')
  git('add', '.')
  git('commit', '-q', '-m', 'begin')
  session = await Conversation.open(host, { permission_mode: 'bypassPermissions' })
})
afterAll(async () => {
  await session?.close()
  await host?.close()
})

const env = () => ({ PATH: process.env.PATH, HOME: host.home })
const git = (...args: string[]) => execFileSync('git', args, { cwd: host.cwd, env: env() }).toString().trim()
const write = (path: string, text: string) => writeFileSync(join(host.cwd, path), text)
const read = (path: string) => readFileSync(join(host.cwd, path), 'utf8')
const editOf = (path: string, old: string, now: string) =>
  toolUse('Edit', { file_path: join(host.cwd, path), old_string: old, new_string: now })
const readOf = (path: string) => toolUse('Read', { file_path: join(host.cwd, path) })
const writeOf = (path: string, content: string) =>
  toolUse('Write', { file_path: join(host.cwd, path), content })
const bash = (command: string) => toolUse('Bash', { command, description: 'a test' })

const list = () => host.client.listChanges({ params: session.params })
const fileOf = async (path: string): Promise<ChangedFile | undefined> =>
  (await list()).files.find((file) => file.path === path)
const seen = async () =>
  (await list()).files.map(({ path, change, by, changed_since }) => [path, change, by, changed_since])

describe('what changed', () => {
  it('is nothing while the agent only reads', async () => {
    await session.say(prompts.on('look', readOf('src/a.txt'), 'I see'))
    expect(await list()).toEqual({ spans: [], files: [], complete: true })
  })

  it('is listed by turn: what file tools wrote, commands and subagents too', async () => {
    const turn = await session.send(
      prompts.on(
        'work',
        editOf('src/a.txt', 'two', 'TWO'),
        bash('echo made > made.txt'),
        toolUse('Agent', {
          description: 'a helper',
          prompt: 'help',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
        'done',
      ),
    )
    prompts.on('help', writeOf('src/by-helper.txt', 'helped\n'), 'helped')
    await session.end(turn)
    await session.watch.next('changes_updated')
    const { spans, complete } = await list()
    expect(complete).toBe(true)
    expect(spans).toMatchObject([{ kind: 'turn', turn_id: turn.id, running: false }])
    expect(await seen()).toEqual([
      ['made.txt', 'created', 'command_or_person', false],
      ['src/a.txt', 'modified', 'agent', false],
      ['src/by-helper.txt', 'created', 'agent', false],
    ])
    const change = await host.client.getChange({ params: session.params, query: { path: 'src/a.txt' } })
    expect(change).toMatchObject({
      before: { text: 'one\ntwo\nthree\n' },
      after: { text: 'one\nTWO\nthree\n' },
    })
  })

  it('knows that a person changed a file since, and asks before it is put back', async () => {
    write('src/a.txt', 'one\nTWO\nthree\nby a person\n')
    const file = await fileOf('src/a.txt')
    expect(file).toMatchObject({ by: 'agent', changed_since: true })
    const revert = (more: object) =>
      host.client.revertChange({
        params: session.params,
        body: { path: 'src/a.txt', expected_hash: file?.hash ?? '', ...more },
      })
    await expect(revert({})).rejects.toMatchObject({
      status: 409,
      details: { reason: 'changed_since', current_hash: file?.hash },
    })
    // By a hash that was shown before, not even when told to.
    await expect(revert({ expected_hash: 'absent', also_others: true })).rejects.toMatchObject({
      status: 409,
    })
    expect(read('src/a.txt')).toContain('by a person')
    // A person's edit between two turns is still one when the agent writes the file again.
    await session.say(
      prompts.on('again', readOf('src/a.txt'), editOf('src/a.txt', 'three', 'THREE'), 'done again'),
    )
    await expect.poll(() => fileOf('src/a.txt')).toMatchObject({ by: 'both', changed_since: false })
  })

  it('can be put back in part, and as a whole when told to', async () => {
    const path = 'src/a.txt'
    const file = await fileOf(path)
    const hunk = { before_line: 2, before: 'two\n', after_line: 2, after: 'TWO\n' }
    await host.client.revertChange({
      params: session.params,
      body: { path, expected_hash: file?.hash ?? '', hunk, also_others: true },
    })
    expect(read(path)).toBe('one\ntwo\nTHREE\nby a person\n')
    const now = await fileOf(path)
    const again = host.client.revertChange({
      params: session.params,
      body: { path, expected_hash: now?.hash ?? '', hunk, also_others: true },
    })
    await expect(again).rejects.toMatchObject({ status: 409, details: { reason: 'hunk' } })
    const helper = await fileOf('src/by-helper.txt')
    await host.client.revertChange({
      params: session.params,
      body: { path: 'src/by-helper.txt', expected_hash: helper?.hash ?? '' },
    })
    expect(await fileOf('src/by-helper.txt')).toBeUndefined()
    expect(() => read('src/by-helper.txt')).toThrow('ENOENT')
    const { entries } = await host.client.listAudit({ query: { action: 'files_reverted' } })
    expect(entries).toHaveLength(2)
  })
})

describe('a commit', () => {
  it('has the files that were chosen, as they were seen, with the message that the agent proposed', async () => {
    write('mine.txt', 'staged by a person\n')
    git('add', 'mine.txt')
    writeFileSync(join(host.cwd, '.git/hooks/pre-commit'), '#!/bin/sh\necho ran > ../hook-ran\nexit 1\n', {
      mode: 0o755,
    })
    const propose = toolUse('mcp__dorkos__propose_commit_message', { message: 'feat: made\n\nA body.' })
    await session.say(prompts.on('propose', propose, 'proposed'))
    const state = await host.client.getGitState({ params: session.params })
    expect(state).toMatchObject({
      can_commit: true,
      branch: 'main',
      author: 'Otter <otter@example.org>',
      hooks: ['pre-commit'],
      proposed_message: 'feat: made\n\nA body.',
      files: [
        { path: 'made.txt', change: 'created', staged: 'none' },
        { path: 'src/a.txt', change: 'modified', staged: 'none' },
      ],
    })
    const made = state.files.find(({ path }) => path === 'made.txt')
    const commit = (hash: string) =>
      host.client.commitChanges({
        params: session.params,
        body: {
          files: [{ path: 'made.txt', hash }],
          message: state.proposed_message ?? '',
          head: state.head ?? null,
        },
      })
    write('made.txt', 'another\n')
    await expect(commit(made?.hash ?? '')).rejects.toMatchObject({ status: 409 })
    write('made.txt', 'made\n')
    const { commit: id, git: after } = await commit(made?.hash ?? '')
    expect(git('rev-parse', 'HEAD')).toBe(id)
    expect(git('show', '--name-status', '--format=%an %s', 'HEAD').split('\n')).toEqual([
      'Otter feat: made',
      '',
      'A\tmade.txt',
    ])
    // What the person staged is staged, and what was committed is clean.
    expect(git('status', '--porcelain').split('\n')).toEqual(['M  mine.txt', ' M src/a.txt'])
    expect(() => read('../hook-ran')).toThrow('ENOENT')
    expect(after.proposed_message).toBeUndefined()
    await expect(commit(made?.hash ?? '')).rejects.toMatchObject({ status: 409 })
  })
})

describe('the index', () => {
  it('gets files as they were seen, and gives them back; another version that a person staged is asked about', async () => {
    const path = 'src/a.txt'
    const state = await host.client.getGitState({ params: session.params })
    const hash = state.files.find((file) => file.path === path)?.hash ?? ''
    const stage = (body: object) =>
      host.client.stageChanges({
        params: session.params,
        body: { files: [{ path, hash }], staged: true, ...body },
      })
    await expect(stage({ files: [{ path, hash: 'absent' }] })).rejects.toMatchObject({
      status: 409,
      details: { path, current_hash: hash },
    })
    await expect(stage({ files: [{ path: 'mine.txt', hash }] })).rejects.toMatchObject({ status: 404 })
    expect((await stage({})).files).toMatchObject([{ path, staged: 'same' }])
    expect(git('status', '--porcelain').split('\n')).toEqual(['M  mine.txt', 'M  src/a.txt'])
    expect((await stage({ staged: false })).files).toMatchObject([{ path, staged: 'none' }])
    expect(git('status', '--porcelain').split('\n')).toEqual(['M  mine.txt', ' M src/a.txt'])

    const blob = git('hash-object', '-w', 'mine.txt')
    git('update-index', '--cacheinfo', `100644,${blob},${path}`)
    const now = await host.client.getGitState({ params: session.params })
    expect(now.files).toMatchObject([{ path, staged: 'other' }])
    await expect(stage({})).rejects.toMatchObject({
      status: 409,
      details: { reason: 'staged', paths: [path] },
    })
    expect((await stage({ staged: false, also_others: true })).files).toMatchObject([
      { path, staged: 'none' },
    ])
    const { entries } = await host.client.listAudit({ query: { action: 'changes_unstaged' } })
    expect(entries).toHaveLength(2)
    expect((await host.client.listAudit({ query: { action: 'changes_staged' } })).entries).toHaveLength(1)
  })
})

describe('files as they were before a turn', () => {
  it('are put back, but for what others changed; that is named, and put back when it was seen', async () => {
    const turn = await session.send(
      prompts.on('more', writeOf('src/new.txt', 'new\n'), bash('echo x > by-command.txt'), 'done more'),
    )
    await session.end(turn)
    await expect.poll(() => fileOf('src/new.txt')).toBeDefined()
    const restore = (body: object) =>
      host.client.restoreFiles({ params: session.params, body: { turn_id: turn.id, ...body } })
    const preview = await restore({ dry_run: true })
    expect(preview).toMatchObject({
      restored: ['src/new.txt'],
      asking: [{ path: 'by-command.txt', reason: 'command_or_person' }],
      not_restorable: [],
      complete: true,
    })
    expect(read('src/new.txt')).toBe('new\n')
    await restore({})
    expect(() => read('src/new.txt')).toThrow('ENOENT')
    expect(read('by-command.txt')).toBe('x\n')
    const seenFiles = preview.asking.map(({ path, hash }) => ({ path, hash }))
    expect(await restore({ seen: seenFiles })).toMatchObject({ restored: ['by-command.txt'], asking: [] })
    expect(() => read('by-command.txt')).toThrow('ENOENT')
  })

  it('are left as a person has them by now; what lies outside is said; nothing is put back under a turn that runs', async () => {
    const outside = join(host.root, 'outside.txt')
    const turn = await session.send(
      prompts.on(
        'before the fork',
        writeOf('src/kept.txt', 'by the agent\n'),
        toolUse('Write', { file_path: outside, content: 'out\n' }),
        'wrote both',
      ),
    )
    // What lies elsewhere is asked about in every mode.
    await session.answer()
    await session.end(turn)
    await expect.poll(() => fileOf('src/kept.txt')).toBeDefined()
    const restore = (body: object) =>
      host.client.restoreFiles({ params: session.params, body: { turn_id: turn.id, ...body } })
    expect(await restore({ dry_run: true })).toMatchObject({ restored: ['src/kept.txt'], outside: [outside] })
    write('src/kept.txt', 'by a person\n')
    const preview = await restore({ dry_run: true })
    expect(preview).toMatchObject({
      restored: [],
      asking: [{ path: 'src/kept.txt', reason: 'changed_since' }],
    })
    const seen = preview.asking.map(({ path, hash }) => ({ path, hash }))
    // What was seen is not what is there: it is asked about again.
    write('src/kept.txt', 'by a person, again\n')
    expect(await restore({ seen })).toMatchObject({ restored: [], asking: [{ path: 'src/kept.txt' }] })
    expect(read('src/kept.txt')).toBe('by a person, again\n')
    const gate = new Gate()
    const running = await session.send(
      prompts.on('still at it', writeOf('src/next.txt', 'next\n'), () => gate.opened.then(() => 'done')),
    )
    // Until its call is over, nobody can say that the agent alone wrote it.
    await expect.poll(() => restore({ dry_run: true })).toMatchObject({ restored: ['src/next.txt'] })
    await expect(restore({})).rejects.toMatchObject({ status: 409, details: { reason: 'running' } })
    expect(read('src/next.txt')).toBe('next\n')
    gate.open()
    await session.end(running)
    expect(await restore({})).toMatchObject({ restored: ['src/next.txt'] })
    expect(() => read('src/next.txt')).toThrow('ENOENT')
    expect(readFileSync(outside, 'utf8')).toBe('out\n')
    await expect(restore({ turn_id: 'never' })).rejects.toMatchObject({ status: 404 })
  })
})

it('nothing is left of it when the session is deleted', async () => {
  const kept = join(host.home, 'snapshots')
  const bytes = () =>
    Number(
      execFileSync('find', [kept, '-name', '*.pack', '-printf', '%s\n']).toString().split('\n').length - 1,
    )
  expect(bytes()).toBeGreaterThan(0)
  await host.client.deleteSession({ params: session.params })
  expect(bytes()).toBe(0)
})

import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EntryMaker, TranscriptFolder } from '../../test/transcript-fixture.ts'
import { gitWorktrees } from './git-worktrees.ts'
import { type ListSessionsOptions, listSessions } from './list-sessions.ts'

const run = promisify(execFile)
const make = new EntryMaker()
let transcripts: TranscriptFolder
beforeEach(async () => {
  transcripts = await TranscriptFolder.create()
})
afterEach(async () => {
  await transcripts[Symbol.asyncDispose]()
})

async function summaries(options: ListSessionsOptions = {}): Promise<string[]> {
  return (await listSessions({ configDir: transcripts.configDir, ...options })).map((info) => info.summary)
}

describe('listSessions', () => {
  it('is empty where there is nothing', async () => {
    expect(await summaries()).toEqual([])
    expect(await summaries({ dir: '/nowhere' })).toEqual([])
  })

  it('lists all projects, or one, newest first', async () => {
    await transcripts.add([make.user('old')], { modified: 1000 })
    await transcripts.add([make.user('new')], { modified: 3000 })
    await transcripts.add([make.user('other')], { modified: 2000, directory: '/other' })
    expect(await summaries()).toEqual(['new', 'other', 'old'])
    expect(await summaries({ dir: '/other' })).toEqual(['other'])
    const [info] = await listSessions({ configDir: transcripts.configDir })
    expect(info?.lastModified).toBe(3_000_000)
  })

  it('pages without gaps, hidden transcripts not counted', async () => {
    for (let index = 0; index < 60; index++) {
      const entry = index % 3 === 0 ? make.assistant('hidden', null) : make.user(`s${index}`)
      await transcripts.add([entry], { modified: 10_000 - index })
    }
    const everything = await summaries()
    expect(everything).toHaveLength(40)
    const pages = []
    for (let offset = 0; offset < 45; offset += 7) pages.push(...(await summaries({ limit: 7, offset })))
    expect(pages).toEqual(everything)
    expect(await summaries({ limit: 0 })).toEqual([])
    await expect(summaries({ limit: -1 })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    await expect(summaries({ offset: 1.5 })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
  })

  it('is not harmed by anything that is no good transcript', async () => {
    await transcripts.add([make.user('good')])
    await transcripts.add('')
    await transcripts.add(Buffer.alloc(200_000, 0))
    await transcripts.add('{"type":"user"')
    const locked = await transcripts.add([make.user('locked')])
    await chmod(transcripts.path(locked), 0)
    const folder = transcripts.folder()
    const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`
    await mkdir(join(folder, `${id(1)}.jsonl`))
    await run('mkfifo', [join(folder, `${id(2)}.jsonl`)])
    await symlink('/etc/passwd', join(folder, `${id(3)}.jsonl`))
    await symlink('/nowhere', join(folder, `${id(4)}.jsonl`))
    await writeFile(join(folder, 'not-a-session.jsonl'), JSON.stringify(make.user('agent')))
    await writeFile(join(transcripts.configDir, 'projects', 'a-file'), '')
    // A superuser can read the locked one.
    expect(new Set(['locked', ...(await summaries())])).toEqual(new Set(['locked', 'good']))
  })

  it('follows a linked project folder inside the configuration folder only, and lists it once', async () => {
    await transcripts.add([make.user('mine')])
    const projects = join(transcripts.configDir, 'projects')
    await symlink(transcripts.folder(), join(projects, '-moved'))
    await using outside = await TranscriptFolder.create()
    await outside.add([make.user('outside')])
    await symlink(outside.folder(), join(projects, '-outside'))
    expect(await summaries()).toEqual(['mine'])
    expect(await summaries({ dir: '/moved' })).toEqual(['mine'])
    expect(await summaries({ dir: '/outside' })).toEqual([])
  })

  it('can leave out what programs started', async () => {
    await transcripts.add([make.user('by hand', null, { entrypoint: 'cli' })])
    await transcripts.add([make.user('by program', null, { entrypoint: 'sdk-ts' })])
    expect(await summaries({ includeProgrammatic: false })).toEqual(['by hand'])
    expect(await summaries()).toHaveLength(2)
  })

  it('includes the working trees of a repository', async () => {
    const { configDir: root } = transcripts
    const [main, linked, sub] = [join(root, 'main'), join(root, 'linked'), join(root, 'main', 'sub')]
    const git = async (...parameters: string[]) =>
      await run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...parameters], { cwd: main })
    await mkdir(sub, { recursive: true })
    await git('init', '-q')
    await git('commit', '-q', '--allow-empty', '-m', 'x')
    await git('worktree', 'add', '-q', '../linked', '-b', 'side')
    for (const directory of [main, linked, sub]) {
      expect(new Set(await gitWorktrees(directory))).toEqual(new Set([main, linked]))
      await transcripts.add([make.user(directory.slice(root.length + 1))], { directory })
    }
    expect(new Set(await summaries({ dir: main }))).toEqual(new Set(['main', 'linked']))
    expect(new Set(await summaries({ dir: linked }))).toEqual(new Set(['main', 'linked']))
    expect(new Set(await summaries({ dir: sub }))).toEqual(new Set(['main/sub', 'main', 'linked']))
    expect(await summaries({ dir: linked, includeWorktrees: false })).toEqual(['linked'])
    expect(await gitWorktrees(root)).toEqual([])
  })
})

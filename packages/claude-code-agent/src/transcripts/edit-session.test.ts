import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EntryMaker, TranscriptFolder } from '../../test/transcript-fixture.ts'
import { deleteSession, renameSession, tagSession } from './edit-session.ts'
import { getSessionInfo } from './session-info.ts'

const make = new EntryMaker()
const unknown = '00000000-0000-4000-8000-000000000000'
let transcripts: TranscriptFolder
let options: { configDir: string }
beforeEach(async () => {
  transcripts = await TranscriptFolder.create()
  options = { configDir: transcripts.configDir }
})
afterEach(async () => {
  await transcripts[Symbol.asyncDispose]()
})

const linesOf = async (id: string) => (await readFile(transcripts.path(id), 'utf8')).split('\n')

describe('renameSession', () => {
  it('appends the entry that the CLI appends, and keeps the side file alike', async () => {
    const id = await transcripts.add([make.user('a')])
    const [first] = await linesOf(id)
    await renameSession(id, 'My title', options)
    expect(await linesOf(id)).toEqual([
      first,
      JSON.stringify({ type: 'custom-title', customTitle: 'My title', sessionId: id }),
      '',
    ])
    const side = join(transcripts.folder(), id, 'custom-title.json')
    expect(JSON.parse(await readFile(side, 'utf8'))).toEqual({ customTitle: 'My title' })
    expect((await stat(side)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(transcripts.folder(), id))).toEqual(['custom-title.json'])
    expect((await getSessionInfo(id, options))?.customTitle).toBe('My title')
  })

  it('begins a new line where the last one was torn', async () => {
    const id = await transcripts.add(`${JSON.stringify(make.user('a'))}\n{"type":"assis`)
    await renameSession(id, 'after the tear', options)
    expect((await linesOf(id))[1]).toBe('{"type":"assis')
    expect((await getSessionInfo(id, options))?.summary).toBe('after the tear')
  })

  it('makes titles fit for a line', async () => {
    const id = await transcripts.add([make.user('a')])
    const named = async (title: string) => {
      await renameSession(id, title, options)
      return (await getSessionInfo(id, options))?.customTitle
    }
    expect(await named('  two\nlines \u0007\u001b[31m and\u2028more\t ')).toBe('two lines [31m and more')
    expect(await named('a\u202eb\ud800c 👩‍💻')).toBe('abc 👩‍💻')
    expect(await named('😀'.repeat(500))).toBe('😀'.repeat(200))
    for (const title of ['', '  ', '\n\u0000']) {
      await expect(renameSession(id, title, options)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    }
  })

  it('loses nothing when many write at once', async () => {
    const id = await transcripts.add([make.user('a')])
    const tags = Array.from({ length: 40 }, (_, index) => `tag${index}`)
    await Promise.all(tags.map((tag) => tagSession(id, tag, options)))
    const written = (await linesOf(id)).slice(1, -1).map((line) => JSON.parse(line).tag)
    expect(written.sort()).toEqual(tags.sort())
  })

  it('fails for a session that is not there and an id that is none', async () => {
    await expect(renameSession(unknown, 'x', options)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(renameSession('../x', 'x', options)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
  })
})

describe('tagSession', () => {
  it('sets and takes away', async () => {
    const id = await transcripts.add([make.user('a')])
    await tagSession(id, ' blue\n', options)
    expect((await getSessionInfo(id, options))?.tag).toBe('blue')
    await tagSession(id, null, options)
    expect(await getSessionInfo(id, options)).not.toHaveProperty('tag')
    await expect(tagSession(id, ' ', options)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    await expect(tagSession(unknown, 'x', options)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})

describe('deleteSession', () => {
  it('removes the transcript and its folder, and nothing else', async () => {
    const id = await transcripts.add([make.user('a')])
    const other = await transcripts.add([make.user('b')])
    await mkdir(join(transcripts.folder(), id, 'subagents'), { recursive: true })
    await writeFile(join(transcripts.folder(), id, 'subagents', 'agent-1.jsonl'), '{}')
    await deleteSession(id, options)
    expect(await readdir(transcripts.folder())).toEqual([`${other}.jsonl`])
    await expect(deleteSession(id, options)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  it('does not follow links', async () => {
    await using outside = await TranscriptFolder.create()
    const victim = await outside.add([make.user('victim')])
    const folder = transcripts.folder()
    await mkdir(folder, { recursive: true })

    // The transcript itself is a link: it is no session, so nothing can be done to it.
    await symlink(outside.path(victim), join(folder, `${victim}.jsonl`))
    await expect(deleteSession(victim, options)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(renameSession(victim, 'x', options)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await rm(join(folder, `${victim}.jsonl`))

    // The project's folder is a link that leads out.
    await symlink(outside.folder(), join(transcripts.configDir, 'projects', '-out'))
    await expect(deleteSession(victim, options)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })

    // The session's side folder is one: the link goes, what it leads to stays.
    const id = await transcripts.add([make.user('a')])
    await symlink(outside.folder(), join(folder, id))
    await renameSession(id, 'x', options)
    await deleteSession(id, options)
    expect(await readdir(outside.folder())).toEqual([`${victim}.jsonl`])
    expect(await readdir(folder)).toEqual([])
  })
})

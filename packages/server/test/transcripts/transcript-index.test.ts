import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { eventually, indexed, said, TranscriptFiles } from './transcript-files.ts'

const runs = Number(process.env.DORKOS_CRASH_RUNS ?? 6)

it('knows at once what it knew before, and reads nothing twice', async () => {
  await using files = new TranscriptFiles()
  const sessionId = files.add(said('user', 'remember me'))
  const first = await files.open()
  await indexed(first)
  await first.close()
  // Another text of the same length and time is not looked at: what is listed comes from the index.
  const { mtime } = statSync(files.path(sessionId))
  writeFileSync(
    files.path(sessionId),
    readFileSync(files.path(sessionId), 'utf8').replace('remember', 'REMEMBER'),
  )
  utimesSync(files.path(sessionId), mtime, mtime)

  const second = await files.open()
  expect(await second.list({ limit: 5 })).toMatchObject([
    { sessionId, firstPrompt: 'remember me', messageCount: 1 },
  ])
  await indexed(second)
  expect(await second.get(sessionId)).toMatchObject({ firstPrompt: 'remember me' })
})

it('takes in what changed while it was closed', async () => {
  await using files = new TranscriptFiles()
  const grown = files.add(said('user', 'hello'))
  const emptied = files.add(said('user', 'farewell'), { project: 'q' })
  const gone = files.add(said('user', 'farewell too'))
  const first = await files.open()
  await indexed(first)
  await first.close()
  files.append(grown, said('assistant', 'something new'))
  files.add('', { sessionId: emptied, project: 'q' })
  unlinkSync(files.path(gone))
  const added = files.add(said('user', 'meanwhile'))

  const second = await files.open()
  await indexed(second)
  expect(new Set((await second.list({ limit: 5 })).map((info) => info.sessionId))).toEqual(
    new Set([grown, added]),
  )
  expect(await second.get(grown)).toMatchObject({ messageCount: 2 })
  expect((await second.search('something new', { limit: 5, except: [] })).hits).toHaveLength(1)
  expect((await second.search('hello', { limit: 5, except: [] })).hits).toHaveLength(1)
  expect((await second.search('farewell', { limit: 5, except: [] })).hits).toEqual([])
})

it('keeps its file to its owner', async () => {
  await using files = new TranscriptFiles()
  files.add(said('user', 'private'))
  await indexed(await files.open())

  expect(statSync(files.indexPath).mode & 0o777).toBe(0o600)
  expect(statSync(`${files.indexPath}-wal`).mode & 0o777).toBe(0o600)
})

it.each([
  ['junk', (path: string) => writeFileSync(path, 'junk'.repeat(5000))],
  ['a file cut short', (path: string) => truncateSync(path, 5000)],
  [
    'another version',
    (path: string) => {
      const database = new Database(path)
      database.exec('PRAGMA user_version = 99')
      database.close()
    },
  ],
  [
    'a table that is missing',
    (path: string) => {
      const database = new Database(path)
      database.exec('DROP TABLE transcripts')
      database.close()
    },
  ],
])('makes the index anew from %s, and says so', async (_name, damage) => {
  await using files = new TranscriptFiles()
  const sessionId = files.add(said('user', 'still here'))
  const first = await files.open()
  await indexed(first)
  await first.close()
  damage(files.indexPath)

  const second = await files.open()
  await indexed(second)
  expect(await second.get(sessionId)).toMatchObject({ firstPrompt: 'still here' })
  expect((await second.search('still here', { limit: 5, except: [] })).hits).toHaveLength(1)
  expect(files.logged.map(({ message }) => message)).toContain('the index of the transcripts is made anew')
})

it('makes the index anew when damage shows while it runs', async () => {
  await using files = new TranscriptFiles()
  const sessionId = files.add(said('user', 'still here'))
  const reader = await files.open()
  await indexed(reader)
  const database = new Database(files.indexPath)
  database.exec('DROP TABLE message_text')
  database.close()

  await expect(reader.search('still', { limit: 5, except: [] })).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await reader.list({ limit: 5 })).toMatchObject([{ sessionId }])
  await eventually(
    async () =>
      (await reader.search('still', { limit: 5, except: [] }).catch(() => undefined))?.hits.length === 1,
  )
  expect(await reader.list({ limit: 5 })).toMatchObject([{ sessionId }])
})

it('says what is wrong when its file cannot be made', async () => {
  await using files = new TranscriptFiles()
  writeFileSync(`${files.root}/state`, '')
  await expect(files.open()).rejects.toThrow(/state/)
})

it('survives kill -9: nothing is missing, nothing is there twice', async () => {
  await using files = new TranscriptFiles()
  const sessions = 40
  const messages = 300
  for (let session = 0; session < sessions; session++) {
    const lines = Array.from({ length: messages }, (_, index) =>
      said('user', `word${index} of session${session}x`),
    )
    files.add(lines.join(''))
  }
  const program = fileURLToPath(new URL('./index-until-killed.mjs', import.meta.url))
  let kills = 0
  for (let run = 0; run < runs; run++) {
    const child = spawn(process.execPath, [program, files.configDir, files.indexPath], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed] = await once(child.stdout, 'data')
    // The moment of the kill is what the test is about.
    await sleep(randomInt(100))
    child.kill('SIGKILL')
    await once(child, 'close')
    if (String(printed) === 'done') break
    kills += 1
  }
  expect(kills).toBeGreaterThan(0)
  const reader = await files.open()
  await indexed(reader)

  expect(files.logged).toEqual([])
  expect(reader.progress()).toEqual({ transcripts: sessions, indexed: sessions })
  for (const { messageCount } of await reader.listSessions()) expect(messageCount).toBe(messages)
  const { hits } = await reader.search('session', { limit: 2 * sessions * messages, except: [] })
  expect(hits).toHaveLength(sessions * messages)
  expect(new Set(hits.map(({ messageId }) => messageId)).size).toBe(sessions * messages)
  await reader.close()
  const database = new Database(files.indexPath)
  expect(database.pragma('integrity_check')).toMatchObject([{ integrity_check: 'ok' }])
  database.exec("INSERT INTO message_text (message_text, rank) VALUES ('integrity-check', 1)")
  database.close()
}, 120_000)

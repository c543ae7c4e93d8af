import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectFolderName } from '../transcripts/project-folder.ts'
import { latestSession } from './latest-session.ts'

const older = '11111111-1111-4111-8111-111111111111'
const newer = '22222222-2222-4222-8222-222222222222'

describe('latestSession', () => {
  let home: string
  let cwd: string

  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'latest-')))
    cwd = join(home, 'project')
    await mkdir(cwd)
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  async function transcript(configDir: string, directory: string, sessionId: string, seconds: number) {
    const folder = join(configDir, 'projects', projectFolderName(directory))
    await mkdir(folder, { recursive: true })
    const file = join(folder, `${sessionId}.jsonl`)
    const entry = { type: 'user', uuid: sessionId, sessionId, cwd, message: { role: 'user', content: 'hi' } }
    await writeFile(file, `${JSON.stringify(entry)}\n`)
    await utimes(file, seconds, seconds)
  }

  it('is the one that changed last, of this directory, in this configuration folder', async () => {
    const configDir = join(home, '.claude')
    await transcript(configDir, cwd, older, 1000)
    await transcript(configDir, cwd, newer, 2000)
    await transcript(configDir, home, '33333333-3333-4333-8333-333333333333', 3000)
    await transcript(join(home, 'elsewhere'), cwd, older, 4000)
    expect(await latestSession(cwd, { HOME: home })).toBe(newer)
    expect(await latestSession(cwd, { HOME: '/nowhere', CLAUDE_CONFIG_DIR: configDir })).toBe(newer)
    expect(await latestSession(cwd, { HOME: home, CLAUDE_CONFIG_DIR: join(home, 'elsewhere') })).toBe(older)
  })

  it('is nothing where there is none', async () => {
    expect(await latestSession(cwd, { HOME: home })).toBeUndefined()
  })
})

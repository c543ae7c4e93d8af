import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectFolderName } from './project-folder.ts'
import { transcriptPath } from './transcript-path.ts'

const id = '11111111-2222-4333-8444-555555555555'
let root = ''

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'transcript-path-')))
})
afterAll(() => {
  rmSync(root, { recursive: true })
})

describe('transcriptPath', () => {
  it('is in the configuration folder that the CLI is given', () => {
    const env = { CLAUDE_CONFIG_DIR: '/config', HOME: '/home/ann' }
    expect(transcriptPath(id, '/no/such.folder', env)).toBe(`/config/projects/-no-such-folder/${id}.jsonl`)
  })

  it("is else in the CLI's home, and else in the program's", () => {
    const project = join('projects', '-no-such', `${id}.jsonl`)
    expect(transcriptPath(id, '/no/such', { HOME: '/home/ann' })).toBe(join('/home/ann/.claude', project))
    expect(transcriptPath(id, '/no/such', {})).toBe(join(homedir(), '.claude', project))
  })

  it('is named for the directory itself, not for a link to it', () => {
    mkdirSync(join(root, 'project'))
    symlinkSync(join(root, 'project'), join(root, 'link'))
    const named = transcriptPath(id, join(root, 'link'), { CLAUDE_CONFIG_DIR: '/config' })
    expect(named).toBe(join('/config/projects', projectFolderName(join(root, 'project')), `${id}.jsonl`))
  })
})

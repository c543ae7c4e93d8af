import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findUser } from './run-as.ts'

const isRoot = process.getuid?.() === 0
const env = { PATH: process.env.PATH }
let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "dorkos-run-as's-")))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('agents are as the server is, in what is its own or is not there', async () => {
  expect(await findUser(folder, env)).toEqual({})
  expect(await findUser(join(folder, 'nowhere'), env)).toEqual({})
})

it.runIf(!isRoot)('a server that is not root makes nobody else of them', async () => {
  expect(await findUser('/', env)).toEqual({})
})

describe.runIf(isRoot)('in what belongs to another user', () => {
  beforeEach(() => chownSync(folder, 23_457, 0))

  it('they are that user', async () => {
    expect(await findUser(folder, env)).toEqual({ user: { uid: 23_457, gid: 0 } })
  })

  it('they are not where that user could not work, which says what to do', async () => {
    const chown = `Run DorkOS as 23457:0, or give root the folder: chown -R 0:0 '${folder.replace("'", `'\\''`)}'`
    chmodSync(folder, 0o555)
    const { user, fault } = await findUser(folder, env)
    expect(user).toBeUndefined()
    expect(fault?.message).toContain('it can’t reach the folder or write to it')
    expect(fault?.message).toContain(chown)
    const below = join(folder, 'below')
    mkdirSync(below)
    chownSync(folder, 0, 0)
    chownSync(below, 23_457, 0)
    chmodSync(folder, 0o700)
    expect((await findUser(below, env)).fault?.message).toContain('can’t reach')
    expect((await findUser(below, { PATH: folder })).fault?.message).toContain('aren’t installed')
  })
})

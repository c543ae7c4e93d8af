import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Offline, realCliPath, startOffline } from '@dorkos/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ClaudeCodeAgent,
  InvalidOptionsError,
  query,
  type Session,
  type SessionOptions,
} from '../src/index.ts'
import { nextTurn } from './support/collect.ts'

const secret = 'not-for-the-process-list'
const settings = { env: { A_KEY: secret }, permissions: { deny: ['Read(//nowhere/**)'] } }

/** What the CLI was started with, as every user of the machine can see it. */
const commandLine = (session: Session) => readFileSync(`/proc/${session.pid}/cmdline`, 'utf8').split('\0')

async function flagSettings(session: Session): Promise<unknown> {
  const sources = (await session.getSettings()).sources as { source: string; settings: unknown }[]
  return sources.find(({ source }) => source === 'flagSettings')?.settings
}

async function rules(session: Session): Promise<string[]> {
  const { state } = (await session.listPermissionRules()) as { state: { rules: { rule: string }[] } }
  return state.rules.map(({ rule }) => rule)
}

describe('settings, on the real CLI', () => {
  let offline: Offline
  let agent: ClaudeCodeAgent
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-test-'))
    vi.stubEnv('TMPDIR', folder)
    offline = await startOffline(() => 'ok')
    agent = new ClaudeCodeAgent({
      cliPath: realCliPath(),
      env: offline.overlay,
      cwd: offline.cwd,
      settingSources: [],
    })
  })

  afterEach(async () => {
    await agent.close()
    await offline.dispose()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (options: SessionOptions) => agent.startSession({ keepAlive: true, options })
  const left = () => readdirSync(folder).filter((name) => /^claude-code-agent-\w{6}$/.test(name))

  it.each<[string, SessionOptions, unknown]>([
    ['an object', { settings }, settings],
    ['JSON', { settings: JSON.stringify(settings) }, settings],
    [
      'a sandbox over it',
      { settings, sandbox: { enabled: false } },
      { ...settings, sandbox: { enabled: false } },
    ],
  ])('%s holds, is not on the command line, and leaves no file', async (_, options, expected) => {
    const session = await start(options)
    expect(commandLine(session).join(' ')).not.toContain(secret)
    expect(await flagSettings(session)).toEqual(expected)
    expect(left()).toEqual([])
  })

  it('a path stays a path', async () => {
    const path = join(offline.cwd, 'mine.json')
    await writeFile(path, JSON.stringify(settings))
    const session = await start({ settings: path })
    expect(commandLine(session)).toContain(`--settings=${path}`)
    expect(await flagSettings(session)).toEqual(settings)
    expect(existsSync(path)).toBe(true)
  })

  it('they hold when the CLI reads other settings again, and after /clear, though the file is gone', async () => {
    const session = await start({ settings, settingSources: ['user'] })
    const over = nextTurn(session)
    await session.send('one')
    await over
    await writeFile(
      join(offline.configDir, 'settings.json'),
      JSON.stringify({ permissions: { deny: ['Read(//elsewhere/**)'] } }),
    )
    const readAgain = async () => expect(await rules(session)).toContain('Read(//elsewhere/**)')
    await vi.waitFor(readAgain, { timeout: 50_000 })
    expect(await rules(session)).toContain('Read(//nowhere/**)')
    await session.applyFlagSettings({ cleanupPeriodDays: 9 })
    const cleared = nextTurn(session)
    await session.send('/clear')
    await cleared
    expect(await rules(session)).toContain('Read(//nowhere/**)')
  })

  it('query() does so too', async () => {
    const run = query({
      prompt: 'hi',
      options: {
        pathToClaudeCodeExecutable: realCliPath(),
        env: offline.env,
        cwd: offline.cwd,
        settings,
        settingSources: [],
      },
    })
    const { sources } = await run.control('get_settings')
    expect(sources).toMatchObject([{ source: 'flagSettings', settings }])
    expect(left()).toEqual([])
    for await (const _ of run);
  })

  it('a query that is aborted before it starts leaves no file', async () => {
    const abortController = new AbortController()
    abortController.abort()
    const run = query({ prompt: 'hi', options: { settings, abortController } })
    await expect(run.next()).rejects.toThrow('aborted')
    expect(left()).toEqual([])
  })

  it('options that are refused leave no file', async () => {
    const refused = agent.startSession({ keepAlive: true, sessionId: 'no uuid', options: { settings } })
    await expect(refused).rejects.toThrow(InvalidOptionsError)
    await expect(start({ settings: '{broken' })).rejects.toThrow(InvalidOptionsError)
    expect(left()).toEqual([])
  })

  it('a CLI that cannot start leaves no file', async () => {
    await expect(start({ settings, cliPath: '/nowhere/claude' })).rejects.toThrow()
    expect(left()).toEqual([])
  })
})

import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { offlineEnvironment, startOffline } from './offline-environment.ts'

const MODEL = 'http://127.0.0.1:1'

afterEach(() => {
  delete process.env.DORKOS_TEST_SECRET
})

describe('offlineEnvironment', () => {
  it('holds what the CLI needs to run offline and nothing of the caller but the search path', async () => {
    process.env.DORKOS_TEST_SECRET = 'leak'
    await using offline = await offlineEnvironment({ model: MODEL })
    expect(offline.env).toEqual({
      PATH: process.env.PATH,
      HOME: offline.home,
      TMPDIR: join(offline.home, 'tmp'),
      CLAUDE_CODE_TMPDIR: join(offline.home, 'tmp'),
      CLAUDE_CONFIG_DIR: offline.configDir,
      ANTHROPIC_BASE_URL: MODEL,
      ANTHROPIC_API_KEY: 'sk-test',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false',
    })
    const { DORKOS_TEST_SECRET, HOME } = { ...process.env, ...offline.overlay }
    expect({ DORKOS_TEST_SECRET, HOME }).toEqual({ DORKOS_TEST_SECRET: undefined, HOME: offline.home })
    for (const folder of [offline.home, offline.configDir, offline.cwd]) expect(existsSync(folder)).toBe(true)
  })

  it('switches tool search and the sandbox mark, and lays extra variables over the rest', async () => {
    const extra = { DISABLE_TELEMETRY: undefined, ANTHROPIC_API_KEY: 'sk-other', MORE: 'yes' }
    await using offline = await offlineEnvironment({ model: MODEL, toolSearch: true, sandbox: true, extra })
    expect(offline.env).toMatchObject({
      ENABLE_TOOL_SEARCH: 'true',
      IS_SANDBOX: '1',
      ANTHROPIC_API_KEY: 'sk-other',
      MORE: 'yes',
    })
    expect(offline.env).not.toHaveProperty('DISABLE_TELEMETRY')
  })

  it('removes its own home, files in it included', async () => {
    const offline = await offlineEnvironment({ model: MODEL })
    await writeFile(join(offline.cwd, 'left.txt'), 'x')
    await offline.dispose()
    expect(existsSync(offline.home)).toBe(false)
    await offline.dispose()
  })

  it('leaves a home that it was given', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dorkos-home-'))
    try {
      const offline = await offlineEnvironment({ model: MODEL, home })
      expect(offline.env.HOME).toBe(home)
      await offline.dispose()
      expect(existsSync(home)).toBe(true)
    } finally {
      await rm(home, { recursive: true })
    }
  })
})

describe('startOffline', () => {
  it('starts a model that the environment points to, and ends both', async () => {
    const offline = await startOffline(['hi'])
    expect(offline.env.ANTHROPIC_BASE_URL).toBe(offline.model.url)
    expect((await fetch(`${offline.model.url}/v1/models`)).status).toBe(200)
    await offline.dispose()
    expect(existsSync(offline.home)).toBe(false)
    await expect(fetch(`${offline.model.url}/v1/models`)).rejects.toThrow()
  })
})

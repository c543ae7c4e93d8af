import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelStatusSchema } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApiKeyHelper } from './api-key-helper.ts'
import { hasLogin } from './claude-folder.ts'
import { findModelSource, type ModelSource, type ModelSourceInput, modelStatus } from './find-model-source.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'dorkos-credentials-'))
  await mkdir(join(home, '.claude'))
})
afterEach(() => rm(home, { recursive: true }))

const anthropicBaseUrl = 'https://api.anthropic.com'

function find(
  env: Record<string, string>,
  options: Partial<ModelSourceInput['config'] & { monotonic: () => number }> = {},
) {
  const { monotonic, ...config } = options
  return findModelSource({
    config: { model: 'auto', anthropicBaseUrl, ...config },
    env: { HOME: home, PATH: process.env.PATH ?? '', ...env },
    ...(monotonic ? { monotonic } : {}),
  })
}

function headersOf(source: ModelSource): Promise<Record<string, string>> {
  if (source.kind !== 'gateway') throw new Error(`no gateway: ${source.kind}`)
  return source.headers()
}

const settings = (value: unknown) => writeFile(join(home, '.claude/settings.json'), JSON.stringify(value))

describe('which source', () => {
  it('is the demo model where nothing is found, or where it is asked for', () => {
    expect(find({})).toEqual({ kind: 'demo' })
    expect(find({ ANTHROPIC_API_KEY: 'sk-1' }, { model: 'demo' })).toEqual({ kind: 'demo' })
    expect(find({ ANTHROPIC_API_KEY: '  ' })).toEqual({ kind: 'demo' })
  })

  it('is refused where credentials are demanded and missing, with all that was looked for', () => {
    expect(() => find({}, { model: 'anthropic' })).toThrow(
      /BEDROCK.*VERTEX.*FOUNDRY.*ANTHROPIC_AUTH_TOKEN.*ANTHROPIC_API_KEY.*apiKeyHelper.*login/s,
    )
  })

  it('is a key or a token, sent as the CLI sends it', async () => {
    const key = find({ ANTHROPIC_API_KEY: ' sk-1\n' }, { model: 'anthropic' })
    expect(modelStatus(key)).toEqual({ mode: 'anthropic', source: 'api_key', gateway: true })
    expect(await headersOf(key)).toEqual({ 'x-api-key': 'sk-1' })
    const token = find({
      ANTHROPIC_AUTH_TOKEN: 't',
      ANTHROPIC_CUSTOM_HEADERS: 'X-Team: a b\nHost: evil\nbroken',
    })
    expect(await headersOf(token)).toEqual({ authorization: 'Bearer t', 'x-team': 'a b' })
    expect(await headersOf(find({ ANTHROPIC_AUTH_TOKEN: 't', ANTHROPIC_API_KEY: 'k' }))).toEqual({
      authorization: 'Bearer t',
      'x-api-key': 'k',
    })
    expect(() => find({ ANTHROPIC_API_KEY: 'sk-1\r\nevil: 1' })).toThrow('can’t be in a key')
  })

  it('sends a key only where it belongs', () => {
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'https://proxy.example/v' }
    expect(find({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({ baseUrl: anthropicBaseUrl })
    expect(find(env)).toMatchObject({ baseUrl: 'https://proxy.example/v' })
    expect(find(env, { anthropicBaseUrl: 'https://own.example' })).toMatchObject({
      baseUrl: 'https://own.example',
    })
    expect(() => find({ ...env, ANTHROPIC_BASE_URL: 'file:///etc' })).toThrow('isn’t a web address')
  })

  it('is a cloud provider, with its variables and no others', () => {
    const env = {
      ANTHROPIC_API_KEY: 'k',
      CLAUDE_CODE_USE_BEDROCK: 'true',
      AWS_REGION: 'r',
      AWS_SECRET_ACCESS_KEY: 's',
      AZURE_CLIENT_SECRET: 'x',
      HTTPS_PROXY: 'http://p',
      GITHUB_TOKEN: 'g',
      ANTHROPIC_MODEL: 'm',
    }
    expect(find(env)).toMatchObject({
      kind: 'cli',
      source: 'bedrock',
      env: {
        CLAUDE_CODE_USE_BEDROCK: '1',
        AWS_REGION: 'r',
        AWS_SECRET_ACCESS_KEY: 's',
        HTTPS_PROXY: 'http://p',
        ANTHROPIC_MODEL: 'm',
      },
    })
    expect(find({ CLAUDE_CODE_USE_BEDROCK: '0' })).toEqual({ kind: 'demo' })
    const vertex = {
      CLAUDE_CODE_USE_VERTEX: '1',
      CLOUD_ML_REGION: 'r',
      VERTEX_REGION_CLAUDE_X: 'q',
      ANTHROPIC_VERTEX_PROJECT_ID: 'p',
    }
    expect(find({ ...vertex, AWS_REGION: 'r' })).toMatchObject({ kind: 'cli', source: 'vertex', env: vertex })
    const foundry = {
      CLAUDE_CODE_USE_FOUNDRY: '1',
      ANTHROPIC_FOUNDRY_RESOURCE: 'r',
      ANTHROPIC_FOUNDRY_API_KEY: 'k',
    }
    expect(find(foundry)).toMatchObject({ kind: 'cli', source: 'foundry', env: foundry })
  })

  it('is the owner’s login, whose file is not even readable JSON', async () => {
    await writeFile(join(home, '.claude/.credentials.json'), 'not for reading', { mode: 0 })
    const login = find({})
    expect(login).toMatchObject({ kind: 'cli', source: 'cli_login', env: {} })
    // No settings file sends it elsewhere, or puts another key beside it.
    expect(login).toHaveProperty('pinned.ANTHROPIC_BASE_URL', 'https://api.anthropic.com')
    expect(login).toHaveProperty('pinned.ANTHROPIC_API_KEY', '')
    expect(login).toHaveProperty('pinned.CLAUDE_CODE_USE_BEDROCK', '')
    expect(modelStatusSchema.parse(modelStatus(login))).toEqual({
      mode: 'anthropic',
      source: 'cli_login',
      gateway: false,
    })
    expect(find({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({ source: 'api_key' })
    expect(find({ CLAUDE_CONFIG_DIR: join(home, 'other') })).toEqual({ kind: 'demo' })
    expect(find({ CLAUDE_CONFIG_DIR: join(home, 'other'), CLAUDE_CODE_OAUTH_TOKEN: 'o' })).toMatchObject({
      env: { CLAUDE_CODE_OAUTH_TOKEN: 'o' },
    })
  })

  it('knows a login in the keychain of macOS by the account in the state file', async () => {
    await writeFile(join(home, '.claude.json'), '{"oauthAccount":{"emailAddress":"a"}}')
    expect(hasLogin({ HOME: home }, 'darwin')).toBe(true)
    expect(hasLogin({ HOME: home }, 'linux')).toBe(false)
  })

  it('counts what the owner’s settings file sets, as the CLI does', async () => {
    await settings({ env: { ANTHROPIC_API_KEY: 'from settings', N: 1 } })
    expect(() => find({})).toThrow('can’t be in a key')
    await settings({ env: { ANTHROPIC_API_KEY: 'settings' } })
    expect(await headersOf(find({ ANTHROPIC_API_KEY: 'env' }))).toEqual({ 'x-api-key': 'settings' })
    await writeFile(join(home, '.claude/settings.json'), '{ broken')
    expect(find({})).toEqual({ kind: 'demo' })
  })
})

/** A zombie that nobody has reaped yet runs no more. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !(existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))
}

describe('apiKeyHelper', () => {
  const counting = () => `echo x >> ${home}/runs; echo key-$(wc -l < ${home}/runs | tr -d ' ')`

  it('is asked once in five minutes, and once for calls at the same time', async () => {
    await settings({ apiKeyHelper: counting() })
    let now = 0
    const source = find({}, { monotonic: () => now })
    expect(modelStatus(source)).toMatchObject({ source: 'api_key_helper', gateway: true })
    const first = { 'x-api-key': 'key-1', authorization: 'Bearer key-1' }
    expect(await Promise.all([headersOf(source), headersOf(source)])).toEqual([first, first])
    now = 299_999
    expect(await headersOf(source)).toEqual(first)
    now = 300_000
    expect(await headersOf(source)).toMatchObject({ 'x-api-key': 'key-2' })
  })

  it.each([
    ['echo secret-part; exit 3', 'exited with 3'],
    ['true', 'didn’t print a key'],
    ['echo secret part', 'didn’t print a key'],
    ['kill -9 $$', 'was killed (SIGKILL)'],
    ['yes secret', 'far more than a key'],
  ])('fails with a sentence and without what it printed: %s', async (apiKeyHelper, message) => {
    await settings({ apiKeyHelper })
    const failure = await headersOf(find({})).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      name: 'AppError',
      code: 'unavailable',
      message: expect.stringContaining(message),
    })
    expect(String(failure)).not.toContain('secret')
  })

  it('is ended, with all it started, when it does not answer', async () => {
    const ask = createApiKeyHelper({
      command: `sleep 1000 & echo $! > ${home}/pid; wait`,
      env: process.env,
      cwd: home,
      monotonic: () => 0,
      timeoutMs: 200,
    })
    await expect(ask()).rejects.toThrow('didn’t answer within 0.2 s')
    const pid = Number(await readFile(join(home, 'pid'), 'utf8'))
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000)
  })

  it('is asked again after a failure', async () => {
    await settings({ apiKeyHelper: `test -e ${home}/ready && echo k` })
    const source = find({})
    await expect(headersOf(source)).rejects.toThrow('exited with 1')
    await writeFile(join(home, 'ready'), '')
    expect(await headersOf(source)).toMatchObject({ 'x-api-key': 'k' })
  })
})

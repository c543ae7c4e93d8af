import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configSchema } from '@dorkos/shared'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.ts'
import { configKeys, pathKeys } from './config-keys.ts'
import { configTemplate } from './config-template.ts'
import { type ConfigInput, loadConfig, loadConfigText } from './load-config.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'dorkos-config-'))
})
afterEach(() => rm(home, { recursive: true }))

const write = (text: string) => writeFile(join(home, 'config.jsonc'), text)

function faultsOf(input: Partial<ConfigInput>, text?: string) {
  try {
    loadConfigText({ home: '/state', env: {}, ...input }, text)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('no fault was found')
}

describe('sources', () => {
  it('takes the defaults where there is no file', () => {
    const { config, sources, text } = loadConfig({ home, env: {} })
    expect(config).toEqual(configSchema.parse({}))
    expect(config).toMatchObject({ host: '127.0.0.1', insecureLan: false })
    expect(text).toBeUndefined()
    expect(new Set(sources.values())).toEqual(new Set(['default']))
    expect(sources.size).toBe(configKeys.length)
  })

  it('puts flags over the environment over the file', async () => {
    await write(
      '{ "port": 1, "host": "::1", "log": { "level": "warn" }, /* c */ "sessions": { "maxLive": 3, }, }',
    )
    const { config, sources } = loadConfig({
      home,
      env: { DORKOS_PORT: '2', DORKOS_LOG_LEVEL: 'error', DORKOS_MODEL: '' },
      flags: { '--port': '3', '--insecure-lan': true },
    })
    expect(config).toMatchObject({ port: 3, host: '::1', insecureLan: true, log: { level: 'error' } })
    expect(config.sessions).toMatchObject({ maxLive: 3, idleMinutes: 30 })
    expect(config.model).toBe('auto')
    const shown = [
      'port',
      'host',
      'insecureLan',
      'log.level',
      'sessions.maxLive',
      'sessions.idleMinutes',
      'model',
    ]
    expect(shown.map((path) => sources.get(path))).toEqual([
      'flag',
      'file',
      'flag',
      'env',
      'file',
      'default',
      'default',
    ])
  })

  it('makes paths absolute: ~ is the owner’s home, relative ones belong to the command line', async () => {
    await write('{ "roots": ["~/work", "/srv/../data"], "tls": { "cert": "~/c.pem", "key": "/k.pem" } }')
    const { config } = loadConfig({
      home,
      env: { HOME: '/home/o' },
      flags: { '--cwd': 'sub' },
      cwd: '/start',
    })
    expect(config.roots).toEqual(['/home/o/work', '/data'])
    expect(config.tls).toEqual({ cert: '/home/o/c.pem', key: '/k.pem' })
    expect(config.defaultCwd).toBe('/start/sub')
    expect(faultsOf({}, '{ "roots": ["/a", "b"] }').faults).toEqual([
      {
        path: 'roots[1]',
        message: expect.stringContaining('an absolute path'),
        location: '/state/config.jsonc:1:19',
      },
    ])
  })

  it('names only paths that the schema has', () => {
    const known = configKeys.flatMap((key) => [
      key.path,
      ...Object.keys(key.json.properties ?? {}).map((name) => `${key.path}.${name}`),
    ])
    for (const path of pathKeys) expect(known).toContain(path)
  })
})

describe('faults', () => {
  it('lists every fault of every source at once, with its place', () => {
    const text = `{
  "port": "many",
  "hots": "0.0.0.0",
  "sessions.idleMinutes": 5,
  "sessions": { "idleMinutes": 1.5, "prewarm": "yes", "maxlive": 3 },
  "rules": [{ "effect": "perhaps", "tool": "" }],
  "tls": { "cert": "/c" },
  "publicOrigins": ["ftp://x"],
  "budgets": 7,
  "model": "gpt"
}`
    const error = faultsOf(
      {
        env: { DORKOS_PORT: '99999', DORKOS_SANDBOX: 'perhaps' },
        flags: { '--port': 'x', '--no-such': '1' },
      },
      text,
    )
    const lines = error.faults.map(
      (fault) => `${fault.location.replace('/state/config.jsonc', '')} ${fault.message}`,
    )
    expect(lines.toSorted()).toEqual(
      [
        ':2:11 port is "many"; it must be an integer from 0 to 65535',
        ':3:3 there is no key hots; did you mean host?',
        ':4:3 there is no key sessions.idleMinutes; write it as an object in an object: { "sessions": { "idleMinutes": …',
        ':5:32 sessions.idleMinutes is 1.5; it must be an integer from 1 to 10080',
        ':5:48 sessions.prewarm is "yes"; it must be true or false',
        ':5:55 there is no key sessions.maxlive; did you mean sessions.maxLive?',
        ':6:25 rules[0].effect is "perhaps"; it must be one of "allow", "deny", "ask"',
        ':6:44 rules[0].tool is ""; it must be text that is not empty',
        ':7:10 tls.key is missing; it must be text that is not empty',
        ':8:21 publicOrigins[0] is "ftp://x"; it must be a web address that begins with http:// or https://',
        ':9:14 budgets is 7; it must be an object with `dayUsd`?, `warnAt`?',
        ':10:12 model is "gpt"; it must be one of "auto", "demo", "anthropic"',
        'DORKOS_PORT port is "99999"; it must be an integer from 0 to 65535',
        'DORKOS_SANDBOX sandbox is "perhaps"; it must be one of "auto", "required", "off"',
        '--port port is "x"; it must be an integer from 0 to 65535',
        '--no-such there is no flag --no-such',
      ].toSorted(),
    )
    expect(error.message.split('\n')).toHaveLength(17)
    expect(error.message).toContain('The configuration has 16 errors:\n  /state/config.jsonc:')
  })

  it('says where the text is not JSON with comments, and what stands there twice', () => {
    expect(faultsOf({}, '{\n  "port": 1,\n  oops\n}').message).toContain('config.jsonc:3:3')
    expect(faultsOf({}, '[]').message).toContain('must hold one object')
    expect(faultsOf({}, '{ "port": 1, "port": 2 }').faults).toEqual([
      {
        path: 'port',
        message: 'port stands here a second time; remove one of them',
        location: '/state/config.jsonc:1:14',
      },
    ])
  })

  it('takes a key __proto__ for what it is: unknown', () => {
    const error = faultsOf(
      {},
      '{ "__proto__": { "port": 1 }, "sessions": { "__proto__": { "maxLive": 1 } } }',
    )
    expect(error.faults.map((fault) => fault.path)).toEqual(['sessions.__proto__', '__proto__'])
    expect(({} as { port?: number }).port).toBeUndefined()
  })

  it('refuses a link, a folder and a huge file', async () => {
    await symlink('/etc/passwd', join(home, 'config.jsonc'))
    expect(() => loadConfig({ home, env: {} })).toThrow('is a symbolic link')
    await rm(join(home, 'config.jsonc'))
    await write(' '.repeat(1024 * 1024 + 1))
    expect(() => loadConfig({ home, env: {} })).toThrow('larger than 1 MiB')
  })

  it('never fails otherwise than with ConfigError, whatever the file holds', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => `{ "sessions": ${json}, "rules": [${json}] }`),
    )
    fc.assert(
      fc.property(text, (any) => {
        try {
          const { config } = loadConfigText({ home: '/state', env: {} }, any)
          expect(configSchema.safeParse(config).success).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('beyond loopback', () => {
  const load = (config: object) => loadConfigText({ home: '/state', env: {} }, JSON.stringify(config))
  const tls = { cert: '/c', key: '/k' }

  it.each(['127.0.0.1', '127.8.8.8', '::1', '[::1]', 'localhost'])('serves %s as it is', (host) => {
    expect(load({ host }).config.host).toBe(host)
  })

  it.each(['0.0.0.0', '::', '192.168.1.2', 'agents.example.org', '127.0.0.1.evil.test', '::ffff:10.0.0.1'])(
    'refuses %s without TLS and origins',
    (host) => {
      expect(() => load({ host })).toThrow(/set `tls`.*publicOrigins/s)
      expect(() => load({ host, tls })).toThrow('publicOrigins')
      expect(() => load({ host, publicOrigins: ['https://a.example'] })).toThrow('set `tls`')
      expect(load({ host, tls, publicOrigins: ['https://a.example'] }).config.host).toBe(host)
      expect(load({ host, insecureLan: true, publicOrigins: ['http://a.example'] }).config.host).toBe(host)
    },
  )
})

describe('the commented file', () => {
  it('is valid, says nothing, and documents every key', () => {
    const text = configTemplate()
    expect(loadConfigText({ home: '/state', env: {} }, text).config).toEqual(configSchema.parse({}))
    for (const key of configKeys) expect(text).toContain(`// "${key.steps.at(-1)}": `)
  })

  it('is valid with every key that has a default switched on', () => {
    const lines = configTemplate().split('\n')
    const on = lines.map((line) =>
      line.includes('"…"') ? line : line.replace(/^( *)\/\/ (".*": .*,)$/, '$1$2'),
    )
    const { config, sources } = loadConfigText({ home: '/state', env: {} }, on.join('\n'))
    expect(config).toEqual(configSchema.parse({}))
    const set = [...sources].filter(([, source]) => source === 'file').map(([path]) => path)
    expect(set).toEqual(configKeys.filter((key) => key.default !== undefined).map((key) => key.path))
  })
})

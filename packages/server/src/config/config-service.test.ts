import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configViewSchema } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { owner } from '../../test/support/actors.ts'
import type { Actor } from '../core/actor.ts'
import { ConfigError } from './config-error.ts'
import {
  type ConfigChange,
  type ConfigServiceOptions,
  createConfigService,
  type LiveConfig,
} from './config-service.ts'
import { configTemplate } from './config-template.ts'

const actor = owner()
const logger = { debug() {}, info() {}, warn() {}, error() {} }

let home: string
let file: string
const open: LiveConfig[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'dorkos-config-'))
  file = join(home, 'config.jsonc')
})
afterEach(async () => {
  for (const service of open.splice(0)) service.close()
  await rm(home, { recursive: true })
})

async function start(options: Partial<ConfigServiceOptions> = {}) {
  const service = await createConfigService({ home, env: {}, logger, settleMs: 20, ...options })
  open.push(service)
  return service
}

const nextChange = (service: LiveConfig) =>
  new Promise<ConfigChange>((resolve) => {
    const stop = service.onChange((change) => {
      stop()
      resolve(change)
    })
  })

/** In one step, so that a change is one change however slow the machine is. */
async function replaceFile(text: string) {
  await writeFile(join(home, 'other'), text)
  await rename(join(home, 'other'), file)
}

const keyOf = (service: LiveConfig, path: string) => service.view(actor).keys.find((key) => key.path === path)

describe('the file', () => {
  it('is written at the first start, for its owner only, and left alone later', async () => {
    await start()
    expect(await readFile(file, 'utf8')).toBe(configTemplate())
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await writeFile(file, '{}')
    await start()
    expect(await readFile(file, 'utf8')).toBe('{}')
  })

  it('stops the start when it is bad', async () => {
    await writeFile(file, '{ "port": true }')
    await expect(start()).rejects.toThrow(ConfigError)
  })

  it('is applied while running, also when it is written in place', async () => {
    const service = await start()
    const changed = nextChange(service)
    await replaceFile('{ "sessions": { "idleMinutes": 7 }, "log": { "level": "debug" } }')
    expect(await changed).toEqual({
      changed: ['sessions.idleMinutes', 'log.level'],
      pending: [],
      fault: undefined,
    })
    expect(service.current().sessions.idleMinutes).toBe(7)

    await writeFile(file, '{ "sessions": { "idleMinutes": 8 } }')
    await vi.waitFor(() => expect(service.current().sessions.idleMinutes).toBe(8), 10_000)
    expect(service.current().log.level).toBe('info')
  })

  it('keeps the running value of keys that need a restart, and says that they wait', async () => {
    const service = await start()
    const changed = nextChange(service)
    await replaceFile('{ "port": 5555, "budgets": { "dayUsd": 1 } }')
    expect(await changed).toEqual({ changed: ['budgets.dayUsd'], pending: ['port'], fault: undefined })
    expect(service.current().port).toBe(4242)
    expect(keyOf(service, 'port')).toMatchObject({
      value: 4242,
      pending: 5555,
      restart: true,
      file_only: false,
      source: 'file',
    })
    expect(keyOf(service, 'cliPath')).toMatchObject({ file_only: true })
    const back = nextChange(service)
    await replaceFile('{ "budgets": { "dayUsd": 1 } }')
    expect(await back).toEqual({ changed: [], pending: [], fault: undefined })
  })

  it('does not take the sandbox from agents while the server runs', async () => {
    const service = await start()
    const changed = nextChange(service)
    await replaceFile('{ "sandbox": "off" }')
    expect(await changed).toEqual({ changed: [], pending: ['sandbox'], fault: undefined })
    expect(service.current().sandbox).toBe('auto')
  })

  it('is not taken when it is bad: the last good one stays, and the fault says where', async () => {
    await replaceFile('{ "sessions": { "idleMinutes": 7 } }')
    const service = await start()
    const bad = nextChange(service)
    await replaceFile('{\n  "sessions": { "idleMinutes": 0 }\n}')
    expect((await bad).fault?.message).toContain(`${file}:2:32: sessions.idleMinutes is 0`)
    expect(service.current().sessions.idleMinutes).toBe(7)
    expect(service.view(actor).fault).toBe(service.fault()?.message)
    await expect(service.change(actor, { 'log.level': 'warn' })).rejects.toMatchObject({ code: 'conflict' })

    const gone = nextChange(service)
    await rm(file)
    expect((await gone).fault?.message).toContain('is gone')

    const empty = nextChange(service)
    await replaceFile('\n')
    expect((await empty).fault?.message).toContain('is empty')
    expect(service.current().sessions.idleMinutes).toBe(7)

    const good = nextChange(service)
    await replaceFile('{ "sessions": { "idleMinutes": 7 } }')
    expect(await good).toEqual({ changed: [], pending: [], fault: undefined })
    expect(service.view(actor).fault).toBeUndefined()
  })
})

describe('change', () => {
  it('writes the file, keeps its comments, applies at once, and takes keys out again', async () => {
    const service = await start()
    const notified: ConfigChange[] = []
    service.onChange((change) => notified.push(change))
    const view = await service.change(actor, { 'sessions.idleMinutes': 45, port: 5555, 'log.level': 'warn' })
    expect(configViewSchema.parse(view).keys).toHaveLength(view.keys.length)
    expect(service.current()).toMatchObject({
      port: 4242,
      sessions: { idleMinutes: 45 },
      log: { level: 'warn' },
    })
    expect(notified).toEqual([
      { changed: ['sessions.idleMinutes', 'log.level'], pending: ['port'], fault: undefined },
    ])
    const text = await readFile(file, 'utf8')
    expect(text).toContain('"idleMinutes": 45')
    for (const line of configTemplate()
      .split('\n')
      .filter((line) => line.includes('//')))
      expect(text).toContain(line)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(home)).toEqual(['config.jsonc'])

    await service.change(actor, { 'sessions.idleMinutes': null, port: null, 'log.level': null })
    expect(service.pending()).toEqual([])
    expect(service.current().sessions.idleMinutes).toBe(30)
    expect((await start()).current()).toEqual(service.current())
  })

  it('lists all faults at once and changes nothing', async () => {
    const service = await start()
    const before = await readFile(file, 'utf8')
    const wrong = {
      'sessions.idleMinutes': 0,
      'log.level': 'loud',
      host: '0.0.0.0',
      rules: [{ effect: 'x' }],
    }
    await expect(service.change(actor, { ...wrong, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [
        { path: 'sessions.idleMinutes' },
        { path: 'rules[0].effect' },
        { path: 'rules[0].tool' },
        { path: 'log.level' },
      ],
    })
    await expect(service.change(actor, { host: wrong.host })).rejects.toThrow('other machines can reach')
    await expect(service.change(actor, { sessions: {}, nothing: 1, __proto__x: 1 })).rejects.toMatchObject({
      details: [
        { message: 'there is no key sessions; name one inside it, such as sessions.maxLive' },
        { message: 'there is no key nothing' },
        { message: 'there is no key __proto__x' },
      ],
    })
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  it('refuses what the environment or a flag decides, and what only the file may decide', async () => {
    const service = await start({ env: { DORKOS_LOG_LEVEL: 'warn' }, flags: { '--port': '0' } })
    await expect(
      service.change(actor, { 'log.level': 'info', port: 1, cliPath: '/bin/evil' }),
    ).rejects.toMatchObject({
      details: [
        { message: 'the environment sets log.level; change the variable DORKOS_LOG_LEVEL and restart' },
        { message: 'the command line sets port; change the flag --port and restart' },
        { message: 'cliPath can only be changed in the configuration file itself' },
      ],
    })
  })

  it('loses none of many changes made at once', async () => {
    const service = await start()
    const paths = [
      'sessions.idleMinutes',
      'sessions.maxTurns',
      'sessions.maxLive',
      'budgets.dayUsd',
      'events.keepDays',
    ]
    await Promise.all(paths.map((path, index) => service.change(actor, { [path]: index + 1 })))
    expect(paths.map((path) => keyOf(service, path)?.value)).toEqual([1, 2, 3, 4, 5])
    expect((await start()).current()).toEqual(service.current())
  })

  it('does not write through a link that was put in its place', async () => {
    const service = await start()
    const target = join(home, 'target')
    await writeFile(target, '{}')
    await rm(file)
    await symlink(target, file)
    await expect(service.change(actor, { 'log.level': 'warn' })).rejects.toThrow('symbolic link')
    expect(await readFile(target, 'utf8')).toBe('{}')
  })
})

describe('agents', () => {
  const agent: Actor = { ...owner(), via: { kind: 'agent', sessionId: 's' } }

  it('see and change the named keys only', async () => {
    const service = await start()
    const keys = service.agentKeys(agent)
    expect(keys.filter((key) => key.writable).map((key) => key.key)).toEqual([
      'sessions.idleMinutes',
      'sessions.maxTurns',
      'sessions.model',
      'log.level',
    ])
    expect(keys.map((key) => key.key)).not.toContain('rules')
    expect(await service.changeFromAgent(agent, 'sessions.idleMinutes', '12')).toMatchObject({ value: 12 })
    expect(service.current().sessions.idleMinutes).toBe(12)
    for (const key of ['port', 'rules', 'sandbox', 'cliPath', 'nothing', '__proto__']) {
      await expect(service.changeFromAgent(agent, key, 'x')).rejects.toMatchObject({ code: 'forbidden' })
    }
    await expect(service.changeFromAgent(agent, 'sessions.idleMinutes', 'soon')).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})

describe('a file that servers share', () => {
  // Nothing that the system reports is acted on: it reports nothing of another machine.
  const unwatched = { settleMs: 3_600_000 }

  it('is read again when another has written it, and neither undoes what the other wrote', async () => {
    const [a, b] = [await start(unwatched), await start(unwatched)]
    await a.change(actor, { 'approvals.deadlineMinutes': 7 })
    expect(keyOf(b, 'approvals.deadlineMinutes')).toMatchObject({ source: 'default' })
    const notified = nextChange(b)
    b.reread()
    expect(await notified).toMatchObject({ changed: ['approvals.deadlineMinutes'], fault: undefined })
    expect(b.current().approvals.deadlineMinutes).toBe(7)
    await a.change(actor, { 'log.level': 'warn' })
    await b.change(actor, { 'events.keepDays': 3 })
    a.reread()
    for (const { current } of [a, b].map((one) => ({ current: one.current() })))
      expect(current).toMatchObject({
        approvals: { deadlineMinutes: 7 },
        log: { level: 'warn' },
        events: { keepDays: 3 },
      })
  })

  it('that says the same changes nothing, and notifies nobody', async () => {
    const service = await start(unwatched)
    let changes = 0
    service.onChange(() => {
      changes += 1
    })
    service.reread()
    expect(changes).toBe(0)
  })
})

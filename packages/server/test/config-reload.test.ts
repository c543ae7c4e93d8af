/** The configuration of a running server: its file is followed, and written over the API. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ServerTopic } from './support/server-topic.ts'
import { useHost } from './support/use-host.ts'

const first = `{
  // Mine.
  "approvals": { "deadlineMinutes": 60 /* an hour */ },
  "port": 4000
}
`
const used = useHost({ config: first, env: { DORKOS_MODEL: 'auto' } })

let topic: ServerTopic
beforeAll(() => {
  topic = new ServerTopic(used.host.client)
})
afterAll(() => topic.close())

const file = () => join(used.host.home, 'config.jsonc')

/** In one step, as editors do it. Resolves with what the server publishes about it. */
async function save(text: string) {
  const known = new Set(topic.events)
  writeFileSync(`${file()}.new`, text, { mode: 0o600 })
  renameSync(`${file()}.new`, file())
  return topic.next('config_changed', (event) => !known.has(event))
}

const keyOf = async (wanted: string) =>
  (await used.host.client.getConfig()).keys.find(({ path }) => path === wanted)

async function deadlineOfNewApproval(): Promise<number> {
  const session = await used.start([toolUse('Bash', { command: 'echo x > x' }), 'done'])
  const { created_at, deadline } = await session.answer({ decision: 'deny' })
  await session.endOf(1)
  return (Date.parse(deadline) - Date.parse(created_at)) / 60_000
}

it('a changed file is applied while the server runs; a bad one is reported, and changes nothing', async () => {
  const { client } = used.host
  expect(await deadlineOfNewApproval()).toBe(60)
  expect(await save(first.replace('60', '5'))).toMatchObject({ keys: ['approvals.deadlineMinutes'] })
  expect(await deadlineOfNewApproval()).toBe(5)

  const published = await save(first.replace('60', '"never"'))
  expect(published).toMatchObject({ keys: [], fault: expect.stringContaining(`${file()}:3:`) })
  expect((await client.getConfig()).fault).toBe(published.fault)
  expect(await keyOf('approvals.deadlineMinutes')).toMatchObject({ value: 5, source: 'file' })
  expect((await client.getStatus()).banners).toContainEqual(
    expect.objectContaining({ code: 'config_fault', level: 'warning' }),
  )
  await expect(
    client.changeConfig({ body: { set: { 'approvals.deadlineMinutes': 7 } } }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Fix the configuration file'),
  })

  await save(first)
  expect(await client.getConfig()).not.toHaveProperty('fault')
  expect((await client.getStatus()).banners.map(({ code }) => code)).not.toContain('config_fault')
  expect(await keyOf('approvals.deadlineMinutes')).toMatchObject({ value: 60 })
})

it('the log’s level follows the file', async () => {
  const { client, server } = used.host
  const linesOf = async (name: string) => {
    const { token } = await client.createToken({ body: { name, scopes: ['read'] } })
    return readFileSync(server.logFile, 'utf8').split(token.id).length - 1
  }
  expect(await linesOf('told')).toBe(1)
  await save(`{ "log": { "level": "error" } }`)
  expect(await linesOf('untold')).toBe(0)
  await save(first)
  expect(await linesOf('told again')).toBe(1)
})

it('a change over the API keeps the file’s comments, and says what waits for a restart', async () => {
  const { client } = used.host
  const known = new Set(topic.events)
  const view = await client.changeConfig({
    body: { set: { 'approvals.deadlineMinutes': 30, host: '127.0.0.2' } },
  })
  expect(view.keys.find(({ path }) => path === 'host')).toMatchObject({
    value: '127.0.0.1',
    pending: '127.0.0.2',
  })
  const event = await topic.next('config_changed', (one) => !known.has(one))
  expect(event.keys).toEqual(['approvals.deadlineMinutes'])
  const text = readFileSync(file(), 'utf8')
  expect(text).toContain('// Mine.')
  expect(text).toContain('"deadlineMinutes": 30 /* an hour */')
  await client.changeConfig({ body: { set: { host: null } } })
  expect(readFileSync(file(), 'utf8')).not.toContain('host')
  expect(await keyOf('host')).toMatchObject({ source: 'default' })
})

it('what a flag or the environment decides is refused with a sentence, all faults at once', async () => {
  const { client } = used.host
  const before = readFileSync(file(), 'utf8')
  const set = { model: 'demo', port: 1, nonsense: true, 'approvals.deadlineMinutes': 9 }
  await expect(client.changeConfig({ body: { set } })).rejects.toMatchObject({
    code: 'invalid_request',
    details: [
      { path: 'model', message: expect.stringContaining('DORKOS_MODEL') },
      { path: 'port', message: expect.stringContaining('--port') },
      { path: 'nonsense', message: expect.stringContaining('there is no key') },
    ],
  })
  expect(readFileSync(file(), 'utf8')).toBe(before)
  expect(await keyOf('approvals.deadlineMinutes')).toMatchObject({ value: 30 })
})

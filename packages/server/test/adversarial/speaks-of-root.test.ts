/** Whoever runs the server as root is told so, wherever they look; nobody else is. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { diagnose } from '../../src/diagnose.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost()
const isRoot = process.getuid?.() === 0

it('status, log and doctor say what it means, and what to do', async () => {
  const { client, server, env } = used.host
  const { banners } = await client.getStatus()
  const log = readFileSync(server.logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('runs_as_root'))
  const user = (await diagnose(env)).find(({ check }) => check === 'user')
  const banner = banners.find(({ code }) => code === 'runs_as_root')
  if (!isRoot) {
    expect({ banner, log }).toEqual({ banner: undefined, log: [] })
    expect(user).toEqual({ check: 'user', state: 'ok', detail: 'not root' })
    return
  }
  expect(banner).toMatchObject({ level: 'warning', message: expect.stringContaining('Create a user') })
  expect(log.map((line) => JSON.parse(line).msg)).toEqual([banner?.message])
  expect(user).toMatchObject({ state: 'warning', fix: expect.stringContaining('Make a user') })
})

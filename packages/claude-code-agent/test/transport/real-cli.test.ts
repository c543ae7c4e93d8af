import { join } from 'node:path'
import { isLiving } from '@dorkos/processes'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkCliVersion } from '../../src/transport/check-version.ts'
import { findCli } from '../../src/transport/find-cli.ts'
import { eventually, Scene } from './script-process.ts'

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})
afterEach(() => scene.clean())

/** The CLI with a private home and no one to talk to: nothing here reaches for a model. */
async function startCli() {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: scene.dir,
    CLAUDE_CONFIG_DIR: join(scene.dir, '.claude'),
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    ANTHROPIC_API_KEY: 'sk-test',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  const args = [
    '--output-format=stream-json',
    '--verbose',
    '--input-format=stream-json',
    '--setting-sources=',
  ]
  const started = await scene.start('', { cliPath: findCli({ env: {} }).path, args, env, cwd: scene.dir })
  await started.transport.write(request('init', { subtype: 'initialize' }))
  await eventually('it answers', () =>
    started.messages.find((message) => message.type === 'control_response'),
  )
  return started
}

function request(id: string, content: Record<string, unknown>): string {
  return JSON.stringify({ type: 'control_request', request_id: id, request: content })
}

it('is found, and is new enough', async () => {
  const { path } = findCli({ env: {} })
  const version = await checkCliVersion(path, { PATH: process.env.PATH ?? '' })
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})

it('answers over the transport, and ends by itself when asked to', async () => {
  const { transport, faults, exited } = await startCli()
  await transport.write(request('end', { subtype: 'end_session' }))
  expect(await exited).toMatchObject({ exitCode: 0, signal: null })
  expect(faults).toEqual([])
})

it('ends with the end of its input, within the grace', async () => {
  const { transport } = await startCli()
  expect(await transport.terminate({ graceMs: 10_000 })).toMatchObject({ exitCode: 0, signal: null })
  expect(isLiving(transport.pid!)).toBe(false)
})

/**
 * Where the switches do not hold: a real Claude Code that was started without them says of itself what it has loaded, and is not used. With
 * them, none of this loads (`ways-around.test.ts`).
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Offline, startOffline } from '@dorkos/testkit'
import { it } from 'vitest'
import { startCliRig } from '../support/cli-rig.ts'
import { commandHook } from '../support/hook-consents.ts'
import { installPlugin, put } from '../support/install-plugin.ts'

const minutes = 60_000
const hooksOff = { disableAllHooks: true }
const settingsOf = ({ home }: Offline) => join(home, '.claude/settings.json')

interface Loaded {
  prepare(offline: Offline): void
  /** That the process is started with. */
  settings: Record<string, unknown>
  reason: string
}

const atStart: Record<string, Loaded> = {
  'a hook of the owner’s': {
    prepare(offline) {
      const hooks = { UserPromptSubmit: [commandHook(`touch ${join(offline.cwd, 'ran')}`)] }
      put(settingsOf(offline), { hooks })
    },
    settings: {},
    reason: 'disableAllHooks',
  },
  'a plugin that is turned on': {
    prepare(offline) {
      installPlugin({ root: offline.home }, 'loud', {})
      put(settingsOf(offline), { enabledPlugins: { 'loud@market': true } })
    },
    settings: hooksOff,
    reason: 'loud@market',
  },
}

// Side by side: each is most of all the start of a process.
it.concurrent.for(Object.entries(atStart))(
  '%s that nobody allowed keeps a process from being used, and no model is asked',
  { timeout: minutes },
  async ([, { prepare, settings, reason }], { expect }) => {
    await using offline = await startOffline(() => 'Hello.')
    prepare(offline)
    await using started = await startCliRig(offline, { settings })
    const { rig } = started
    const turn = await rig.send('hello')
    const end = await rig.next('turn_end', ({ turn_id }) => turn_id === turn.id)
    expect(end).toMatchObject({ outcome: 'failed', reason_code: 'not_started' })
    expect(end.reason).toContain(reason)
    expect(rig.manager.peek((await rig.record()).id)?.live ?? false).toBe(false)
    expect(offline.model.requests).toEqual([])
    expect(existsSync(join(offline.cwd, 'ran'))).toBe(false)
  },
)

it.concurrent('a plugin that no settings turn on is reported with the turn, which ends the process', {
  timeout: minutes,
}, async ({ expect }) => {
  await using offline = await startOffline(() => 'Hello.')
  const folder = join(offline.home, '.claude/skills/unasked')
  put(join(folder, '.claude-plugin/plugin.json'), { name: 'unasked', version: '1.0.0' })
  await using started = await startCliRig(offline, { settings: hooksOff })
  const { rig } = started
  await rig.send('hello')
  const { message } = await rig.next('notice', ({ code }) => code === 'session_stopped')
  expect(message).toContain(folder)
  const { id } = await rig.record()
  await expect.poll(() => rig.manager.peek(id)?.live ?? false, { timeout: minutes }).toBe(false)
})

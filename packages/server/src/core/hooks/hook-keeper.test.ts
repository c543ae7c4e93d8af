import { matchesHook } from 'claude-code-agent'
import { describe, expect, it } from 'vitest'
import type { StoredHookConsent } from '../ports/hook-consents.ts'
import type { FoundHook, HookReading } from '../ports/hook-files.ts'
import type { HookEnd, HookLaunch } from '../ports/hook-runner.ts'
import { HookKeeper, waitingNotice } from './hook-keeper.ts'

const ended: HookEnd = { outcome: 'ended', exitCode: 0, stdout: '', stderr: '' }
const workspace = { path: '/p', sources: ['user'], container: false } as const
const hook = (part: Partial<FoundHook['hook']>, more: Partial<FoundHook> = {}): FoundHook => ({
  hook: { event: 'Stop', kind: 'command', runs: 'x', source: 'user', ...part },
  matcher: '',
  config: { type: 'command', command: 'x' },
  digest: 'd',
  scripts: [],
  ...more,
})

/** A keeper over these hooks, with what was run. */
function keeperOf(hooks: FoundHook[], ...allowed: [digest: string, grant: StoredHookConsent['grant']][]) {
  const reading: HookReading = {
    hooks,
    plugins: [],
    enabledPlugins: [],
    policyPlugins: [],
    loosening: [],
    faults: [],
  }
  const consents = new Map(
    allowed.map(([digest, grant]) => [
      digest,
      { digest, grant, label: '', principal: 'o', at: '2026-01-01T00:00:00.000Z' },
    ]),
  )
  const ran: HookLaunch[] = []
  const keeper = new HookKeeper({
    files: { read: async () => reading },
    consents: {
      list: async () => [...consents.values()],
      put: async () => {},
      remove: async () => undefined,
    },
    runner: {
      matches: matchesHook,
      async run(launch) {
        ran.push(launch)
        return ended
      },
    },
  })
  return {
    keeper,
    reading,
    consents,
    ran,
    open: () => keeper.open({ workspace, env: { A: 'a' } }),
  }
}
const signal = new AbortController().signal

describe('a hook of the machine’s policy', () => {
  const policy = hook({ source: 'policy', file: '/etc/policy.json' })

  it('keeps sessions from starting until it was allowed, since nothing keeps the CLI from running it', async () => {
    await expect(keeperOf([policy]).open()).rejects.toThrow(/machine’s policy.*\/etc\/policy\.json/)
  })

  it('keeps them from starting also where it keeps all others on', async () => {
    const { open, reading } = keeperOf([])
    reading.keptOn = '/etc/policy.json'
    await expect(open()).rejects.toThrow('/etc/policy.json')
  })

  it('that was allowed is left to the CLI', async () => {
    const hooks = await keeperOf([policy], ['d', 'run']).open()
    expect(hooks.subscriptions).toEqual([])
  })
})

describe('a hook that was allowed', () => {
  it('runs where the CLI calls for it, with what Claude Code would give it', async () => {
    const { open, ran } = keeperOf(
      [
        hook(
          { event: 'PostToolUse' },
          {
            matcher: 'Edit',
            config: { type: 'command', command: 'x $' + '{CLAUDE_PROJECT_DIR}', timeout: 5 },
          },
        ),
      ],
      ['d', 'run'],
    )
    const hooks = await open()
    expect(hooks.subscriptions).toEqual([{ id: '0', event: 'PostToolUse', matcher: 'Edit' }])
    await hooks.run('0', { tool_name: 'Edit' }, signal)
    expect(ran).toMatchObject([
      { run: { command: 'x /p' }, cwd: '/p', env: { A: 'a', CLAUDE_PROJECT_DIR: '/p' }, timeoutMs: 5000 },
    ])
  })

  it('does not run any more once that is taken back, nor does one that nobody knows', async () => {
    const { open, consents, ran } = keeperOf([hook({})], ['d', 'run'])
    const hooks = await open()
    consents.clear()
    expect(await hooks.run('0', {}, signal)).toEqual({})
    expect(await hooks.run('7', {}, signal)).toEqual({})
    expect(ran).toEqual([])
  })

  it('runs once where it says so, and is not waited for in the background', async () => {
    const once = keeperOf([hook({ once: true })], ['d', 'run'])
    const hooks = await once.open()
    await hooks.run('0', {}, signal)
    await hooks.run('0', {}, signal)
    expect(once.ran).toHaveLength(1)
    const late = keeperOf(
      [
        hook(
          { event: 'PreToolUse', decides: true },
          { config: { type: 'command', command: 'x', async: true } },
        ),
      ],
      ['d', 'allow'],
    )
    expect(await (await late.open()).about('PreToolUse', { tool_name: 'Bash' }, signal)).toMatchObject([
      { says: 'nothing' },
    ])
    expect(late.ran).toHaveLength(1)
  })
})

it('a process is outdated when what counts has changed', async () => {
  const { keeper, open, consents, reading } = keeperOf([hook({})], ['d', 'run'])
  const hooks = await open()
  expect(await keeper.isOutdated(workspace, hooks)).toBe(false)
  reading.hooks = [hook({}, { digest: 'other' })]
  expect(await keeper.isOutdated(workspace, hooks)).toBe(true)
  reading.hooks = [hook({})]
  consents.clear()
  expect(await keeper.isOutdated(workspace, hooks)).toBe(true)
})

it('those who follow are notified how many wait, and of nothing where none does', async () => {
  const { open } = keeperOf([hook({}), hook({ event: 'PreToolUse' })])
  const notice = waitingNotice((await open()).states)
  expect(notice).toMatchObject({
    type: 'notice',
    code: 'hooks_wait',
    message: expect.stringMatching(/^Not used here .*: 2 hooks from your settings\.$/),
  })
  expect(waitingNotice((await keeperOf([hook({})], ['d', 'run']).open()).states)).toBeUndefined()
})

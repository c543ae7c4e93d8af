import { say, statusSchema } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { owner } from '../../test/support/actors.ts'
import { createManualClock } from './ports/fixtures.conformance.ts'
import { banners, createStatus, type StatusParts } from './status.ts'

/** A server without any trouble. */
function parts(more: Partial<StatusParts> = {}): StatusParts {
  const clock = createManualClock()
  return {
    version: '1.2.3',
    clock,
    startedAt: clock.now() - 61_900,
    address: () => ({ host: '127.0.0.1', port: 4242 }),
    cli: () => ({ path: '/bin/claude', version: '2.1.325', fault: undefined }),
    model: () => ({ mode: 'anthropic', source: 'api_key', gateway: true }),
    sandbox: () => ({ enabled: true, reason: undefined }),
    root: false,
    containers: () => ({ available: false, reason: say('cli_words', { text: 'socat not installed' }) }),
    sessions: () => ({ live: 1, max_live: 8, working: 1 }),
    index: () => ({ transcripts: 3, indexed: 2 }),
    pendingApprovals: async () => 4,
    configFault: () => undefined,
    storageFault: () => undefined,
    exposed: () => undefined,
    tools: () => ({ server: 'dorkos', tools: [] }),
    ...more,
  }
}

const codes = (more: Partial<StatusParts>) => banners(parts(more)).map(({ code }) => code)

describe('status', () => {
  it('says how the server is, by the contract', async () => {
    const status = await createStatus(parts()).status(owner())
    expect(statusSchema.parse(status)).toEqual(status)
    expect(status).toMatchObject({
      version: '1.2.3',
      uptime_seconds: 61,
      host: '127.0.0.1',
      port: 4242,
      cli: { path: '/bin/claude', version: '2.1.325' },
      sandbox: { enabled: true },
      containers: { available: false, reason: 'socat not installed' },
      sessions: { live: 1, max_live: 8, working: 1 },
      index: { transcripts: 3, indexed: 2 },
      pending_approvals: 4,
      banners: [],
    })
  })

  it('leaves out what is not known', async () => {
    const cli = () => ({ path: undefined, version: undefined, fault: undefined })
    const status = await createStatus(parts({ cli })).status(owner())
    expect(status.cli).toEqual({})
    expect(statusSchema.parse(status)).toEqual(status)
  })
})

describe('health', () => {
  const health = (more: Partial<StatusParts> = {}) => createStatus(parts(more)).health()

  it('is given without anything that only the owner may know', () => {
    expect(health()).toEqual({ status: 'ok', product: 'DorkOS', version: '1.2.3', demo: false })
  })

  it('is degraded while the disk or the CLI fails, and not for less', () => {
    expect(
      health({ storageFault: () => say('cli_words', { text: 'database or disk is full' }) }).status,
    ).toBe('degraded')
    const cli = () => ({ path: undefined, version: undefined, fault: 'too old' })
    expect(health({ cli }).status).toBe('degraded')
    expect(
      health({
        configFault: () => say('cli_words', { text: 'no such key' }),
        sandbox: () => ({ enabled: false, reason: say('cli_words', { text: 'x' }) }),
      }).status,
    ).toBe('ok')
  })

  it('says plainly that a demo answers', () => {
    expect(health({ model: () => ({ mode: 'demo', source: 'demo', gateway: true }) }).demo).toBe(true)
  })
})

describe('banners', () => {
  it('warns of each danger', () => {
    expect(codes({ storageFault: () => say('cli_words', { text: 'full' }) })).toEqual(['storage_full'])
    expect(
      codes({
        sandbox: () => ({ enabled: false, reason: say('cli_words', { text: 'bubblewrap not installed' }) }),
      }),
    ).toEqual(['no_sandbox'])
    expect(codes({ root: true })).toEqual(['runs_as_root'])
    expect(codes({ exposed: () => ({ insecure: true }) })).toEqual(['insecure_lan'])
    expect(codes({ exposed: () => ({ insecure: false }) })).toEqual([])
    expect(codes({ configFault: () => say('cli_words', { text: 'no such key' }) })).toEqual(['config_fault'])
    expect(codes({ cli: () => ({ path: undefined, version: undefined, fault: 'too old' }) })).toEqual([
      'cli_version',
    ])
    expect(codes({ model: () => ({ mode: 'demo', source: 'demo', gateway: true }) })).toEqual(['demo_model'])
  })

  it('says what a missing sandbox means, why, and that commands must be read', () => {
    const [banner] = banners(
      parts({
        sandbox: () => ({ enabled: false, reason: say('cli_words', { text: 'socat not installed' }) }),
      }),
    )
    expect(banner).toMatchObject({ level: 'danger' })
    expect(banner?.message).toContain('socat not installed')
    expect(banner?.message).toMatch(/can read all your user’s files/)
  })

  it('says what it means to be root, with a sandbox and without, and what to do', () => {
    const message = (enabled: boolean) =>
      banners(parts({ root: true, sandbox: () => ({ enabled, reason: undefined }) })).at(-1)?.message
    expect(message(true)).toMatch(
      /runs as root.*without privileges, but can read all of root’s files.*Create a user/,
    )
    expect(message(false)).toMatch(/runs as root.*can do anything on this machine.*Create a user/)
  })

  it('puts danger first', () => {
    const levels = banners(
      parts({
        storageFault: () => say('cli_words', { text: 'full' }),
        sandbox: () => ({ enabled: false, reason: undefined }),
        configFault: () => say('cli_words', { text: 'bad' }),
        model: () => ({ mode: 'demo', source: 'demo', gateway: true }),
      }),
    ).map(({ level }) => level)
    expect(levels).toEqual(['danger', 'danger', 'warning', 'info'])
  })
})

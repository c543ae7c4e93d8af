import { describe, expect, it } from 'vitest'
import type { HookConfigurations, HookInput } from '../hooks.ts'
import { HookRegistry } from '../protocol/hook-registry.ts'
import { LifecycleHooks } from './lifecycle-hooks.ts'

function setUp(more: HookConfigurations = {}) {
  const raised: HookInput[] = []
  const warnings: string[] = []
  const note = (input: HookInput) => {
    raised.push(input)
    return {}
  }
  const lifecycle = new LifecycleHooks({
    hooks: new HookRegistry({ SessionStart: [{ hooks: [note] }], SessionEnd: [{ hooks: [note] }], ...more }),
    sessionId: 'id-1',
    cwd: '/no/such',
    env: { CLAUDE_CONFIG_DIR: '/config' },
    warn: (warning) => warnings.push(warning),
  })
  return { lifecycle, raised, warnings }
}

describe('LifecycleHooks', () => {
  it('raises start and end with all that the CLI would say, marked as synthetic', () => {
    const { lifecycle, raised } = setUp()
    lifecycle.start('resume')
    lifecycle.end('completed')
    const common = {
      session_id: 'id-1',
      cwd: '/no/such',
      transcript_path: '/config/projects/-no-such/id-1.jsonl',
      synthetic: true,
    }
    expect(raised).toEqual([
      { hook_event_name: 'SessionStart', source: 'resume', ...common },
      { hook_event_name: 'SessionEnd', reason: 'completed', ...common },
    ])
  })

  it('raises no end of what has not started', () => {
    const { lifecycle, raised } = setUp()
    lifecycle.end('failed')
    expect(raised).toEqual([])
  })

  it('warns of a hook that fails', async () => {
    const fail = () => Promise.reject(new Error('broken'))
    const { lifecycle, warnings } = setUp({ SessionStart: [{ hooks: [fail] }] })
    lifecycle.start('startup')
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings).toEqual(['A SessionStart hook failed: Error: broken'])
  })
})

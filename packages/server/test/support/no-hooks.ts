/** A session of a place without hooks and plugins. */
import { SessionHooks } from '../../src/core/hooks/session-hooks.ts'

export function noHooks(): SessionHooks {
  return new SessionHooks({
    states: { hooks: [], plugins: [], unloaded: [], loosening: [] },
    runner: { matches: () => false, run: () => Promise.reject(new Error('there is nothing to run')) },
    cwd: '/',
    env: {},
    current: async () => undefined,
  })
}

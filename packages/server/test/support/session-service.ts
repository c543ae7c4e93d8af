/** The service of sessions on a rig's stores; of transcripts it knows nothing. */
import { SessionDirectory } from '../../src/core/sessions/session-directory.ts'
import type { SessionHistory } from '../../src/core/sessions/session-history.ts'
import { type SessionServiceParts, Sessions } from '../../src/core/sessions/session-service.ts'
import type { SessionRig } from './session-rig.ts'

export function createSessionService(rig: SessionRig, parts: Partial<SessionServiceParts> = {}): Sessions {
  const { manager, spares, coordination, clock, sessions } = rig
  const transcripts = { get: async () => undefined } as unknown as SessionServiceParts['transcripts']
  const inUseElsewhere = parts.inUseElsewhere ?? (async () => false)
  const directory = new SessionDirectory({
    ...coordination,
    sessions,
    transcripts,
    ledger: { spent: async () => 0 } as unknown as ConstructorParameters<
      typeof SessionDirectory
    >[0]['ledger'],
    runner: (id) => manager.peek(id),
    workspaceFor: async () => undefined,
    pathOf: async () => '/projects',
    inUseElsewhere,
  })
  return new Sessions({
    manager,
    spares,
    coordination,
    clock,
    directory,
    history: {} as SessionHistory,
    outputs: {} as SessionServiceParts['outputs'],
    sessions,
    transcripts,
    costs: { current: async () => undefined, limitsChanged: async () => {} },
    resolveCwd: async () => ({ workspaceId: undefined, cwd: '/projects' }),
    defaults: () => ({ permissionMode: 'default', budgetUsd: 1, prewarm: false }),
    demo: () => false,
    inUseElsewhere,
    profiles: { usable: () => Promise.reject(new Error('there are none')) },
    changed: () => {},
    deleteTranscripts: async () => {},
    renameTranscript: async () => {},
    audit: async () => {},
    deleted: () => {},
    forgetChanges: async () => {},
    ...parts,
  })
}

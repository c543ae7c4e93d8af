/** The permission gateway of sessions whose stores are in memory: nothing is audited for longer than it takes, and no rule answers. */
import {
  createPermissionGateway,
  type PermissionGateway,
} from '../../src/core/permissions/permission-gateway.ts'
import type { ProcessSources } from '../../src/core/sessions/process-session.ts'
import type { SessionRunner } from '../../src/core/sessions/session-runner.ts'
import type { SessionRig } from './session-rig.ts'

export function memoryGateway({ coordination, clock }: SessionRig): PermissionGateway {
  const audit = {
    append: async () => {},
    record: async () => {},
    list: async () => ({ entries: [] }),
    verify: async () => ({ intact: true, entries: 0 }),
  }
  const none = () => Promise.reject(new Error('there are no rules here'))
  const rules = {
    active: async () => [],
    reread: () => {},
    createFromAnswer: none,
    list: async () => [],
    create: none,
    change: none,
    revoke: none,
  }
  return createPermissionGateway({
    approvals: coordination.approvals,
    rules,
    audit,
    clock,
    config: () => ({ approvals: { deadlineMinutes: 240 } }),
    publish: () => {},
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    protectedFolders: [],
  })
}

/** What a session's processes ask is put to this gateway. */
export function permissionsOf(
  gateway: PermissionGateway,
  runner: SessionRunner,
): ProcessSources['permissions'] {
  const { id: sessionId, record, grant } = runner
  return async (hooks) =>
    gateway.openFor({
      sessionId,
      epoch: grant.epoch,
      cwd: record.cwd,
      principal: record.principal,
      workspace: undefined,
      profileRules: [],
      unattended: () => false,
      folderConfirmed: () => true,
      turnId: () => runner.runningTurnId,
      permissionMode: () => runner.record.permissionMode,
      hooks,
      emit: (event) => runner.publish(event),
    })
}

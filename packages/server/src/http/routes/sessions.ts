/** Sessions: list, start, change, read. */
import type { ConfigService, SessionService } from '../../core/services.ts'
import { fileReply } from '../file-reply.ts'
import type { Handlers } from '../route.ts'
import { type CheckDriving, checkBudget, checkPermissionMode } from '../session-rights.ts'

export function sessionRoutes(sessions: SessionService, config: ConfigService, checkDriving: CheckDriving) {
  return {
    listSessions: ({ actor, query }) => sessions.list(actor, query),
    async createSession({ actor, body, idempotencyKey }) {
      checkPermissionMode(actor, body.permission_mode)
      checkBudget(actor, body.budget_usd, config)
      return sessions.create(actor, body, idempotencyKey)
    },
    getSession: ({ actor, params }) => sessions.get(actor, params.id),
    async changeSession({ actor, params, body }) {
      checkPermissionMode(actor, body.permission_mode)
      if (body.budget_usd !== undefined) {
        checkBudget(actor, body.budget_usd, config, (await sessions.get(actor, params.id)).budget_usd)
      }
      return sessions.change(actor, params.id, body)
    },
    deleteSession: ({ actor, params }) => sessions.remove(actor, params.id),
    async prepareNewSession({ actor, body }) {
      checkPermissionMode(actor, body.permission_mode)
      await sessions.prepareNew(actor, body)
    },
    async prepareSession({ actor, params }) {
      await checkDriving(actor, params.id)
      await sessions.prepare(actor, params.id)
    },
    async startSession({ actor, params }) {
      await checkDriving(actor, params.id)
      return sessions.start(actor, params.id)
    },
    stopSession: ({ actor, params }) => sessions.stop(actor, params.id),
    interruptSession: ({ actor, params, body }) => sessions.interrupt(actor, params.id, body),
    pauseSession: ({ actor, params }) => sessions.pause(actor, params.id),
    async resumeSession({ actor, params }) {
      await checkDriving(actor, params.id)
      return sessions.resume(actor, params.id)
    },
    async forkSession({ actor, params, body }) {
      const source = await checkDriving(actor, params.id)
      // A fork has its source's budget anew.
      checkBudget(actor, source.budget_usd, config)
      return sessions.fork(actor, params.id, body)
    },
    confirmFolder: ({ actor, params }) => sessions.confirmFolder(actor, params.id),
    rewindFiles: ({ actor, params, body }) => sessions.rewind(actor, params.id, body),
    getHistory: ({ actor, params, query }) => sessions.history(actor, params.id, query),
    exportSession: async ({ actor, params, query }) =>
      fileReply(await sessions.export(actor, params.id, query.format)),
    getToolOutput: ({ actor, params, query }) =>
      sessions.toolOutput(actor, params.id, params.toolCallId, query),
    downloadToolOutput: async ({ actor, params }) =>
      fileReply(await sessions.toolOutputFile(actor, params.id, params.toolCallId)),
    getToolPicture: async ({ actor, params }) =>
      fileReply(await sessions.toolPicture(actor, params.id, params.toolCallId, params.index)),
    getMessagePicture: async ({ actor, params }) =>
      fileReply(await sessions.messagePicture(actor, params.id, params.messageId, params.index)),
    listTasks: async ({ actor, params }) => ({ tasks: await sessions.tasks(actor, params.id) }),
    getTaskOutput: ({ actor, params, query }) => sessions.taskOutput(actor, params.id, params.taskId, query),
    stopTask: ({ actor, params }) => sessions.stopTask(actor, params.id, params.taskId),
    getCapabilities: ({ actor, params }) => sessions.capabilities(actor, params.id),
    getContextUsage: ({ actor, params }) => sessions.contextUsage(actor, params.id),
    searchSessions: ({ actor, query }) => sessions.search(actor, query),
  } satisfies Partial<Handlers>
}

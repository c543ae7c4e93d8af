/** Sessions: list, start, change, read. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ConfigService, SessionService } from '../../core/services.ts'
import { type Handlers, RawReply } from '../route.ts'
import { type CheckDriving, checkBudget, checkPermissionMode } from '../session-rights.ts'

export function sessionRoutes(sessions: SessionService, config: ConfigService, checkDriving: CheckDriving) {
  return {
    listSessions: ({ query }) => sessions.list(query),
    async createSession({ caller, body, idempotencyKey }) {
      checkPermissionMode(caller, body.permission_mode)
      checkBudget(caller, body.budget_usd, config)
      return sessions.create(caller, body, idempotencyKey)
    },
    getSession: ({ params }) => sessions.get(params.id),
    async changeSession({ caller, params, body }) {
      checkPermissionMode(caller, body.permission_mode)
      if (body.budget_usd !== undefined) {
        checkBudget(caller, body.budget_usd, config, (await sessions.get(params.id)).budget_usd)
      }
      return sessions.change(caller, params.id, body)
    },
    deleteSession: ({ caller, params }) => sessions.remove(caller, params.id),
    async startSession({ caller, params }) {
      await checkDriving(caller, params.id)
      return sessions.start(caller, params.id)
    },
    stopSession: ({ caller, params }) => sessions.stop(caller, params.id),
    interruptSession: ({ caller, params, body }) => sessions.interrupt(caller, params.id, body),
    pauseSession: ({ caller, params }) => sessions.pause(caller, params.id),
    async resumeSession({ caller, params }) {
      await checkDriving(caller, params.id)
      return sessions.resume(caller, params.id)
    },
    async forkSession({ caller, params, body }) {
      const source = await checkDriving(caller, params.id)
      // A fork has its source's budget anew.
      checkBudget(caller, source.budget_usd, config)
      return sessions.fork(caller, params.id, body)
    },
    confirmFolder: ({ caller, params }) => sessions.confirmFolder(caller, params.id),
    rewindFiles: ({ caller, params, body }) => sessions.rewind(caller, params.id, body),
    getHistory: ({ params, query }) => sessions.history(params.id, query),
    exportSession: async ({ params, query }) => fileReply(await sessions.export(params.id, query.format)),
    getCapabilities: ({ params }) => sessions.capabilities(params.id),
    getContextUsage: ({ params }) => sessions.contextUsage(params.id),
    searchSessions: ({ query }) => sessions.search(query),
  } satisfies Partial<Handlers>
}

/** A file to save: never shown in the page's origin, whatever is in it. */
function fileReply(file: { fileName: string; mediaType: string; chunks: AsyncIterable<string> }): RawReply {
  return new RawReply(async (response) => {
    const name = file.fileName.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 200)
    const source = Readable.from(file.chunks)
    response.writeHead(200, {
      'content-type': `${file.mediaType}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
    })
    await pipeline(source, response)
  })
}

/** Files of directories that agents work in: found for mentions, listed and read. */
import type { Actor } from '../../core/actor.ts'
import type { FilePiece, FileService, ServedFile, SessionService } from '../../core/services.ts'
import { fileReply } from '../file-reply.ts'
import type { Handlers } from '../route.ts'
import { checkFolder } from '../session-rights.ts'

export function fileRoutes(files: FileService, sessions: Pick<SessionService, 'get'>) {
  const check = async (actor: Actor, id: string) => checkFolder(actor, await sessions.get(actor, id))
  return {
    async searchSessionFiles({ actor, params, query }) {
      await check(actor, params.id)
      return files.ofSession(actor, params.id, query)
    },
    searchWorkspaceFiles: ({ actor, params, query }) => files.ofWorkspace(actor, params.id, query),
    async listSessionFolder({ actor, params, query }) {
      await check(actor, params.id)
      return files.folder(actor, params.id, query.path)
    },
    async readSessionFile({ actor, params, query }) {
      await check(actor, params.id)
      return files.read(actor, params.id, query.path)
    },
    async getSessionFile({ actor, params, query }) {
      await check(actor, params.id)
      const first = await files.piece(actor, params.id, query.path, { start: 0 })
      const next = (start: number) =>
        files.piece(actor, params.id, query.path, { start, version: first.version })
      return fileReply(served(query.path, first, next))
    },
  } satisfies Partial<Handlers>
}

/** By its first bytes a picture, or else nothing that a browser would show: whatever a file is named, it is only saved. */
function served(path: string, first: FilePiece, next: (start: number) => Promise<FilePiece>): ServedFile {
  return {
    fileName: path.split('/').at(-1) ?? path,
    mediaType: first.picture ?? 'application/octet-stream',
    bytes: first.bytes,
    chunks: pieces(first, next),
  }
}

async function* pieces(
  first: FilePiece,
  next: (start: number) => Promise<FilePiece>,
): AsyncGenerator<Uint8Array> {
  let piece = first
  for (let sent = 0; sent < first.bytes; ) {
    if (sent > 0) piece = await next(sent)
    const data = Buffer.from(piece.base64, 'base64')
    if (data.length === 0) throw new Error('a file became shorter while it was read')
    yield data
    sent += data.length
  }
}

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ServedFile } from '../core/services.ts'
import { RawReply } from './route.ts'

/** A file to save: never shown in the page's origin, whatever is in it. */
export function fileReply(file: ServedFile): RawReply {
  return new RawReply(async (response) => {
    const name = file.fileName.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 200)
    const source = Readable.from(file.chunks)
    response.writeHead(200, {
      'content-type': file.mediaType,
      ...(file.bytes !== undefined && { 'content-length': file.bytes }),
      'content-disposition': `attachment; filename="${name}"`,
    })
    await pipeline(source, response)
  })
}

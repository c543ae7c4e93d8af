/** Sends a file of the page: compressed if the browser takes it so, and not at all if it has it already. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PageFile } from '../../core/ports/page-files.ts'
import { checkLength } from '../body.ts'
import { chooseEncoding } from './choose-encoding.ts'

export interface SentFile {
  file: PageFile
  type: string
  /** 200 unless said. */
  status?: number
  /** In place of the standard ones, or besides them. */
  headers: Readonly<Record<string, string>>
}

export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, type, status = 200, headers }: SentFile,
): Promise<void> {
  checkLength(request, 0)
  const encoding = chooseEncoding(request.headers['accept-encoding'], file.encodings)
  const { bytes, etag } = await file.read(encoding)
  if (response.destroyed) return
  const shared = { ...headers, etag, vary: 'accept-encoding' }
  if (status === 200 && isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, shared).end()
    return
  }
  response
    .writeHead(status, {
      ...shared,
      'content-type': type,
      'content-length': bytes.length,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    })
    .end(bytes)
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

/** The documentation of the API, as files. */
import { openApiDocument, type publicPaths } from '@dorkos/shared'
import { docsPolicy } from '../security-headers.ts'
import { contentTypeOf } from './content-types.ts'
import { docsHtml } from './docs.ts'
import { docsStyle } from './docs-style.ts'
import { madeFile, once } from './made-file.ts'
import type { SentFile } from './send-file.ts'

export function docsFiles(version: string): ReadonlyMap<string, SentFile> {
  const document = once(() => openApiDocument({ version }))
  const files: Record<(typeof publicPaths)[number], SentFile> = {
    '/api/openapi.json': served('.json', () => JSON.stringify(document())),
    '/api/docs': served('.html', () => docsHtml(document())),
    '/api/docs.css': served('.css', () => docsStyle),
  }
  return new Map(Object.entries(files))
}

function served(ending: string, text: () => string): SentFile {
  const headers = { 'content-security-policy': docsPolicy, 'cache-control': 'no-cache' }
  return { file: madeFile(text), type: contentTypeOf(ending), headers }
}

/** The web page as it is served: which file answers which path, and under which headers. */
import { pagePaths } from '@dorkos/shared'
import type { PageFile, PageFiles } from '../../core/ports/page-files.ts'
import { diagramPolicy, docsPolicy, pagePolicy } from '../security-headers.ts'
import { contentTypeOf } from './content-types.ts'
import { madeFile } from './made-file.ts'
import { notBuiltHtml } from './not-built.ts'
import type { SentFile } from './send-file.ts'

export interface WebPage {
  /** What every address of the page is answered with; it finds out itself what to show. */
  document: SentFile
  /** For addresses that the page does not have: it says so itself. */
  missing: SentFile
  file(path: string): SentFile | undefined
  /**
   * The script of the diagrams' frame. That frame is of no origin, so its requests look like those of a foreign site; the script is
   * public code, and may be loaded from anywhere.
   */
  isFrameScript(path: string): boolean
}

const documentPath = '/index.html'

/** Without files: one that says how to build them. */
export function createWebPage(files: PageFiles | undefined): WebPage {
  const index = files?.get(documentPath)
  const document = index ? servedFile(documentPath, index) : notBuilt
  return {
    document,
    missing: index ? { ...document, status: 404 } : notBuilt,
    file(path) {
      const file = path === documentPath ? undefined : files?.get(path)
      return file && servedFile(path, file)
    },
    isFrameScript: (path) => isFrameScript(path) && files?.has(path) === true,
  }
}

/** Addresses that a link on another site may open. They hold nothing of the owner's, and cannot be framed. */
export function isOpenPage(path: string): boolean {
  return openPages.some((pattern) => pattern.test(path))
}

const openPages = [...pagePaths, '/api/docs'].map(
  (path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}$`),
)

function isFrameScript(path: string): boolean {
  return /^\/diagram\/[^/]+\.js$/.test(path)
}

const notBuilt: SentFile = {
  file: madeFile(() => notBuiltHtml),
  type: contentTypeOf('.html'),
  status: 503,
  headers: { 'content-security-policy': docsPolicy },
}

function servedFile(path: string, file: PageFile): SentFile {
  return { file, type: contentTypeOf(path), headers: headersOf(path) }
}

function headersOf(path: string): Record<string, string> {
  const base = { 'content-security-policy': pagePolicy, 'cache-control': 'no-cache' }
  // The name has the hash of the content in it.
  if (path.startsWith('/assets/')) return { ...base, 'cache-control': 'public, max-age=31536000, immutable' }
  if (isFrameScript(path)) return { ...base, 'cross-origin-resource-policy': 'cross-origin' }
  if (path.startsWith('/diagram/'))
    return { ...base, 'content-security-policy': diagramPolicy, 'x-frame-options': 'SAMEORIGIN' }
  return base
}

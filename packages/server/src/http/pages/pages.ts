/** What is served besides the API: a small sign-in page and the documentation of the API. Held in memory; no file is read. */
import { openApiDocument, type publicPaths } from '@dorkos/shared'
import { docsHtml } from './docs.ts'
import { signInHtml } from './sign-in-html.ts'
import { signInScript } from './sign-in-script.ts'
import { stylesheet } from './style.ts'

export interface Page {
  type: string
  /** Made when it is first asked for: a start must not wait for documentation. */
  body: () => Buffer
}

/** Pages that a link on another site may open. */
export const openPages: readonly string[] = ['/', '/api/docs']

export function createPages(version: string): ReadonlyMap<string, Page> {
  const document = once(() => openApiDocument({ version }))
  const pages: Record<(typeof publicPaths)[number], Page> = {
    '/': html(() => signInHtml),
    '/api/openapi.json': page('application/json; charset=utf-8', () => JSON.stringify(document())),
    '/api/docs': html(() => docsHtml(document())),
    '/favicon.svg': page('image/svg+xml', () => favicon),
    '/sign-in.js': page('text/javascript; charset=utf-8', () => signInScript),
    '/style.css': page('text/css; charset=utf-8', () => stylesheet),
  }
  return new Map(Object.entries(pages))
}

function html(text: () => string): Page {
  return page('text/html; charset=utf-8', text)
}

function page(type: string, text: () => string): Page {
  return { type, body: once(() => Buffer.from(text())) }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f2937"/><path d="M10 8h6a8 8 0 0 1 0 16h-6z" fill="#f59e0b"/></svg>\n'

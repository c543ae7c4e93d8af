/** A session as a file to keep, streamed: what was said and what happened around it, with whole outputs and pictures. */
import type { Actor } from '../actor.ts'
import type { ServedFile } from '../services.ts'
import type { SessionDirectory } from '../sessions/session-directory.ts'
import type { SessionHistory } from '../sessions/session-history.ts'
import { type ExportFormat, exportFileName, renderJson } from './render-export.ts'
import { renderMarkdown } from './render-markdown.ts'
import type { SessionOutputs } from './session-outputs.ts'

interface ExportParts {
  directory: SessionDirectory
  history: SessionHistory
  outputs: SessionOutputs
}

const mediaTypes = { markdown: 'text/markdown', json: 'application/json', html: 'text/html' } as const

/** The one for HTML brings a parser of Markdown, which few need. */
async function rendererOf(format: ExportFormat) {
  if (format === 'html') return (await import('./render-html.ts')).renderHtml
  return format === 'markdown' ? renderMarkdown : renderJson
}

export async function exportSession(
  { directory, history, outputs }: ExportParts,
  actor: Actor,
  sessionId: string,
  format: ExportFormat,
): Promise<ServedFile> {
  const session = await directory.get(actor, sessionId)
  const events = history.everything(actor, sessionId)
  const wholeOf = await outputs.wholeOf(actor, sessionId)
  return {
    fileName: exportFileName(session, format),
    mediaType: `${mediaTypes[format]}; charset=utf-8`,
    chunks: (await rendererOf(format))(session, events, wholeOf),
  }
}

/**
 * What is in a file. Nothing of it is run or loaded from elsewhere: HTML and SVG are shown as the text they are, Markdown is drawn by our own
 * elements, and a picture is what its first bytes say.
 */
import type { SessionFile } from '@dorkos/shared'
import { useState } from 'react'
import { Code } from '../render/code.tsx'
import { languageOfFile } from '../render/languages.ts'
import { Markdown } from '../render/markdown.tsx'
import { text } from '../text/panel-text.ts'
import { formatBytes } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Segments } from '../ui/segments.tsx'
import { FilePicture } from './file-picture.tsx'

interface FileContentProps {
  sessionId: string
  path: string
  file: SessionFile
}

/** Larger ones would fill the memory of a phone. */
const largestPicture = 20_000_000

export function FileContent({ sessionId, path, file }: FileContentProps) {
  if (file.picture !== undefined) {
    if (file.bytes > largestPicture) return <Notice tone="neutral">{text.files.tooLargePicture}</Notice>
    return <FilePicture key={`${path} ${file.changed_at}`} sessionId={sessionId} path={path} />
  }
  if (file.text === undefined) return <Notice tone="neutral">{text.files.binary}</Notice>
  if (file.text === '') return <p className="text-sm text-soft">{text.files.emptyFile}</p>
  return (
    <>
      {!file.complete && (
        <Notice tone="warn">
          {text.files.partOnly(formatBytes(new Blob([file.text]).size), formatBytes(file.bytes))}
        </Notice>
      )}
      {/\.(?:md|markdown|mdx)$/i.test(path) ? (
        <MarkdownFile content={file.text} />
      ) : (
        <Code text={file.text} language={languageOfFile(path)} />
      )}
    </>
  )
}

function MarkdownFile({ content }: { content: string }) {
  const [view, setView] = useState<'rendered' | 'source'>('rendered')
  return (
    <div className="flex flex-col gap-3">
      <Segments
        label={text.files.view}
        hideLabel
        value={view}
        onChange={setView}
        options={[
          { value: 'rendered', label: text.files.rendered },
          { value: 'source', label: text.files.source },
        ]}
      />
      {view === 'rendered' ? <Markdown text={content} /> : <Code text={content} language="markdown" />}
    </div>
  )
}

import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { text as words } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { capText } from './cap-text.ts'
import { type ContentPart, contentParts } from './content-blocks.ts'
import { CutNotice } from './cut-notice.tsx'
import { JsonView } from './json-view.tsx'
import { SafeText, withVisibleControls } from './safe-text.tsx'
import { sequence } from './sequence.ts'

const textLimits = { lines: 200, characters: 30_000 }

/** What a tool gave back: a text, a block, or a list of blocks. */
export function ToolContent({ content }: { content: unknown }) {
  const { parts, more } = useMemo(() => contentParts(content), [content])
  if (parts.length === 0) return <p className="text-sm text-faint">{words.render.noContent}</p>
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {sequence(parts, (part) => (
        <Part part={part} />
      ))}
      {more > 0 && <p className="text-sm text-faint">{words.render.moreContent(more)}</p>}
    </div>
  )
}

function Part({ part }: { part: ContentPart }) {
  switch (part.kind) {
    case 'text':
      return <PlainText text={part.text} />
    case 'json':
      return <JsonView value={part.value} />
    case 'image':
      return <Picture source={part.source} />
    case 'refused_image':
      return (
        <p className="text-sm text-faint">
          {words.render.imageRefused} <SafeText text={part.mimeType.slice(0, 100)} />
        </p>
      )
    case 'audio':
      return <AudioFile part={part} />
    case 'link':
      return <ResourceLink part={part} />
    case 'other':
      return (
        <div>
          <p className="text-xs text-faint">
            {words.render.unknownContent(withVisibleControls(part.type.slice(0, 100)))}
          </p>
          <JsonView value={part.value} open={1} />
        </div>
      )
  }
}

/** Text of a tool, as it is: it is no markdown. */
function PlainText({ text }: { text: string }) {
  const [all, setAll] = useState(false)
  const capped = capText(text, textLimits)
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-raised">
      <pre
        dir="auto"
        className="px-3 py-2 font-mono text-[0.8125rem] leading-relaxed break-words whitespace-pre-wrap"
      >
        <SafeText text={all ? text : capped.text} />
      </pre>
      {capped.cut && !all && (
        <CutNotice
          label={words.render.cutLines(capped.shownLines, capped.allLines)}
          onShowAll={() => setAll(true)}
          value={text}
        />
      )}
    </div>
  )
}

/** A picture of a tool. Small in the conversation, whole in a window. */
function Picture({ source, alt = words.render.image }: { source: string; alt?: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={words.render.imageEnlarge}
        onClick={() => setOpen(true)}
        className="w-fit cursor-zoom-in rounded-lg border border-line bg-raised p-1"
      >
        <img src={source} alt={alt} className="max-h-80 max-w-full rounded-md object-contain" />
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={alt} size="xl">
        <img src={source} alt={alt} className="mx-auto max-h-[75dvh] max-w-full object-contain" />
      </Dialog>
    </>
  )
}

/** Not played in the page: its policy loads no media. */
function AudioFile({ part }: { part: Extract<ContentPart, { kind: 'audio' }> }) {
  const save = () => {
    const bytes = Uint8Array.from(atob(part.source), (character) => character.charCodeAt(0))
    const url = URL.createObjectURL(new Blob([bytes], { type: part.mimeType }))
    const link = document.createElement('a')
    link.href = url
    link.download = part.fileName
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <div className="flex items-center gap-2 text-sm text-soft">
      {words.render.audio(part.mimeType)}
      <Button size="sm" icon={Download} onClick={save}>
        {words.render.download}
      </Button>
    </div>
  )
}

/** Addresses of a server's resources mean something to it, not to the browser: they are text. */
function ResourceLink({ part }: { part: Extract<ContentPart, { kind: 'link' }> }) {
  return (
    <div className="rounded-lg border border-line bg-raised px-3 py-2 text-sm">
      <p className="font-medium">
        <bdi>{part.name === '' ? words.render.resource : <SafeText text={part.name.slice(0, 300)} />}</bdi>
      </p>
      <p className="font-mono text-xs break-all text-soft">
        <SafeText text={part.address.slice(0, 2000)} />
      </p>
      {part.description !== '' && (
        <p dir="auto" className="mt-1 text-soft">
          <SafeText text={part.description.slice(0, 2000)} />
        </p>
      )}
    </div>
  )
}

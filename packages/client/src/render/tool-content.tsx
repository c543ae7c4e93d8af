import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { text as words } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { capText } from './cap-text.ts'
import { type ContentPart, contentParts } from './content-blocks.ts'
import { CutNotice } from './cut-notice.tsx'
import { JsonView } from './json-view.tsx'
import { Picture } from './picture.tsx'
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
    case 'image_left_out':
      return <p className="text-sm text-faint">{words.render.imageLeftOut}</p>
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
export function PlainText({ text }: { text: string }) {
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

/** Not played in the page: its policy loads no media. */
function AudioFile({ part }: { part: Extract<ContentPart, { kind: 'audio' }> }) {
  const save = () => {
    const bytes = Uint8Array.from(atob(part.source), (character) => character.charCodeAt(0))
    saveFile(part.fileName, new Blob([bytes], { type: part.mimeType }))
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

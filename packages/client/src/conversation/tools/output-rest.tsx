/** What the event of a result leaves out: how much that is, and all of it when it is asked for. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api, errorText } from '../../api.ts'
import type { ToolItem } from '../../live/page-session.ts'
import { numberOf } from '../../live/untrusted-field.ts'
import { PictureOnDemand } from '../../render/picture-on-demand.tsx'
import { sequence } from '../../render/sequence.ts'
import { PlainText } from '../../render/tool-content.tsx'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { saveFile } from '../../ui/save-file.ts'
import { ServerSentence } from '../../ui/server-sentence.tsx'
import { useConversation, useOpened } from '../conversation-context.tsx'
import { fields } from './result-parts.ts'

/** A document with more text than this becomes slow; the rest is to be downloaded. */
const maxShownBytes = 1024 * 1024
const pageBytes = 256 * 1024

export function OutputRest({ item }: { item: ToolItem }) {
  const { sessionId } = useConversation()
  const params = { id: sessionId, toolCallId: item.callId }
  const pictures = leftOutPictures(item)
  const textBytes = (item.result?.omittedBytes ?? 0) - pictures.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <div className="flex flex-col gap-2 pt-1">
      {textBytes > 0 && <WholeText item={item} params={params} leftOut={textBytes} />}
      {sequence(pictures, ({ index, bytes }) => (
        <PictureOnDemand
          label={text.conversation.showPicture(formatBytes(bytes))}
          load={() => api.getToolPicture({ params: { ...params, index } })}
        />
      ))}
    </div>
  )
}

interface WholeTextProps {
  item: ToolItem
  params: { id: string; toolCallId: string }
  leftOut: number
}

function WholeText({ item, params, leftOut }: WholeTextProps) {
  const words = text.conversation
  const [isShown, setShown] = useOpened(`${item.key}:rest`)
  const query = useInfiniteQuery({
    queryKey: ['tool-output', params.id, params.toolCallId],
    queryFn: ({ pageParam, signal }) =>
      api.getToolOutput({ params, query: { offset: pageParam, limit: pageBytes }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset: next }) =>
      next !== undefined && next < maxShownBytes ? next : undefined,
    enabled: isShown,
    // What a tool returned does not change.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const last = query.data?.pages.at(-1)
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-xs text-faint">
        {last === undefined ? words.omitted(formatBytes(leftOut)) : shownText(last)}
        {last === undefined && (
          <Button
            size="sm"
            busy={query.isFetching}
            onClick={() => (isShown ? query.refetch() : setShown(true))}
          >
            {words.showOutput}
          </Button>
        )}
        <SaveButton params={params} />
      </p>
      {query.error && (
        <p role="alert" className="text-sm text-danger">
          {errorText(query.error)}
        </p>
      )}
      {last?.missing !== undefined && (
        <p className="text-sm text-soft">
          <ServerSentence said={last.said} message={last.missing} />
        </p>
      )}
      {query.data && <PlainText text={query.data.pages.map((page) => page.text).join('')} />}
      {query.hasNextPage && (
        <Button
          size="sm"
          busy={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
          className="w-fit"
        >
          {words.showMoreOutput}
        </Button>
      )}
    </>
  )
}

function shownText({
  bytes,
  next_offset: next,
}: {
  bytes: number
  next_offset?: number | undefined
}): string {
  const words = text.conversation
  if (next === undefined) return words.wholeOutput(formatBytes(bytes))
  return words.partOfOutput(formatBytes(next), formatBytes(bytes))
}

function SaveButton({ params }: Pick<WholeTextProps, 'params'>) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const save = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      const answer = await api.downloadToolOutput({ params })
      saveFile(`output-${params.toolCallId.replace(/[^\w-]/g, '_')}.txt`, await answer.blob())
    } catch (error) {
      setFault(errorText(error))
    }
    setBusy(false)
  }
  return (
    <>
      <Button size="sm" icon={Download} busy={isBusy} onClick={() => void save()}>
        {text.conversation.downloadOutput}
      </Button>
      {fault !== undefined && (
        <span role="alert" className="text-danger">
          {fault}
        </span>
      )}
    </>
  )
}

/** By their position among the pictures of the result. */
function leftOutPictures({ result }: ToolItem): { index: number; bytes: number }[] {
  const images = (result?.content ?? []).filter((block) => block.type === 'image')
  return images.flatMap((block, index) =>
    fields(block.source).type === 'omitted' ? { index, bytes: numberOf(block.omitted_bytes) ?? 0 } : [],
  )
}

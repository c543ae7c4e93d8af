/** One file: what it is, what is in it as far as that is safe to show, and what can be done with it. */
import { ApiError, type SessionFile } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, AtSign, Download } from 'lucide-react'
import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { withWords } from '../composer/dictation.ts'
import { changeDraft, messageDraftOf } from '../composer/drafts.ts'
import { canBeMentioned, insertMention } from '../composer/triggers.ts'
import { closePanel } from '../conversation/panel-address.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/panel-text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { formatBytes } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { saveFile } from '../ui/save-file.ts'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { FileContent } from './file-content.tsx'

interface FilePreviewProps {
  sessionId: string
  path: string
  onBack: () => void
}

export function FilePreview({ sessionId, path, onBack }: FilePreviewProps) {
  const canChat = useCan('chat')
  const query = useQuery({
    queryKey: ['files', sessionId, 'file', path],
    queryFn: ({ signal }) => api.readSessionFile({ params: { id: sessionId }, query: { path }, signal }),
    enabled: canChat,
    retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
  })
  return (
    <div className="flex h-full flex-col">
      <header className="flex flex-col gap-1.5 border-b border-line p-2">
        <div className="flex items-center gap-1">
          <IconButton label={text.files.back} icon={ArrowLeft} onClick={onBack} autoFocus />
          <h2 className="min-w-0 flex-1 text-sm font-medium">
            <bdi dir="ltr" title={path} className="block truncate font-mono text-[0.8125rem]">
              <SafeText text={path} />
            </bdi>
          </h2>
        </div>
        <FileActions sessionId={sessionId} path={path} file={query.data} canChat={canChat} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-3">
        {canChat ? (
          <QueryView query={query}>
            {(file) => <FileContent sessionId={sessionId} path={path} file={file} />}
          </QueryView>
        ) : (
          <Notice tone="neutral">{text.files.needsChat}</Notice>
        )}
      </div>
    </div>
  )
}

interface FileActionsProps {
  sessionId: string
  path: string
  file: SessionFile | undefined
  canChat: boolean
}

function FileActions({ sessionId, path, file, canChat }: FileActionsProps) {
  const [isBusy, setBusy] = useState(false)
  if (!canChat) return null
  const download = async () => {
    setBusy(true)
    try {
      const response = await api.getSessionFile({ params: { id: sessionId }, query: { path } })
      // Whatever it is, the browser saves it and does not open it.
      const bytes = new Blob([await response.arrayBuffer()], { type: 'application/octet-stream' })
      saveFile(path.split('/').at(-1) ?? path, bytes)
    } catch (error) {
      toast.error(text.files.downloadFailed(errorText(error)))
    }
    setBusy(false)
  }
  return (
    <div className="flex flex-wrap items-center gap-2 pl-1">
      {canBeMentioned(path) ? (
        <Button
          size="sm"
          icon={AtSign}
          title={text.files.mentionHint}
          onClick={() => mention(sessionId, path)}
        >
          {text.files.mention}
        </Button>
      ) : (
        <span className="text-xs text-soft">{text.files.cannotMention}</span>
      )}
      <Button size="sm" variant="ghost" icon={Download} busy={isBusy} onClick={() => void download()}>
        {text.files.download}
      </Button>
      {file && (
        <span className="text-xs text-faint">
          {formatBytes(file.bytes)} <span aria-hidden>{text.conversation.dot}</span>{' '}
          <Time value={file.changed_at} />
        </span>
      )}
    </div>
  )
}

/** On a phone the panel lies over the message: it goes, so that one sees what was written. */
function mention(sessionId: string, path: string): void {
  mentionFile(sessionId, path)
  if (document.querySelector('dialog[open]') === null) return focusMessage()
  closePanel()
  setTimeout(focusMessage, 100)
}

/** Puts a mention of the file at the end of what is being written. */
function mentionFile(draftKey: string, path: string): void {
  const before = withWords(messageDraftOf(draftKey).text, '')
  const end = { kind: 'mention', query: '', start: before.length, end: before.length } as const
  changeDraft(draftKey, { text: insertMention(before, end, path, 'file').text })
}

/** Where one writes, behind what is there. Once a window that lies over it is gone. */
function focusMessage(): void {
  const editor = document.querySelector<HTMLTextAreaElement>('[data-message-editor]:not(:disabled)')
  if (!editor) return
  editor.focus()
  editor.setSelectionRange(editor.value.length, editor.value.length)
}

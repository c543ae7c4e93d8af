/** Puts files back as they were before a message: shows what would change first. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { toast } from '../ui/toast.tsx'
import { useConversation } from './conversation-context.tsx'
import { useCommand } from './session-commands.ts'
import { relativePath } from './tools/relative-path.ts'

type Preview = Awaited<ReturnType<typeof api.rewindFiles>>

export function RewindDialog({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const { sessionId } = useConversation()
  const rewind = (dry_run: boolean) =>
    api.rewindFiles({ params: { id: sessionId }, body: { message_id: messageId, dry_run } })
  const preview = useQuery({
    queryKey: ['rewind', sessionId, messageId],
    queryFn: () => rewind(true),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const [run, busy] = useCommand()
  const possible = preview.data?.can_rewind === true && preview.data.files.length > 0
  const confirm = () =>
    run(async () => {
      const done = await rewind(false)
      if (!done.can_rewind) throw new Error(cannot(done))
      toast.ok(text.conversation.rewindDone)
      onClose()
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.conversation.rewindTitle}
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          {possible && (
            <Button variant="danger" busy={busy} onClick={confirm}>
              {text.conversation.rewindAction}
            </Button>
          )}
        </>
      }
    >
      <QueryView query={preview}>{(data) => <PreviewView preview={data} />}</QueryView>
    </Dialog>
  )
}

function cannot({ reason }: Preview): string {
  return reason === undefined ? text.conversation.rewindCannotPlain : text.conversation.rewindCannot(reason)
}

function PreviewView({ preview }: { preview: Preview }) {
  const { cwd } = useConversation()
  if (!preview.can_rewind) return <Notice tone="warn">{cannot(preview)}</Notice>
  if (preview.files.length === 0) return <Notice>{text.conversation.rewindNothing}</Notice>
  return (
    <div className="flex flex-col gap-2 pb-2 text-sm">
      <p>{text.conversation.rewindFiles(preview.files.length)}</p>
      <ul className="max-h-60 overflow-y-auto rounded-md border border-line bg-raised px-3 py-2 font-mono text-xs">
        {preview.files.map((file) => (
          <li key={file} className="truncate" title={file}>
            <bdi>
              <SafeText text={relativePath(file, cwd)} />
            </bdi>
          </li>
        ))}
      </ul>
      <p className="text-soft">
        {text.conversation.rewindLines(preview.insertions ?? 0, preview.deletions ?? 0)}{' '}
        {text.conversation.rewindNote}
      </p>
    </div>
  )
}

/** Whether files are put back before an earlier message is sent again, with what that does and what it cannot do. */
import type { RestoredFiles } from '@dorkos/shared'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/resend-text.ts'
import { Checkbox } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { useConversation } from './conversation-context.tsx'
import type { Restore } from './use-restore.ts'

export function RestoreChoice({ restore }: { restore: Restore }) {
  const { isWorking } = useConversation()
  const { resend: words } = text
  return (
    <div className="flex flex-col gap-1">
      <Checkbox
        checked={restore.isOn && !isWorking}
        disabled={isWorking}
        onChange={(event) => restore.setOn(event.currentTarget.checked)}
        label={words.restore}
        hint={isWorking ? words.restoreStop : words.restoreHint}
      />
      {restore.isOn && !isWorking && (
        <div className="flex max-h-72 flex-col gap-2 overflow-y-auto rounded-md border border-line bg-raised px-3 py-2 text-sm">
          <QueryView query={restore.preview}>
            {(data) =>
              data === null ? (
                <p role="status">{words.restoreUnknown}</p>
              ) : (
                <Preview restore={restore} preview={data} />
              )
            }
          </QueryView>
        </div>
      )}
    </div>
  )
}

function Preview({ restore, preview }: { restore: Restore; preview: RestoredFiles }) {
  const { restored, asking, not_restorable, outside, complete } = preview
  const { resend: words } = text
  const isNone = restored.length + asking.length + not_restorable.length + outside.length === 0
  return (
    <>
      {isNone && <p role="status">{words.restoreNone}</p>}
      <Paths title={words.restoreFiles(restored.length)} paths={restored} />
      {asking.length > 0 && (
        <fieldset className="min-w-0">
          <legend className="text-xs text-soft">{words.restoreAsking}</legend>
          {asking.map((file) => (
            <Checkbox
              key={file.path}
              checked={restore.isChosen(file)}
              onChange={(event) => restore.choose(file, event.currentTarget.checked)}
              hint={words.restoreReasons[file.reason]}
              label={<Path path={file.path} />}
            />
          ))}
        </fieldset>
      )}
      <Paths title={words.restoreLarge} paths={not_restorable} />
      <Paths title={words.restoreOutside} paths={outside} />
      {!complete && <Notice tone="warn">{words.restoreIncomplete}</Notice>}
      <p className="text-xs text-soft">{words.restoreNote}</p>
    </>
  )
}

function Paths({ title, paths }: { title: string; paths: readonly string[] }) {
  if (paths.length === 0) return null
  return (
    <div>
      <p className="text-xs text-soft">{title}</p>
      <ul aria-label={title}>
        {paths.map((path) => (
          <li key={path}>
            <Path path={path} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Path({ path }: { path: string }) {
  return (
    <bdi className="font-mono text-xs break-all">
      <SafeText text={path} />
    </bdi>
  )
}

import { File, Folder } from 'lucide-react'
import type { FileSearch, FoundFile } from '../composer/use-file-search.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/panel-text.ts'

interface FoundFilesProps {
  found: FileSearch
  onChoose: (path: string, kind: FoundFile['kind']) => void
}

export function FoundFiles({ found, onChoose }: FoundFilesProps) {
  const { state, files } = found
  const words =
    state === 'failed'
      ? text.files.searchFailed
      : files.length > 0
        ? undefined
        : state === 'searching'
          ? text.files.searching
          : text.files.noneFound
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
      <p role="status" className="px-2 text-sm text-soft">
        {words}
      </p>
      <ul aria-label={text.files.found}>
        {files.map(({ path, kind }) => {
          const Icon = kind === 'file' ? File : Folder
          return (
            <li key={path}>
              <button
                type="button"
                onClick={() => onChoose(path, kind)}
                className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover max-sm:min-h-11"
              >
                <Icon aria-hidden size={15} className="shrink-0 text-faint" />
                <bdi dir="ltr" title={path} className="min-w-0 truncate font-mono text-[0.8125rem]">
                  <SafeText text={path} />
                </bdi>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

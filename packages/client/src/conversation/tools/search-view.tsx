/** What Grep, Glob and LS found. */
import { JsonView } from '../../render/json-view.tsx'
import { SafeText } from '../../render/safe-text.tsx'
import { sequence } from '../../render/sequence.ts'
import { text } from '../../text/text.ts'
import { useConversation } from '../conversation-context.tsx'
import { ToolOutputView } from './generic-view.tsx'
import { relativePath } from './relative-path.ts'
import { fields } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'
import { inputOf } from './tool-title.ts'

const mostFiles = 100

export function SearchView({ item }: ToolBodyProps) {
  const { cwd } = useConversation()
  const input = inputOf(item)
  const detail = fields(item.result?.detail)
  const names = Array.isArray(detail.filenames)
    ? detail.filenames.filter((name) => typeof name === 'string')
    : []
  const options = Object.keys(input).length > 1
  return (
    <>
      {options && <JsonView value={input} />}
      {names.length > 0 && typeof detail.content !== 'string' ? (
        <>
          <ul dir="ltr" className="py-1 font-mono text-[0.8125rem]">
            {sequence(names.slice(0, mostFiles), (name) => (
              <li className="truncate" title={name}>
                <SafeText text={relativePath(name, cwd)} />
              </li>
            ))}
          </ul>
          {names.length > mostFiles && (
            <p className="text-xs text-faint">{text.conversation.moreResults(names.length - mostFiles)}</p>
          )}
        </>
      ) : (
        <ToolOutputView item={item} />
      )}
    </>
  )
}

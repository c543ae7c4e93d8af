/** What a call changes in a file: as the CLI reports that it was changed, else as the input says. */
import { textOf } from '../../live/untrusted-field.ts'
import { Code } from '../../render/code.tsx'
import { Diff, PatchView } from '../../render/diff.tsx'
import { languageOfFile } from '../../render/languages.ts'
import { sequence } from '../../render/sequence.ts'
import { ToolContent } from '../../render/tool-content.tsx'
import { useConversation } from '../conversation-context.tsx'
import { readPartialInput } from './partial-input.ts'
import { relativePath } from './relative-path.ts'
import { changesOf, cleanBlocks, fields, patchOf } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'

/** While it is being written, this much of it is shown. */
const mostStreamed = 60_000

export function EditView({ item, status }: ToolBodyProps) {
  const { cwd } = useConversation()
  const input = item.input ?? readPartialInput(item.inputJson, mostStreamed)
  const path = textOf(input.file_path) ?? textOf(input.notebook_path) ?? ''
  const fileName = relativePath(path, cwd)
  if (status === 'writing') {
    const content = changesOf(item.name, input).at(-1)?.after ?? ''
    return <Code text={content} language={languageOfFile(fileName)} streaming />
  }
  const patch = patchOf(item.result)
  const detail = fields(item.result?.detail)
  const oldCell = textOf(detail.old_source)
  return (
    <>
      {patch ? (
        <PatchView patch={patch} fileName={fileName} />
      ) : (
        sequence(changesOf(item.name, input), ({ before, after }) => (
          <Diff before={oldCell ?? before} after={after} fileName={fileName} />
        ))
      )}
      {item.result?.isError && <ToolContent content={cleanBlocks(item.result.content)} />}
    </>
  )
}

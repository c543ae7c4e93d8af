import { Terminal } from '../../render/terminal.tsx'
import { text } from '../../text/text.ts'
import { commandResult, stringOf } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'
import { inputOf } from './tool-title.ts'

export function BashView({ item, status }: ToolBodyProps) {
  const input = inputOf(item)
  const description = stringOf(input.description)
  const { output, exitCode, background } = commandResult(item.result)
  const isRefused = status === 'denied' || status === 'expired' || status === 'void'
  const shown = item.result === undefined ? item.progress?.text : isRefused ? undefined : output
  return (
    <>
      {(description || background) && (
        <p dir="auto" className="text-sm text-soft [overflow-wrap:anywhere]">
          {[description, background ? text.conversation.inBackground : ''].filter(Boolean).join(' · ')}
        </p>
      )}
      <Terminal
        command={stringOf(input.command) ?? ''}
        output={background && shown === '' ? undefined : shown}
        exitCode={isRefused ? undefined : exitCode}
        running={status === 'running' || status === 'writing'}
      />
    </>
  )
}

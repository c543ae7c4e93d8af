import { SafeText } from '../render/safe-text.tsx'
import { ScrollBox } from '../render/scroll-box.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'

/** The last lines that a server wrote to its standard error output, as they are. */
export function StderrView({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return <p className="text-sm text-faint">{text.mcp.stderrEmpty}</p>
  return (
    <ScrollBox
      label={text.mcp.stderr}
      className="max-h-72 overflow-auto rounded-lg bg-terminal px-3 py-2 font-mono text-xs leading-relaxed text-on-terminal"
    >
      {sequence(lines, (line) => (
        <div dir="ltr" className="break-words whitespace-pre-wrap">
          <SafeText text={line} />
        </div>
      ))}
    </ScrollBox>
  )
}

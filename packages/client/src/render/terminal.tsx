import { type CSSProperties, memo, useMemo, useState } from 'react'
import { text as words } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { type AnsiPiece, parseAnsi, stripAnsi } from './ansi.ts'
import { capText } from './cap-text.ts'
import { SafeText } from './safe-text.tsx'
import { ScrollBox } from './scroll-box.tsx'
import { sequence } from './sequence.ts'

const prompt = '$ '
const commandLimits = { lines: 60, characters: 8000 }
const outputLimits = { lines: 300, characters: 40_000 }

interface TerminalProps {
  command: string
  /** Undefined while there is none yet. */
  output?: string | undefined
  exitCode?: number | undefined
  /** It still runs: an empty output is not the last word. */
  running?: boolean
}

/** A command and what it printed. Dark in both themes, as terminals are. */
export function Terminal({ command, output, exitCode, running = false }: TerminalProps) {
  return (
    <figure
      dir="ltr"
      className="my-2 overflow-hidden rounded-lg border border-line bg-terminal font-mono text-[0.8125rem] leading-relaxed text-on-terminal"
    >
      <div className="flex items-start gap-1 pr-1 pl-3">
        <Command command={command} />
        <CopyButton
          value={command}
          label={words.render.copyCommand}
          className="text-terminal-soft hover:bg-transparent hover:text-on-terminal"
        />
      </div>
      {output !== undefined && output !== '' ? (
        <Output output={output} />
      ) : (
        output === '' &&
        !running && <p className="px-3 pb-2 text-xs text-terminal-soft">{words.render.noOutput}</p>
      )}
      {exitCode !== undefined && (
        <figcaption className="px-3 pb-2 text-xs">
          <span
            className={
              exitCode === 0
                ? 'text-terminal-soft'
                : 'rounded-full bg-danger-ground px-2 py-0.5 font-medium text-danger'
            }
          >
            {words.render.exitCode(exitCode)}
          </span>
        </figcaption>
      )}
    </figure>
  )
}

function Command({ command }: { command: string }) {
  const [all, setAll] = useState(false)
  const capped = capText(command, commandLimits)
  return (
    <div className="min-w-0 flex-1 py-1.5">
      <pre className="break-words whitespace-pre-wrap">
        <span aria-hidden className="text-terminal-soft select-none">
          {prompt}
        </span>
        <span className="sr-only">{words.render.saidCommand}</span>
        <SafeText text={all ? command : capped.text} />
      </pre>
      {capped.cut && !all && (
        <More
          label={words.render.cutLines(capped.shownLines, capped.allLines)}
          onClick={() => setAll(true)}
        />
      )}
    </div>
  )
}

function Output({ output }: { output: string }) {
  const [all, setAll] = useState(false)
  const capped = useMemo(() => capText(output, outputLimits), [output])
  const shown = all ? output : capped.text
  return (
    <div className="border-t border-white/10">
      <div className="flex items-start gap-1 pr-1">
        <ScrollBox label={words.render.terminal} className="max-h-120 min-w-0 flex-1 overflow-auto px-3 py-2">
          <pre className="break-words whitespace-pre-wrap">
            <AnsiText output={shown} />
          </pre>
        </ScrollBox>
        <CopyButton
          value={() => stripAnsi(output)}
          label={words.render.copyOutput}
          className="text-terminal-soft hover:bg-transparent hover:text-on-terminal"
        />
      </div>
      {capped.cut && !all && (
        <More
          label={words.render.cutLines(capped.shownLines, capped.allLines)}
          onClick={() => setAll(true)}
        />
      )}
    </div>
  )
}

function More({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <p className="flex items-center gap-2 px-3 pb-1 font-sans text-xs text-terminal-soft">
      {label}
      <Button
        size="sm"
        variant="ghost"
        className="text-on-terminal hover:bg-white/10 hover:text-on-terminal"
        onClick={onClick}
      >
        {words.render.showAll}
      </Button>
    </p>
  )
}

/** Coloured output. The colours are variables of the page. */
const AnsiText = memo(function AnsiText({ output }: { output: string }) {
  const pieces = useMemo(() => parseAnsi(output), [output])
  return sequence(pieces, (piece) => {
    const style = pieceStyle(piece)
    return style ? (
      <span style={style}>
        <SafeText text={piece.text} />
      </span>
    ) : (
      <SafeText text={piece.text} />
    )
  })
})

function pieceStyle({ text: _, ...style }: AnsiPiece): CSSProperties | undefined {
  if (Object.keys(style).length === 0) return undefined
  return {
    // On a coloured ground only the terminal's own colour is sure to be legible.
    color:
      style.color === undefined || style.background !== undefined ? undefined : `var(--ansi-${style.color})`,
    backgroundColor:
      style.background === undefined
        ? undefined
        : `color-mix(in srgb, var(--ansi-${style.background}) 30%, transparent)`,
    fontWeight: style.bold ? 600 : undefined,
    opacity: style.dim ? 0.8 : undefined,
    fontStyle: style.italic ? 'italic' : undefined,
    textDecoration: style.underline ? 'underline' : undefined,
  }
}

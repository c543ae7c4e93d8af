import {
  type CSSProperties,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { text as words } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { type AnsiPiece, parseAnsi, stripAnsi } from './ansi.ts'
import { capTail, capText } from './cap-text.ts'
import { SafeText } from './safe-text.tsx'
import { ScrollBox } from './scroll-box.tsx'
import { sequence } from './sequence.ts'

const prompt = '$ '
const commandLimits = { lines: 60, characters: 8000 }
const outputLimits = { lines: 300, characters: 40_000 }
const tailLimits = { lines: 1000, characters: 60_000 }

interface TerminalProps {
  command: string
  /** Undefined while there is none yet. */
  output?: string | undefined
  exitCode?: number | undefined
  /** It still runs: an empty output is not the last word. */
  running?: boolean
  /** The newest of the output is shown, and followed while its reader does not look at what came before. */
  tail?: boolean
}

/** A command and what it printed. Dark in both themes, as terminals are. */
export function Terminal({ command, output, exitCode, running = false, tail = false }: TerminalProps) {
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
        <Output output={output} tail={tail} />
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

function Output({ output, tail }: { output: string; tail: boolean }) {
  const [all, setAll] = useState(false)
  const capped = useMemo(
    () => (tail ? capTail(output, tailLimits) : capText(output, outputLimits)),
    [output, tail],
  )
  const shown = all ? output : capped.text
  const end = useFollowedEnd(shown, tail)
  return (
    <div className="border-t border-white/10">
      <div className="flex items-start gap-1 pr-1">
        <ScrollBox label={words.render.terminal} className="max-h-120 min-w-0 flex-1 overflow-auto px-3 py-2">
          <pre className="break-words whitespace-pre-wrap">
            <AnsiText output={shown} />
            <span ref={end} />
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

/** To be put at the end of what scrolls: it stays in sight while the text grows, unless the reader has scrolled away from it. */
function useFollowedEnd(shown: string, follow: boolean): RefObject<HTMLSpanElement | null> {
  const end = useRef<HTMLSpanElement>(null)
  const isAway = useRef(false)
  useEffect(() => {
    const box = end.current?.closest<HTMLElement>('[role="group"]')
    if (!follow || !box) return
    const note = () => {
      isAway.current = box.scrollHeight - box.scrollTop - box.clientHeight > 40
    }
    box.addEventListener('scroll', note, { passive: true })
    return () => box.removeEventListener('scroll', note)
  }, [follow])
  useLayoutEffect(() => {
    const box = end.current?.closest<HTMLElement>('[role="group"]')
    if (shown !== '' && follow && box && !isAway.current) box.scrollTop = box.scrollHeight
  }, [shown, follow])
  return end
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

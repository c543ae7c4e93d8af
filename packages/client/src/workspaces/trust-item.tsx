import type { TrustItem } from '@dorkos/shared'
import { TerminalSquare } from 'lucide-react'
import { useState } from 'react'
import { Code } from '../render/code.tsx'
import { SafeText } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { languageOf } from './language-of.ts'

/** One thing that trust covers: exactly what it runs, and its text. */
export function TrustItemView({ item }: { item: TrustItem }) {
  const [open, setOpen] = useState(false)
  const words = text.workspaces.covers
  const { runs } = item
  return (
    <li className="min-w-0 rounded-lg border border-line p-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {item.name !== undefined && (
          <bdi className="font-medium break-all">
            <SafeText text={item.name} />
          </bdi>
        )}
        <bdi dir="ltr" className="font-mono text-xs break-all text-soft">
          <SafeText text={item.path} />
        </bdi>
      </p>
      {runs.length > 0 && (
        <div className="pt-2">
          <p className="flex items-center gap-1.5 text-xs font-medium text-warn">
            <TerminalSquare aria-hidden size={14} />
            {words.runs(runs.length)}
          </p>
          {sequence(runs, (command) => (
            <pre
              dir="ltr"
              className="mt-1 overflow-x-auto rounded-md bg-terminal px-3 py-2 font-mono text-xs break-all whitespace-pre-wrap text-on-terminal"
            >
              <SafeText text={command} />
            </pre>
          ))}
        </div>
      )}
      <div className="pt-1">
        {item.text === undefined ? (
          <p className="text-xs text-faint">{words.noText}</p>
        ) : (
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={open}
            className="-ml-2.5"
            onClick={() => setOpen(!open)}
          >
            {open ? words.hideText : words.showText(item.text.split('\n').length)}
          </Button>
        )}
        {open && item.text !== undefined && <Code text={item.text} language={languageOf(item)} />}
        {open && item.cut && <p className="text-xs text-warn">{words.cut}</p>}
      </div>
    </li>
  )
}

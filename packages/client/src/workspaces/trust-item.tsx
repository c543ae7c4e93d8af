import type { TrustItem } from '@dorkos/shared'
import { Globe, type LucideIcon, ShieldOff, TerminalSquare } from 'lucide-react'
import { useState } from 'react'
import { Code } from '../render/code.tsx'
import { SafeText } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { languageOf } from './language-of.ts'
import { allowedUnasked, launches } from './trust-words.ts'

/** One thing that trust covers: exactly what it runs and allows, and its text. */
export function TrustItemView({ item }: { item: TrustItem }) {
  const opened = useState(false)
  const words = text.workspaces.covers
  const { addresses, commands } = launches(item)
  const allowed = allowedUnasked(item)
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
      <Launches icon={Globe} words={words.connects} lines={addresses} />
      <Launches icon={TerminalSquare} words={words.runs} lines={commands} />
      <Launches icon={ShieldOff} words={words.allows} lines={allowed ?? []} />
      {allowed === undefined && <p className="pt-2 text-xs text-warn">{words.unread}</p>}
      <div className="pt-1">
        {item.text === undefined ? (
          <p className="text-xs text-faint">{words.noText}</p>
        ) : (
          <Disclosure
            label={opened[0] ? words.hideText : words.showText(item.text.split('\n').length)}
            opened={opened}
          >
            <Code text={item.text} language={languageOf(item)} />
            {item.cut && <p className="text-xs text-warn">{words.cut}</p>}
          </Disclosure>
        )}
      </div>
    </li>
  )
}

interface LaunchesProps {
  icon: LucideIcon
  words: (n: number) => string
  lines: readonly string[]
}

function Launches({ icon: Icon, words, lines }: LaunchesProps) {
  if (lines.length === 0) return null
  return (
    <div className="pt-2">
      <p className="flex items-center gap-1.5 text-xs font-medium text-warn">
        <Icon aria-hidden size={14} />
        {words(lines.length)}
      </p>
      {sequence(lines, (line) => (
        <pre
          dir="ltr"
          className="mt-1 overflow-x-auto rounded-md bg-terminal px-3 py-2 font-mono text-xs break-all whitespace-pre-wrap text-on-terminal"
        >
          <SafeText text={line} />
        </pre>
      ))}
    </div>
  )
}

import { ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { text as words } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { capText } from './cap-text.ts'
import { jsonEntries, jsonKind, jsonText } from './json-node.ts'
import { SafeText } from './safe-text.tsx'

const firstItems = 50
const moreItems = 200
const stringLimits = { lines: 40, characters: 2000 }
const maxDepth = 60

interface JsonViewProps {
  value: unknown
  /** How many levels are open at first. */
  open?: number
}

/** Data as a tree: folds, long values cut, line breaks in strings shown as such. */
export function JsonView({ value, open = 2 }: JsonViewProps) {
  return (
    <div
      dir="ltr"
      className="relative my-2 rounded-lg border border-line bg-raised py-2 pr-10 pl-2 font-mono text-[0.8125rem] leading-relaxed"
    >
      <div className="absolute top-1 right-1">
        <CopyButton value={() => jsonText(value)} />
      </div>
      <JsonNode value={value} depth={0} open={open} />
    </div>
  )
}

interface JsonNodeProps {
  name?: string
  value: unknown
  depth: number
  open: number
}

function JsonNode(props: JsonNodeProps) {
  const kind = jsonKind(props.value)
  if (props.depth > maxDepth) return <span className="text-faint">{words.render.jsonDeep}</span>
  return kind === 'object' || kind === 'array' ? (
    <Branch {...props} array={kind === 'array'} />
  ) : (
    <Leaf {...props} />
  )
}

function Branch({ name, value, depth, open, array }: JsonNodeProps & { array: boolean }) {
  const entries = jsonEntries(value)
  const [unfolded, setUnfolded] = useState(depth < open && entries.length <= 200)
  const [shown, setShown] = useState(firstItems)
  const size = array ? words.render.jsonItems(entries.length) : words.render.jsonFields(entries.length)
  if (entries.length === 0) return <Row name={name}>{array ? '[]' : '{}'}</Row>
  const Icon = unfolded ? ChevronDown : ChevronRight
  return (
    <div>
      <button
        type="button"
        aria-expanded={unfolded}
        onClick={() => setUnfolded(!unfolded)}
        className="inline-flex max-w-full items-center gap-1 rounded text-left hover:bg-hover max-sm:min-h-10"
      >
        <Icon aria-hidden size={14} className="shrink-0 text-faint" />
        {name !== undefined && <Name name={name} />}
        <span className="text-xs text-faint">{size}</span>
      </button>
      {unfolded && (
        <div className="ml-1.75 border-l border-line pl-3">
          {entries.slice(0, shown).map(([key, item]) => (
            <JsonNode key={key} name={key} value={item} depth={depth + 1} open={open} />
          ))}
          {entries.length > shown && (
            <Button size="sm" variant="ghost" onClick={() => setShown(shown + moreItems)}>
              {words.render.jsonMore(shown, entries.length)}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function Leaf({ name, value }: JsonNodeProps) {
  const kind = jsonKind(value)
  if (kind === 'string') return <StringLeaf name={name} value={String(value)} />
  const tone = kind === 'number' ? 'text-info' : kind === 'boolean' ? 'text-plan' : 'text-faint'
  return (
    <Row name={name}>
      <span className={tone}>{String(value)}</span>
    </Row>
  )
}

function StringLeaf({ name, value }: { name: string | undefined; value: string }) {
  const [all, setAll] = useState(false)
  const capped = capText(value, stringLimits)
  const shown = all ? value : capped.text
  const multiline = value.includes('\n')
  return (
    <Row name={name}>
      <span
        dir="auto"
        className={
          multiline
            ? 'my-1 block rounded border border-line bg-card px-2 py-1 break-words whitespace-pre-wrap'
            : 'break-words whitespace-pre-wrap text-ok'
        }
      >
        {multiline ? <SafeText text={shown} /> : <SafeText text={`"${shown}"`} />}
      </span>
      {capped.cut && (
        <Button size="sm" variant="ghost" onClick={() => setAll(!all)}>
          {all
            ? words.render.showLess
            : `${words.render.showAll} (${words.render.cutText(capped.text.length, value.length)})`}
        </Button>
      )}
    </Row>
  )
}

function Row({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <div className="min-w-0 pl-4.5">
      {name !== undefined && (
        <>
          <Name name={name} />{' '}
        </>
      )}
      {children}
    </div>
  )
}

function Name({ name }: { name: string }) {
  return (
    <span className="break-all text-soft">
      <SafeText text={name.length > 200 ? `${name.slice(0, 200)}…:` : `${name}:`} />
    </span>
  )
}

import { type ReactNode, useState } from 'react'
import { text as words } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { capText } from './cap-text.ts'
import { FoldedText } from './folded-text.tsx'
import { jsonEntries, jsonKind, jsonText } from './json-node.ts'
import { SafeText } from './safe-text.tsx'

const firstItems = 50
const moreItems = 200
const stringLimits = { lines: 40, characters: 2000 }
const maxDepth = 60
const longName = 200
/** Above this, deep levels are folded also where all is to be seen: the page would stand still. */
const mostOpen = 200_000
const wholeHead = 150
const wholeTail = 50

interface JsonViewProps {
  value: unknown
  /** How many levels are open at first. */
  open?: number
  /** It is to be allowed: all levels are open, and the end of what is long is in sight. */
  whole?: boolean
}

/** Data as a tree: folds, long values cut, line breaks in strings shown as such. */
export function JsonView({ value, open = 2, whole = false }: JsonViewProps) {
  const levels = whole && jsonText(value, 0).length <= mostOpen ? Number.POSITIVE_INFINITY : open
  return (
    <div
      dir="ltr"
      className="relative my-2 rounded-lg border border-line bg-raised py-2 pr-10 pl-2 font-mono text-[0.8125rem] leading-relaxed"
    >
      <div className="absolute top-1 right-1">
        <CopyButton value={() => jsonText(value)} />
      </div>
      <JsonNode value={value} depth={0} open={levels} whole={whole} />
    </div>
  )
}

interface JsonNodeProps {
  name?: string
  value: unknown
  depth: number
  open: number
  whole: boolean
}

function JsonNode(props: JsonNodeProps) {
  const kind = jsonKind(props.value)
  if (props.depth > maxDepth) return <TooDeep {...props} />
  return kind === 'object' || kind === 'array' ? (
    <Branch {...props} array={kind === 'array'} />
  ) : (
    <Leaf {...props} />
  )
}

function TooDeep({ name, value, whole }: JsonNodeProps) {
  const source = whole ? jsonText(value, 0) : ''
  if (source === '') return <span className="text-faint">{words.render.jsonDeep}</span>
  return (
    <Row name={name}>
      <span className="break-all whitespace-pre-wrap">
        <FoldedText text={source} />
      </span>
    </Row>
  )
}

function Branch({ name, value, depth, open, array, whole }: JsonNodeProps & { array: boolean }) {
  const entries = jsonEntries(value)
  const size = array ? words.render.jsonItems(entries.length) : words.render.jsonFields(entries.length)
  if (entries.length === 0) return <Row name={name}>{array ? '[]' : '{}'}</Row>
  const isLong = name !== undefined && name.length > longName
  return (
    <Disclosure
      look="inline"
      label={
        <>
          {name !== undefined && <Name name={name} cut />}
          <span className="text-xs text-faint">{size}</span>
        </>
      }
      startsOpen={depth < open && (whole || entries.length <= 200)}
      note={
        isLong && (
          <div className="pl-4.5">
            <Name name={name} />
          </div>
        )
      }
      bodyClassName="ml-1.75 border-l border-line pl-3"
    >
      <Entries entries={entries} depth={depth + 1} open={open} whole={whole} />
    </Disclosure>
  )
}

type EntriesProps = Omit<JsonNodeProps, 'name' | 'value'> & { entries: readonly [string, unknown][] }

/** The first of them; where all is to be seen, the last, too. */
function Entries({ entries, ...node }: EntriesProps) {
  const { whole } = node
  const [shown, setShown] = useState(whole ? wholeHead : firstItems)
  const tail = whole ? wholeTail : 0
  const between = Math.max(0, entries.length - shown - tail)
  const draw = ([key, item]: readonly [string, unknown]) => (
    <JsonNode key={key} name={key} value={item} {...node} />
  )
  return (
    <>
      {entries.slice(0, between > 0 ? shown : entries.length).map(draw)}
      {between > 0 && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => setShown(whole ? entries.length : shown + moreItems)}
        >
          {whole ? words.render.jsonBetween(between) : words.render.jsonMore(shown, entries.length)}
        </Button>
      )}
      {between > 0 && tail > 0 && entries.slice(-tail).map(draw)}
    </>
  )
}

function Leaf({ name, value, whole }: JsonNodeProps) {
  const kind = jsonKind(value)
  if (kind === 'string') return <StringLeaf name={name} value={String(value)} whole={whole} />
  const tone =
    kind === 'number'
      ? 'text-(--code-token-constant)'
      : kind === 'boolean'
        ? 'text-(--code-token-keyword)'
        : 'text-faint'
  return (
    <Row name={name}>
      <span className={tone}>{String(value)}</span>
    </Row>
  )
}

interface StringLeafProps {
  name: string | undefined
  value: string
  whole: boolean
}

function StringLeaf({ name, value, whole }: StringLeafProps) {
  const [all, setAll] = useState(false)
  const capped = capText(value, stringLimits)
  const text = all || whole ? value : capped.text
  const Shown = whole ? FoldedText : SafeText
  const multiline = value.includes('\n')
  return (
    <Row name={name}>
      <span
        dir="auto"
        className={
          multiline
            ? 'my-1 block rounded border border-line bg-card px-2 py-1 [overflow-wrap:anywhere] whitespace-pre-wrap'
            : '[overflow-wrap:anywhere] whitespace-pre-wrap text-ok'
        }
      >
        <Shown text={multiline ? text : `"${text}"`} />
      </span>
      {capped.cut && !whole && (
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

/** `cut`: where the whole of a long one stands elsewhere. */
function Name({ name, cut = false }: { name: string; cut?: boolean }) {
  return (
    <span className="break-all text-soft">
      {cut ? (
        <SafeText text={name.length > longName ? `${name.slice(0, longName)}…:` : `${name}:`} />
      ) : (
        <FoldedText text={`${name}:`} />
      )}
    </span>
  )
}

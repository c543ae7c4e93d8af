/** Top-level tokens → nodes. */
import type { Token, Tokens } from 'marked'
import { memo, type ReactNode } from 'react'
import { text as words } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { deferred } from '../ui/deferred.tsx'
import type { MarkdownBlock } from './block-reader.ts'
import { Code } from './code.tsx'
import { inlineNodes, maxDepth } from './markdown-inline.tsx'
import { MathFormula } from './math.tsx'
import { SafeText } from './safe-text.tsx'
import { ScrollBox } from './scroll-box.tsx'
import { sequence } from './sequence.ts'

const Diagram = deferred(async () => (await import('./diagram.tsx')).Diagram)

interface BlockViewProps {
  block: MarkdownBlock
  /** It is the last, and more of it is coming. */
  streaming: boolean
}

/** Drawn again only when its block is another object, or has come to its end. */
export const BlockView = memo(function BlockView({ block, streaming }: BlockViewProps) {
  return blockNode(block.token, 0, streaming)
})

function blockNodes(tokens: readonly Token[], depth: number, streaming: boolean): ReactNode {
  return sequence(tokens, (token) => blockNode(token, depth, streaming))
}

function blockNode(token: Token, depth: number, streaming: boolean): ReactNode {
  if (depth > maxDepth) return <Plain text={token.raw} />
  switch (token.type) {
    case 'space':
      return null
    case 'def':
      // It can hold a comment, which the model wrote and reads, so people shall see it.
      return <Plain text={token.raw} quiet />
    case 'paragraph':
      return (
        <p dir="auto" className="my-2">
          {inlineNodes(token.tokens, depth)}
        </p>
      )
    case 'text':
    case 'checkbox':
      return inlineNodes([token], depth)
    case 'heading':
      return <Heading token={token as Tokens.Heading} depth={depth} />
    case 'code':
      return <CodeBlock token={token as Tokens.Code} streaming={streaming} />
    case 'math':
      return <MathFormula source={String(token.text)} display />
    case 'blockquote':
      return (
        <blockquote dir="auto" className="my-2 border-l-3 border-line-strong pl-3 text-soft">
          {blockNodes(token.tokens ?? [], depth + 1, streaming)}
        </blockquote>
      )
    case 'list':
      return <List token={token as Tokens.List} depth={depth} streaming={streaming} />
    case 'table':
      return <Table token={token as Tokens.Table} depth={depth} />
    case 'hr':
      return <hr className="my-4 border-line" />
    default:
      return <Plain text={token.raw} />
  }
}

/** HTML, and what is too deep or too strange. */
function Plain({ text, quiet }: { text: string; quiet?: boolean }) {
  return (
    <p dir="auto" className={cx('my-2 break-words whitespace-pre-wrap', quiet && 'text-xs text-soft')}>
      <SafeText text={text.trimEnd()} />
    </p>
  )
}

const headingSizes = ['text-lg', 'text-base', 'text-[0.9375rem]', 'text-[0.9375rem]', 'text-sm', 'text-sm']

/** The page has its own first and second headings; those of a text come below. */
function Heading({ token, depth }: { token: Tokens.Heading; depth: number }) {
  const Tag = `h${Math.min(6, token.depth + 2)}` as 'h3' | 'h4' | 'h5' | 'h6'
  return (
    <Tag
      dir="auto"
      className={`mt-4 mb-1.5 font-semibold first:mt-0 ${headingSizes[token.depth - 1] ?? 'text-sm'}`}
    >
      {inlineNodes(token.tokens, depth)}
    </Tag>
  )
}

function CodeBlock({ token, streaming }: { token: Tokens.Code; streaming: boolean }) {
  const language = /^[^\s{,:]*/.exec(token.lang ?? '')?.[0]
  if (language === 'mermaid') return <Diagram source={token.text} streaming={streaming} />
  return <Code text={token.text} language={language || undefined} streaming={streaming} />
}

function List({ token, depth, streaming }: { token: Tokens.List; depth: number; streaming: boolean }) {
  const Tag = token.ordered ? 'ol' : 'ul'
  const tasks = token.items.length > 0 && token.items.every((item) => item.task)
  const style = tasks ? 'list-none pl-1' : token.ordered ? 'list-decimal pl-6' : 'list-disc pl-5'
  return (
    <Tag
      dir="auto"
      className={`my-2 ${style}`}
      {...(token.ordered && typeof token.start === 'number' && { start: token.start })}
    >
      {sequence(token.items, (item, index) => (
        <Item
          key={`${index}`}
          raw={item.raw}
          loose={token.loose}
          item={item}
          depth={depth}
          streaming={streaming && index === token.items.length - 1}
        />
      ))}
    </Tag>
  )
}

const alignments = { left: 'text-left', center: 'text-center', right: 'text-right' }

function Table({ token, depth }: { token: Tokens.Table; depth: number }) {
  const align = (index: number) => alignments[token.align[index] ?? 'left']
  return (
    <ScrollBox
      label={words.render.table}
      className="my-2 max-w-full overflow-x-auto rounded-lg border border-line"
    >
      <table className="w-full border-collapse text-sm">
        <thead className="bg-raised">
          <tr>
            {sequence(token.header, (cell, index) => (
              <th scope="col" dir="auto" className={`px-3 py-1.5 font-semibold ${align(index)}`}>
                {inlineNodes(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sequence(token.rows, (row, index) => (
            <Row
              key={`${index}`}
              raw={row.map((cell) => cell.text).join('\u001f')}
              row={row}
              aligns={token.align.join()}
              depth={depth}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

interface ItemProps {
  /** With `loose`, what it shows: another token with the same text is drawn the same. */
  raw: string
  loose: boolean
  item: Tokens.ListItem
  depth: number
  streaming: boolean
}

/** An item that did not change is not drawn again while its list grows. */
const Item = memo(
  function Item({ item, depth, streaming }: ItemProps) {
    return (
      <li dir="auto" className="my-1 [&>p]:my-1 [&>ol]:my-1 [&>ul]:my-1">
        {blockNodes(item.tokens, depth + 1, streaming)}
      </li>
    )
  },
  (before, now) => before.raw === now.raw && before.loose === now.loose && before.streaming === now.streaming,
)

interface RowProps {
  raw: string
  row: Tokens.TableCell[]
  aligns: string
  depth: number
}

const Row = memo(
  function Row({ row, aligns, depth }: RowProps) {
    const align = aligns.split(',')
    return (
      <tr className="border-t border-line">
        {sequence(row, (cell, index) => (
          <td
            dir="auto"
            className={`min-w-16 px-3 py-1.5 align-top ${alignments[(align[index] || 'left') as 'left'] ?? 'text-left'}`}
          >
            {inlineNodes(cell.tokens, depth)}
          </td>
        ))}
      </tr>
    )
  },
  (before, now) => before.raw === now.raw && before.aligns === now.aligns,
)

/** Tokens inside a block → nodes. HTML stays text, links lead only where they may, pictures are not fetched. */
import type { Token } from 'marked'
import type { ReactNode } from 'react'
import { text as words } from '../text/text.ts'
import { InlineCode } from './code.tsx'
import { decodeEntities } from './entities.ts'
import { MathFormula } from './math.tsx'
import { safeImageData, safeLink } from './safe-link.ts'
import { SafeText, withVisibleControls } from './safe-text.tsx'
import { sequence } from './sequence.ts'

export const maxDepth = 40

export function inlineNodes(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  if (!tokens) return null
  return sequence(tokens, (token) => inlineNode(token, depth))
}

function inlineNode(token: Token, depth: number): ReactNode {
  if (depth > maxDepth) return token.raw
  const inner = () => inlineNodes('tokens' in token ? token.tokens : undefined, depth + 1)
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'codespan':
      return <InlineCode text={token.text} />
    case 'br':
      return <br />
    case 'math':
      return <MathFormula source={String(token.text)} display={token.display === true} />
    case 'link':
      return <MarkdownLink address={token.href}>{linkText(token, inner)}</MarkdownLink>
    case 'image':
      return <MarkdownImage address={token.href} alt={decodeEntities(token.text)} />
    case 'checkbox':
      return <Checkbox checked={token.checked === true} />
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw
    case 'escape':
      return token.text
    case 'text':
      return 'tokens' in token && token.tokens ? inner() : <Prose text={decodeEntities(token.text)} />
    default:
      return token.raw
  }
}

/** Marks that turn the direction of all that follows have no place in prose; the others, which languages need, stay. */
function Prose({ text }: { text: string }) {
  return /[\u202a-\u202e]/.test(text) ? <SafeText text={text} /> : text
}

/** The words of a link are where one is deceived: what is hidden in plain ones is shown. */
function linkText(token: Token, inner: () => ReactNode): ReactNode {
  const tokens = 'tokens' in token ? (token.tokens ?? []) : []
  return tokens.every((one) => one.type === 'text') ? (
    <SafeText text={decodeEntities(tokens.map((one) => ('text' in one ? String(one.text) : '')).join(''))} />
  ) : (
    inner()
  )
}

function MarkdownLink({ address, children }: { address: string; children: ReactNode }) {
  const link = safeLink(decodeEntities(address))
  if (!link) return children
  const mail = link.href.startsWith('mailto:')
  return (
    <a
      href={link.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={withVisibleControls(mail ? words.render.mailTo(link.target) : words.render.linkTo(link.target))}
      className="break-words link"
    >
      <bdi>{children}</bdi>
    </a>
  )
}

/** A picture of another server is a link: loading it would notify that server. */
function MarkdownImage({ address, alt }: { address: string; alt: string }) {
  const data = safeImageData(address)
  if (data) return <img src={data} alt={alt} className="my-2 max-h-120 max-w-full rounded-md" />
  return (
    <MarkdownLink address={address}>
      <SafeText text={words.render.imageLink(alt)} />
    </MarkdownLink>
  )
}

function Checkbox({ checked }: { checked: boolean }) {
  return (
    <input
      type="checkbox"
      checked={checked}
      readOnly
      disabled
      aria-label={checked ? words.render.taskDone : words.render.taskOpen}
      className="mr-1.5 size-3.5 align-[-0.1em] accent-(--ink)"
    />
  )
}

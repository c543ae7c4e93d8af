/** The math renderer's tree → React elements, by lists of what is allowed: no links, no pictures, no style attributes. */
import { isRecord } from '@dorkos/shared'
import { createElement, type ReactNode } from 'react'

/** What the renderer gives, as far as it is read here. */
interface MathTree {
  type?: unknown
  text?: unknown
  attributes?: unknown
  classes?: unknown
  style?: unknown
  children?: unknown
}

const elements = new Set(
  'math semantics mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd'.split(
    ' ',
  ),
)
const attributes = new Set(
  'display displaystyle scriptlevel mathvariant stretchy symmetric fence separator form lspace rspace minsize maxsize largeop movablelimits accent accentunder linethickness columnalign columnlines columnspacing columnspan rowalign rowlines rowspacing rowspan width height depth voffset notation mathcolor mathbackground mathsize side'.split(
    ' ',
  ),
)
const styles = new Set(
  'color backgroundColor border borderTop borderBottom borderLeft borderRight borderColor borderStyle borderWidth padding paddingTop paddingBottom paddingLeft paddingRight margin marginLeft marginRight width height textAlign fontWeight fontStyle position verticalAlign mathStyle mathDepth'.split(
    ' ',
  ),
)
const maxDepth = 200

export function mathElements(tree: unknown, depth = 0): ReactNode {
  if (!isRecord(tree) || depth > maxDepth) return null
  const { type, text, children } = tree as MathTree
  const inner = Array.isArray(children) ? children.map((child) => mathElements(child, depth + 1)) : []
  if (typeof text === 'string' && inner.length === 0 && typeof type !== 'string') return text
  // The source is kept beside the formula by some settings; it is not to be drawn.
  if (type === 'annotation') return null
  if (typeof type !== 'string' || !elements.has(type)) return inner.length > 0 ? inner.flat() : textOf(text)
  return createElement(type, properties(tree as MathTree), ...inner)
}

function properties(tree: MathTree): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  if (isRecord(tree.attributes)) {
    for (const [name, value] of Object.entries(tree.attributes))
      if (attributes.has(name)) result[name] = String(value)
  }
  if (Array.isArray(tree.classes) && tree.classes.length > 0) {
    // Only the renderer's own classes: those of the page could cover it.
    result.className = tree.classes
      .filter((name) => /^(?:tml|wbk|ff|math)[\w-]*$/.test(String(name)))
      .join(' ')
  }
  if (isRecord(tree.style)) result.style = safeStyle(tree.style)
  return result
}

function safeStyle(style: Record<string, unknown>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(style)) {
    const property = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const text = String(value)
    if (styles.has(property) && !/url|expression|fixed|sticky/i.test(text)) result[property] = text
  }
  return result
}

const textOf = (text: unknown): string | null => (typeof text === 'string' ? text : null)

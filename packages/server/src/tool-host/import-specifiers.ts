/** Where a module's text seems to import something, without running or fully parsing it. Rather too many than too few. */

export interface ImportSpecifier {
  text: string
  /** Found by the rules of `require`: extensions may be missing. */
  isRequire: boolean
  /** From 1. */
  line: number
}

/** White space and a comment or two. Bounded, so that no text takes long, and each place can match in one way only. */
const space = String.raw`\s{0,200}`
const comment = String.raw`(?:\/\/[^\n]{0,200}\n|\/\*(?:[^*]|\*(?!\/)){0,200}\*\/)`
const gap = `${space}(?:${comment}${space}){0,2}`
const quoted = String.raw`(?:'([^'\\\n]{1,1024})'|"([^"\\\n]{1,1024})"|${'`'}([^${'`'}\\$\n]{1,1024})${'`'})`
const pattern = new RegExp(
  String.raw`(?<![\w$])(?:(?:from|import)${gap}(?:\(${gap})?|(require(?:\.resolve)?)${gap}\(${gap}|new${gap}URL${gap}\(${gap})${quoted}`,
  'g',
)

export function importSpecifiers(source: string): ImportSpecifier[] {
  const found: ImportSpecifier[] = []
  let line = 1
  let counted = 0
  for (const match of source.matchAll(pattern)) {
    const end = match.index + match[0].length
    for (; counted < end; counted++) if (source.charCodeAt(counted) === 10) line++
    const text = match[2] ?? match[3] ?? match[4] ?? ''
    found.push({ text, isRequire: match[1] !== undefined, line })
  }
  return found
}

// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what is looked for here.
/** Output of programs → pieces with colours. What moves a cursor or talks to a terminal is taken out. */

export interface AnsiPiece {
  text: string
  /** One of the 16 colours of a terminal. */
  color?: number
  background?: number
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
}

type Style = Omit<AnsiPiece, 'text'>

const sequences = /(?:\u001b\[|\u009b)([0-?]*)([ -/]*)([@-~]|$)|\u001b[ -/]*[0-~]?|[\u0080-\u009f]/g

/** The whole text that would be seen, in order. */
export function parseAnsi(output: string): AnsiPiece[] {
  const pieces: AnsiPiece[] = []
  let style: Style = {}
  let end = 0
  const text = overwritten(output)
  const push = (piece: string) => {
    if (piece !== '') pieces.push({ text: piece, ...style })
  }
  for (const match of text.matchAll(sequences)) {
    push(text.slice(end, match.index))
    end = match.index + match[0].length
    if (match[3] === 'm' && match[2] === '' && /^[\d;:]*$/.test(match[1] ?? ''))
      style = applyCodes(style, match[1] ?? '')
  }
  push(text.slice(end))
  return pieces
}

/** Without colours, for copying and for counting lines. */
export function stripAnsi(output: string): string {
  return parseAnsi(output)
    .map((piece) => piece.text)
    .join('')
}

const strings = /\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)/g
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g
const colours = /\u001b\[[\d;:]*m/g

/** A line that was written over, as progress bars do, shows its last state; other control characters show nothing. */
function overwritten(output: string): string {
  const text = output.replace(strings, '').replace(/(?<!\r)\r+\n/g, '\n')
  const last = text.includes('\r') ? text.split('\n').map(lastState).join('\n') : text
  return last.replace(/[^\n\u0008]\u0008/g, '').replace(controls, '')
}

function lastState(line: string): string {
  const end = line.replace(/(?<!\r)\r+$/, '')
  const at = end.lastIndexOf('\r')
  // The colours that were set before stay set.
  return at < 0 ? end : (end.slice(0, at).match(colours) ?? []).join('') + end.slice(at + 1)
}

function applyCodes(before: Style, codes: string): Style {
  let style = before
  const numbers = codes.split(/[;:]/).map((code) => Number(code || 0))
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0
    if (code === 38 || code === 48) {
      const { color, used } = extendedColor(numbers.slice(at + 1, at + 5))
      at += used
      if (color !== undefined) style = { ...style, [code === 38 ? 'color' : 'background']: color }
    } else style = applyCode(style, code)
  }
  return style
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return {}
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 3) return { ...style, italic: true }
  if (code === 4) return { ...style, underline: true }
  if (code === 22) return without(style, 'bold', 'dim')
  if (code === 23) return without(style, 'italic')
  if (code === 24) return without(style, 'underline')
  if (code === 39) return without(style, 'color')
  if (code === 49) return without(style, 'background')
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 }
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 }
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 }
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 }
  return style
}

function without(style: Style, ...names: (keyof Style)[]): Style {
  const rest = { ...style }
  for (const name of names) delete rest[name]
  return rest
}

/** 256 and true colours become the nearest of the 16, which are legible in both themes. */
function extendedColor(numbers: readonly number[]): { color: number | undefined; used: number } {
  if (numbers[0] === 5) return { color: fromIndex(numbers[1] ?? 0), used: 2 }
  if (numbers[0] === 2) return { color: nearest(numbers[1] ?? 0, numbers[2] ?? 0, numbers[3] ?? 0), used: 4 }
  return { color: undefined, used: Number.POSITIVE_INFINITY }
}

function fromIndex(index: number): number {
  if (index < 16) return index
  if (index >= 232) return nearest((index - 232) * 10 + 8, (index - 232) * 10 + 8, (index - 232) * 10 + 8)
  const cube = index - 16
  const level = (value: number) => (value === 0 ? 0 : value * 40 + 55)
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6))
}

const palette: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 188, 121],
  [229, 229, 16],
  [36, 114, 200],
  [188, 63, 188],
  [17, 168, 205],
  [229, 229, 229],
  [102, 102, 102],
  [241, 76, 76],
  [35, 209, 139],
  [245, 245, 67],
  [59, 142, 234],
  [214, 112, 214],
  [41, 184, 219],
  [255, 255, 255],
]

function nearest(red: number, green: number, blue: number): number {
  let best = 7
  let least = Number.POSITIVE_INFINITY
  for (const [index, [r, g, b]] of palette.entries()) {
    const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}

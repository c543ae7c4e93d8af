/** Colours, where there is a terminal that wants them. */
import type { OutputStream } from '../context.ts'

type Paint = (text: string) => string

export interface Style {
  bold: Paint
  dim: Paint
  red: Paint
  green: Paint
  yellow: Paint
  cyan: Paint
}

export function createStyle(enabled: boolean): Style {
  const paint = (open: number, close: number): Paint =>
    enabled ? (text) => (text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`) : (text) => text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}

/** As https://no-color.org wants it. */
export function styleOf(stream: OutputStream, env: Readonly<Record<string, string | undefined>>): Style {
  return createStyle(stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb')
}

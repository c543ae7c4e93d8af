/** In which form to send a file: the smallest that the client takes and that is there. */
import type { PageEncoding } from '../../core/ports/page-files.ts'

const smallestFirst = ['br', 'gzip'] as const

export function chooseEncoding(
  accepted: string | undefined,
  available: ReadonlySet<PageEncoding>,
): PageEncoding {
  const weights = new Map((accepted ?? '').split(',').map(weightOf))
  const takes = (encoding: PageEncoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  return smallestFirst.find((encoding) => available.has(encoding) && takes(encoding)) ?? 'identity'
}

/** `gzip;q=0.5` as its name and weight; 0 means that it is refused. */
function weightOf(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
}

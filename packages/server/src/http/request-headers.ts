/**
 * Headers that Node would hide: it leaves out those after a number of its own (2,000), and the second of two `Authorization`.
 * What a check does not see, somebody behind it may; so such a request is refused before anything else is checked.
 */

import { type Saying, say } from '@dorkos/shared'

const mostHeaders = 100

/**
 * For `maxHeadersCount` of a server: all of them are read, so that ours is the answer to too many. Their size bounds them
 * (`maxHeaderSize`). With a number here, Node 20 leaves out what is beyond it, and newer ones cut the connection.
 */
export const everyHeader = 0

/** Why nothing can be said about the request by its headers. */
export function headersFault(rawHeaders: readonly string[]): 'too_many' | 'ambiguous' | undefined {
  if (rawHeaders.length / 2 > mostHeaders) return 'too_many'
  return headerValues(rawHeaders, 'authorization').length > 1 ? 'ambiguous' : undefined
}

export const sayHeadersFault = (fault: 'too_many' | 'ambiguous'): Saying =>
  fault === 'too_many' ? say('too_many_headers', { most: mostHeaders }) : say('authorization_ambiguous')

/** Every value under a name in lower case, in the order in which they came. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.flatMap((header, index) =>
    index % 2 === 0 && header.toLowerCase() === name ? [rawHeaders[index + 1] ?? ''] : [],
  )
}

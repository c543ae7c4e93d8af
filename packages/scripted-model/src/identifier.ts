import { randomBytes } from 'node:crypto'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** An id like the API's: a prefix, `01`, and 22 random characters. */
export function identifier(prefix: 'msg' | 'toolu' | 'req'): string {
  let id = `${prefix}_01`
  for (const byte of randomBytes(22)) id += ALPHABET[byte % ALPHABET.length]
  return id
}

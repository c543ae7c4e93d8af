/** Which names and paths of a workspace are shown. */

/** Controls, marks that turn the direction of text, characters that take no room, fillers that look like nothing, and what is not UTF-8. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2065\u3164\uffa0\ufffd\u{e0000}-\u{e0fff}]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]/u

/** Inside composed emoji; elsewhere a joiner makes two names look the same. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}\ufe0f?|[\u{1f3fb}-\u{1f3ff}])\u200d(?=\p{Extended_Pictographic})/gu

/**
 * Whether a name can be shown and typed. Line breaks and control characters could forge what a person or a model reads; so could marks
 * that turn the direction of text, and what is not seen at all. A name that is not UTF-8 cannot be asked for again.
 */
export function isPlainName(name: string): boolean {
  return name !== '' && !unseen.test(name.replace(emojiJoiner, ''))
}

/** Whether a path leads down from where it begins, by names that can be shown. One `/` at its end is allowed: a folder. */
export function isPlainPath(path: string): boolean {
  const names = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  return names.every(
    (name) => isPlainName(name) && name !== '.' && name !== '..' && name.toLowerCase() !== '.git',
  )
}

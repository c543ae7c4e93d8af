import type { pictureTypes } from '@dorkos/shared'

export type PictureType = (typeof pictureTypes)[number]

/** So many bytes tell. */
export const pictureHeadBytes = 12

/** Determined by its first bytes: what it is said to be is somebody's word. */
export function pictureTypeOf(bytes: Buffer): PictureType | undefined {
  const head = bytes.toString('latin1', 0, pictureHeadBytes)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  return /^RIFF.{4}WEBP/s.test(head) ? 'image/webp' : undefined
}

/** What can be attached to a message, and what not. */

export type AttachmentKind = 'image' | 'document' | 'text'

export interface Attachment {
  readonly id: string
  readonly kind: AttachmentKind
  /** The file's name; empty for what was pasted. */
  readonly name: string
  readonly mediaType: string
  /** Base64; of a text file the text itself. */
  readonly data: string
}

export type AttachmentRefusal =
  | 'type'
  | 'empty'
  | 'document_size'
  | 'text_size'
  | 'image_size'
  | 'image_broken'
  | 'count'
  | 'total'

export const limits = {
  /** The server takes 50 blocks in a message. */
  count: 20,
  /** What the model takes of one image, as base64. */
  imageBase64: 5 * 1024 * 1024,
  /** Larger ones are made smaller; the model sees no more than this anyway. */
  imagePixels: 2000,
  /** Files beyond this are not even decoded. */
  imageFile: 50 * 1024 * 1024,
  document: 14 * 1024 * 1024,
  text: 900_000,
  /** The server takes 32 MB, with everything around the message. */
  total: 31 * 1024 * 1024,
} as const

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const textTypes =
  /^text\/|^application\/(json|xml|javascript|typescript|x-sh|x-yaml|yaml|toml|sql|x-httpd-php|ld\+json)$|\+(json|xml)$/
const binaryTypes = /^(image|audio|video|font)\/|^application\/(zip|x-.*compressed|gzip|x-tar|vnd\.|msword)/

export interface FileInfo {
  readonly name: string
  readonly type: string
  readonly size: number
}

/**
 * What a file would be. `perhaps-text`: its type says nothing, so its bytes must.
 */
export function classify(file: FileInfo): AttachmentKind | 'perhaps-text' | { refused: AttachmentRefusal } {
  if (file.size === 0) return { refused: 'empty' }
  const type = file.type.toLowerCase().split(';')[0]?.trim() ?? ''
  if (imageTypes.includes(type)) return file.size > limits.imageFile ? { refused: 'image_size' } : 'image'
  if (type === 'application/pdf')
    return file.size > limits.document ? { refused: 'document_size' } : 'document'
  // A drawing as text: the model takes no SVG as an image.
  if (type === 'image/svg+xml') return textOf(file, 'text')
  if (binaryTypes.test(type)) return { refused: 'type' }
  return textOf(file, textTypes.test(type) ? 'text' : 'perhaps-text')
}

function textOf<K extends string>(file: FileInfo, kind: K): K | { refused: AttachmentRefusal } {
  return file.size > limits.text ? { refused: kind === 'text' ? 'text_size' : 'type' } : kind
}

/** The text of a file, or nothing if it is none: not UTF-8, or with bytes that no text has. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Whether one more can go with the others. */
export function fits(all: readonly Attachment[], next: Attachment): AttachmentRefusal | undefined {
  if (all.length >= limits.count) return 'count'
  const total = all.reduce((sum, { data }) => sum + data.length, next.data.length)
  return total > limits.total ? 'total' : undefined
}

/** The size that an image is drawn at so that neither side is over the limit. */
export function scaledSize(
  width: number,
  height: number,
  limit: number = limits.imagePixels,
): { width: number; height: number } {
  const factor = Math.min(1, limit / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

/** Bytes of the file that the base64 stands for, for people. */
export function sizeOf({ kind, data }: Attachment): number {
  return kind === 'text' ? data.length : Math.floor((data.length * 3) / 4)
}

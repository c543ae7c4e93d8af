/** A message's words and what is attached to it. */
import type { UserItem } from '../live/page-session.ts'

export type ShownAttachment =
  | { readonly kind: 'image'; readonly source: string; readonly title: string | undefined }
  | { readonly kind: 'document'; readonly title: string | undefined; readonly mediaType: string }
  /** Mentioned, but too large for an event. An image can be fetched by its position among the images. */
  | { readonly kind: 'omitted'; readonly mediaType: string; readonly index: number | undefined }

export interface UserParts {
  text: string
  attachments: readonly ShownAttachment[]
}

const imageTypes = /^image\/(png|jpeg|gif|webp)$/

export function userParts(content: UserItem['content']): UserParts {
  if (typeof content === 'string') return { text: content, attachments: [] }
  const texts: string[] = []
  const attachments: ShownAttachment[] = []
  let images = 0
  for (const block of content as readonly { type: string; [key: string]: unknown }[]) {
    if (block.type === 'text' && typeof block.text === 'string') texts.push(block.text)
    else if (block.type === 'image' || block.type === 'document') {
      attachments.push(attachment(block, images))
      if (block.type === 'image') images += 1
    }
  }
  return { text: texts.join('\n\n'), attachments }
}

/** `index`: its position among the images. */
function attachment(block: { type: string; [key: string]: unknown }, index: number): ShownAttachment {
  const source = typeof block.source === 'object' && block.source !== null ? block.source : {}
  const { data, media_type: media } = source as { data?: unknown; media_type?: unknown }
  const mediaType = typeof media === 'string' ? media : ''
  const title = typeof block.title === 'string' && block.title !== '' ? block.title : undefined
  if (typeof data !== 'string') {
    return { kind: 'omitted', mediaType, index: block.type === 'image' ? index : undefined }
  }
  if (block.type === 'image' && imageTypes.test(mediaType) && /^[A-Za-z0-9+/=\s]*$/.test(data)) {
    return { kind: 'image', source: `data:${mediaType};base64,${data}`, title }
  }
  return { kind: 'document', title, mediaType }
}

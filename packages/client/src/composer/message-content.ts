/** A message as it is written (text and attachments) and as it is sent (content blocks). */
import { isRecord, type MessageContent } from '@dorkos/shared'
import type { Attachment } from './attachments.ts'

type Block = Exclude<MessageContent, string>[number]

/** As it is written. */
export interface Written {
  readonly text: string
  readonly attachments: readonly Attachment[]
}

/** Attachments first and the typed text last: the CLI takes a command from the last text. */
export function toContent(text: string, attachments: readonly Attachment[]): MessageContent {
  if (attachments.length === 0) return text
  const blocks: Block[] = attachments.map(toBlock)
  if (text.trim() !== '') blocks.push({ type: 'text', text })
  return blocks
}

function toBlock(attachment: Attachment): Block {
  if (attachment.kind === 'text') return { type: 'text', text: fileText(attachment.name, attachment.data) }
  const source = { type: 'base64' as const, media_type: attachment.mediaType, data: attachment.data }
  return attachment.kind === 'document'
    ? { type: 'document', source, title: attachment.name.slice(0, 500) }
    : { type: 'image', source }
}

/** How a text file stands in a message. */
function fileText(name: string, data: string): string {
  return `<file name="${name.replace(/["<>\n\r]/g, '_')}">\n${data}\n</file>`
}

const filePattern = /^<file name="([^"\n]*)">\n([\s\S]*)\n<\/file>$/

/** The message as it was written, from any blocks: what else is in them is left out. */
export function fromContent(content: string | readonly unknown[]): Written {
  if (typeof content === 'string') return { text: content, attachments: [] }
  const texts: string[] = []
  const attachments: Attachment[] = []
  for (const block of content) {
    const attachment = toAttachment(block, attachments.length)
    if (attachment) attachments.push(attachment)
    else if (isText(block)) texts.push(block.text)
  }
  return { text: texts.join('\n\n'), attachments }
}

/** Only what a person typed. */
export function typedText(content: string | readonly unknown[]): string {
  if (typeof content === 'string') return content
  return content
    .flatMap((block) => (isText(block) && !filePattern.test(block.text) ? [block.text] : []))
    .join('\n\n')
}

function isText(block: unknown): block is { type: 'text'; text: string } {
  return isRecord(block) && block.type === 'text' && typeof block.text === 'string'
}

function toAttachment(block: unknown, index: number): Attachment | undefined {
  if (!isRecord(block)) return undefined
  if (isText(block)) {
    const file = filePattern.exec(block.text)
    const data = file?.[2] ?? ''
    return file
      ? { id: `${index}`, kind: 'text', name: file[1] ?? '', mediaType: 'text/plain', data }
      : undefined
  }
  const { type, source, title } = block
  if ((type !== 'image' && type !== 'document') || !isRecord(source)) return undefined
  const { media_type: mediaType, data } = source
  if (typeof mediaType !== 'string' || typeof data !== 'string') return undefined
  return { id: `${index}`, kind: type, name: typeof title === 'string' ? title : '', mediaType, data }
}

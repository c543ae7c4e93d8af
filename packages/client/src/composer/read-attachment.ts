/** Reads a file that somebody pasted, dropped or chose. */
import { type Attachment, classify, decodeText, limits, type Refusal, scaledSize } from './attachments.ts'
import { newKey } from './new-key.ts'

export type ReadAttachment = { attachment: Attachment } | { refused: Refusal }

export async function readAttachment(file: File): Promise<ReadAttachment> {
  const kind = classify(file)
  if (typeof kind === 'object') return kind
  try {
    if (kind === 'image') return await readImage(file)
    if (kind === 'document') return made(file, kind, file.type, await toBase64(file))
    const text = decodeText(new Uint8Array(await file.arrayBuffer()))
    return text === undefined ? { refused: 'type' } : made(file, 'text', 'text/plain', text)
  } catch {
    return { refused: kind === 'image' ? 'image_broken' : 'type' }
  }
}

function made(file: File, kind: Attachment['kind'], mediaType: string, data: string): ReadAttachment {
  return { attachment: { id: newKey(), kind, name: file.name, mediaType, data } }
}

async function readImage(file: File): Promise<ReadAttachment> {
  const bitmap = await createImageBitmap(file)
  try {
    const size = scaledSize(bitmap.width, bitmap.height)
    const isSmall = size.width === bitmap.width && file.size <= (limits.imageBase64 * 3) / 4
    if (isSmall) return made(file, 'image', file.type, await toBase64(file))
    for (const [type, factor] of attempts(file.type)) {
      const blob = await drawn(bitmap, size.width * factor, size.height * factor, type)
      if (blob && blob.size <= (limits.imageBase64 * 3) / 4)
        return made(file, 'image', blob.type, await toBase64(blob))
    }
    return { refused: 'image_size' }
  } finally {
    bitmap.close()
  }
}

/** As it came if that is small enough; else as a photograph, at last a smaller one. */
function attempts(type: string): [string, number][] {
  const kept: [string, number][] = type === 'image/jpeg' ? [] : [['image/png', 1]]
  return [...kept, ['image/jpeg', 1], ['image/jpeg', 0.5]]
}

function drawn(image: ImageBitmap, width: number, height: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width)
  canvas.height = Math.round(height)
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  if (type === 'image/jpeg') {
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.9))
}

function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''))
    reader.readAsDataURL(blob)
  })
}

/** Reads a file that somebody pasted, dropped or chose. */
import {
  type Attachment,
  type AttachmentRefusal,
  classify,
  decodeText,
  limits,
  scaledSize,
} from './attachments.ts'
import { newKey } from './new-key.ts'

export type ReadAttachment = { attachment: Attachment } | { refused: AttachmentRefusal }

/** How much of it is read, from 0 to 1. */
type OnProgress = (progress: number) => void

/** Rejects for a file that could not be read: it may have changed or gone since it was chosen. */
export async function readAttachment(file: File, onProgress: OnProgress): Promise<ReadAttachment> {
  const kind = classify(file)
  if (typeof kind === 'object') return kind
  try {
    if (kind === 'image') return await readImage(file, onProgress)
    if (kind === 'document') return made(file, kind, file.type, await toBase64(file, onProgress))
    const text = decodeText(new Uint8Array(await toBytes(file, onProgress)))
    return text === undefined ? { refused: 'type' } : made(file, 'text', 'text/plain', text)
  } catch (error) {
    if (isUnreadable(error)) throw error
    return { refused: kind === 'image' ? 'image_broken' : 'type' }
  }
}

function made(file: File, kind: Attachment['kind'], mediaType: string, data: string): ReadAttachment {
  return { attachment: { id: newKey(), kind, name: file.name, mediaType, data } }
}

const unreadable = ['NotReadableError', 'NotFoundError', 'AbortError']

function isUnreadable(error: unknown): boolean {
  return error instanceof DOMException && unreadable.includes(error.name)
}

async function readImage(file: File, onProgress: OnProgress): Promise<ReadAttachment> {
  const bitmap = await createImageBitmap(file)
  try {
    const size = scaledSize(bitmap.width, bitmap.height)
    const isSmall = size.width === bitmap.width && file.size <= (limits.imageBase64 * 3) / 4
    if (isSmall) return made(file, 'image', file.type, await toBase64(file, onProgress))
    for (const [type, factor] of attempts(file.type)) {
      const blob = await drawn(bitmap, size.width * factor, size.height * factor, type)
      if (blob && blob.size <= (limits.imageBase64 * 3) / 4)
        return made(file, 'image', blob.type, await toBase64(blob, onProgress))
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

async function toBase64(blob: Blob, onProgress: OnProgress): Promise<string> {
  const url = await readBlob(blob, onProgress, (reader) => reader.readAsDataURL(blob))
  return String(url).replace(/^data:[^,]*,/, '')
}

async function toBytes(blob: Blob, onProgress: OnProgress): Promise<ArrayBuffer> {
  const bytes = await readBlob(blob, onProgress, (reader) => reader.readAsArrayBuffer(blob))
  return bytes as ArrayBuffer
}

function readBlob(
  { size }: Blob,
  onProgress: OnProgress,
  begin: (reader: FileReader) => void,
): Promise<FileReader['result']> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onprogress = ({ loaded }) => onProgress(loaded / Math.max(size, 1))
    reader.onload = () => resolve(reader.result)
    begin(reader)
  })
}

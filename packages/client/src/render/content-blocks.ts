/** What tools give back (blocks of MCP and of the model's API) → what is drawn. Every field is checked: a server wrote it. */
import { isRecord } from '@dorkos/shared'
import { parseJson } from './json-node.ts'

export type ContentPart =
  | { kind: 'text'; text: string }
  | { kind: 'json'; value: unknown }
  | { kind: 'image'; source: string; mimeType: string }
  /** Too large for the event; it can be fetched. */
  | { kind: 'image_left_out' }
  | { kind: 'refused_image'; mimeType: string }
  | { kind: 'audio'; source: string; mimeType: string; fileName: string }
  | { kind: 'link'; name: string; address: string; description: string }
  | { kind: 'other'; type: string; value: unknown }

const maxParts = 100
const maxImage = 10_000_000
const maxAudio = 20_000_000
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const base64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/

export interface ContentParts {
  parts: ContentPart[]
  /** How many were left out. */
  more: number
}

/** Takes a text, one block, or a list of them. */
export function contentParts(content: unknown): ContentParts {
  if (content === undefined || content === null || content === '') return { parts: [], more: 0 }
  const blocks = Array.isArray(content) ? content : [content]
  return { parts: blocks.slice(0, maxParts).map(contentPart), more: Math.max(0, blocks.length - maxParts) }
}

function contentPart(block: unknown): ContentPart {
  if (typeof block === 'string') return textPart(block)
  if (!isRecord(block)) return { kind: 'other', type: typeof block, value: block }
  switch (block.type) {
    case 'text':
      return textPart(string(block.text))
    case 'image':
      return imagePart(block)
    case 'audio':
      return audioPart(block)
    case 'resource':
      return resourcePart(block.resource)
    case 'resource_link':
      return linkPart(block)
    default:
      return { kind: 'other', type: string(block.type) || typeof block, value: block }
  }
}

function textPart(text: string): ContentPart {
  const value = parseJson(text)
  return value === undefined ? { kind: 'text', text } : { kind: 'json', value }
}

/** MCP has `data` and `mimeType`; the model's API has `source: {type, media_type, data}`. */
function imagePart(block: Record<string, unknown>): ContentPart {
  const source = isRecord(block.source) ? block.source : {}
  if (source.type === 'omitted') return { kind: 'image_left_out' }
  const mimeType = string(block.mimeType) || string(source.media_type)
  const data = string(block.data) || string(source.data)
  const allowed = imageTypes.has(mimeType) && data !== '' && data.length <= maxImage && base64.test(data)
  if (!allowed) return { kind: 'refused_image', mimeType }
  return { kind: 'image', source: `data:${mimeType};base64,${data.replace(/\s/g, '')}`, mimeType }
}

function audioPart(block: Record<string, unknown>): ContentPart {
  const mimeType = /^audio\/[a-z0-9.+-]{1,40}$/.test(string(block.mimeType))
    ? string(block.mimeType)
    : 'application/octet-stream'
  const data = string(block.data)
  if (data === '' || data.length > maxAudio || !base64.test(data))
    return { kind: 'other', type: 'audio', value: { mimeType } }
  const ending = mimeType.startsWith('audio/') ? mimeType.slice(6).replace(/[^a-z0-9]/g, '') : 'bin'
  return { kind: 'audio', source: data.replace(/\s/g, ''), mimeType, fileName: `audio.${ending}` }
}

function resourcePart(resource: unknown): ContentPart {
  if (!isRecord(resource)) return { kind: 'other', type: 'resource', value: resource }
  if (typeof resource.text === 'string') return textPart(resource.text)
  const mimeType = string(resource.mimeType)
  if (imageTypes.has(mimeType)) return imagePart({ mimeType, data: resource.blob })
  return { kind: 'link', name: string(resource.name), address: string(resource.uri), description: mimeType }
}

function linkPart(block: Record<string, unknown>): ContentPart {
  return {
    kind: 'link',
    name: string(block.title) || string(block.name),
    address: string(block.uri),
    description: string(block.description),
  }
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The content blocks of MCP, and the check of what a handler hands out as one. */
import { isRecord } from '@dorkos/processes'
import { copyAsJson, describe } from './json-value.ts'

interface BlockExtras {
  annotations?: Record<string, unknown> | undefined
  _meta?: Record<string, unknown> | undefined
}

/** Base64 text, or the bytes themselves, which are then encoded. */
export type BinaryData = string | Uint8Array | ArrayBuffer

export interface TextBlock extends BlockExtras {
  type: 'text'
  text: string
}
export interface ImageBlock extends BlockExtras {
  type: 'image'
  data: BinaryData
  mimeType: string
}
export interface AudioBlock extends BlockExtras {
  type: 'audio'
  data: BinaryData
  mimeType: string
}
export interface EmbeddedResource {
  uri: string
  mimeType?: string | undefined
  text?: string | undefined
  blob?: BinaryData | undefined
  _meta?: Record<string, unknown> | undefined
}
export interface ResourceBlock extends BlockExtras {
  type: 'resource'
  resource: EmbeddedResource
}
export interface ResourceLinkBlock extends BlockExtras {
  type: 'resource_link'
  uri: string
  name: string
  title?: string | undefined
  description?: string | undefined
  mimeType?: string | undefined
  size?: number | undefined
}
export type ToolContentBlock = TextBlock | ImageBlock | AudioBlock | ResourceBlock | ResourceLinkBlock

/** Says what is wrong with a value; the text is meant for the author of the handler, by way of the model. */
export class InvalidContent extends Error {}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** A fresh block of plain JSON. Throws InvalidContent. */
export function toContentBlock(value: unknown, where: string): Record<string, unknown> {
  if (!isRecord(value)) throw new InvalidContent(`${where} is ${describe(value)}, not a content block`)
  switch (value.type) {
    case 'text':
      return withExtras({ type: 'text', text: needString(value, 'text', where) }, value, where)
    case 'image':
    case 'audio': {
      const data = toBase64(value.data, `${where}.data`)
      if (data === '') throw new InvalidContent(`${where}.data is empty`)
      return withExtras({ type: value.type, data, mimeType: needMimeType(value, where) }, value, where)
    }
    case 'resource':
      return withExtras(
        { type: 'resource', resource: toResourceContents(value.resource, `${where}.resource`) },
        value,
        where,
      )
    case 'resource_link':
      return toResourceLink(value, where)
    default:
      throw new InvalidContent(
        `${where}.type is ${JSON.stringify(value.type) ?? 'undefined'}; ` +
          'known are text, image, audio, resource and resource_link',
      )
  }
}

/** `{uri, mimeType?, text}` or `{uri, mimeType?, blob}`. Throws InvalidContent. */
export function toResourceContents(value: unknown, where: string): Record<string, unknown> {
  if (!isRecord(value)) throw new InvalidContent(`${where} is ${describe(value)}, not a resource`)
  const resource: Record<string, unknown> = { uri: needString(value, 'uri', where) }
  if (value.mimeType !== undefined) resource.mimeType = needString(value, 'mimeType', where)
  if (value.blob !== undefined) resource.blob = toBase64(value.blob, `${where}.blob`)
  else resource.text = needString(value, 'text', where)
  return copyRecord(resource, value, '_meta', where)
}

function toResourceLink(value: Record<string, unknown>, where: string): Record<string, unknown> {
  const link: Record<string, unknown> = {
    type: 'resource_link',
    uri: needString(value, 'uri', where),
    name: needString(value, 'name', where),
  }
  for (const key of ['title', 'description', 'mimeType']) {
    if (value[key] !== undefined) link[key] = needString(value, key, where)
  }
  if (typeof value.size === 'number' && Number.isFinite(value.size)) link.size = value.size
  return withExtras(link, value, where)
}

function withExtras(
  block: Record<string, unknown>,
  value: Record<string, unknown>,
  where: string,
): Record<string, unknown> {
  if (value.annotations !== undefined) copyRecord(block, value, 'annotations', where)
  if (value._meta !== undefined) copyRecord(block, value, '_meta', where)
  return block
}

/** Copies a field that holds an object of any content, if it is there. Throws InvalidContent. */
export function copyRecord(
  target: Record<string, unknown>,
  source: Record<string, unknown>,
  key: string,
  where: string,
): Record<string, unknown> {
  const value = source[key]
  if (value === undefined) return target
  if (!isRecord(value)) throw new InvalidContent(`${where}.${key} must be an object, got ${describe(value)}`)
  const copy = copyAsJson(value)
  if (!copy.ok) throw new InvalidContent(`${where}.${key}: ${copy.reason}`)
  target[key] = copy.value
  return target
}

function needString(value: Record<string, unknown>, key: string, where: string): string {
  const text = value[key]
  if (typeof text !== 'string')
    throw new InvalidContent(`${where}.${key} must be a string, got ${describe(text)}`)
  return text
}

function needMimeType(value: Record<string, unknown>, where: string): string {
  const type = needString(value, 'mimeType', where)
  if (!type.includes('/'))
    throw new InvalidContent(`${where}.mimeType must be a type such as image/png, got '${type}'`)
  return type
}

function toBase64(value: unknown, where: string): string {
  if (typeof value === 'string') {
    if (BASE64.test(value)) return value
    const joined = value.replace(/\s+/g, '')
    if (BASE64.test(joined)) return joined
    const hint = value.startsWith('data:') ? ' (leave out the data: prefix)' : ''
    throw new InvalidContent(`${where} is not base64${hint}`)
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  }
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64')
  throw new InvalidContent(`${where} must be base64 text or bytes, got ${describe(value)}`)
}

/** Bytes as text, where they are text. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined for what is no UTF-8, or has a NUL. */
export function decodeText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

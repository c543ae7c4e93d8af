/** Which addresses of a model's text may become links or pictures. */

export interface SafeLink {
  href: string
  /** Where it really leads: the host, or the address of a mail. */
  target: string
}

const schemes = new Set(['http:', 'https:', 'mailto:'])

/** Undefined when the address is relative, broken, or of another scheme: then it stays text. */
export function safeLink(address: string): SafeLink | undefined {
  if (address.length > 8192) return undefined
  const url = parse(removeInvisible(address))
  if (!url || !schemes.has(url.protocol)) return undefined
  if (url.protocol !== 'mailto:') return { href: url.href, target: url.host }
  // Only the address: headers and a body would speak for the user.
  return { href: `mailto:${url.pathname}`, target: url.pathname }
}

const maxImageCharacters = Math.ceil((2 * 1024 * 1024 * 4) / 3)
const imageData = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/** A picture that is in the text itself. One that would have to be fetched reveals to its server that it was read, so it is not loaded. */
export function safeImageData(address: string): string | undefined {
  return address.length <= maxImageCharacters && imageData.test(address) ? address : undefined
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

/** Browsers drop some of these before they read the scheme; a filter that does not is deceived. */
function removeInvisible(address: string): string {
  return address.replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, '')
}

/** The link that signs another device in. The code is in the fragment, which is sent to nobody. */
export function signInLink(origin: string, code: string): string {
  return `${origin}/#code=${encodeURIComponent(code)}`
}

/** Whether an address means the machine itself, so that another device cannot use it. */
export function isLoopback(hostname: string): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(host) ||
    /^::ffff:127(?:\.\d{1,3}){3}$/.test(host)
  )
}

/** What was typed, without what people put between; undefined where it cannot be a code. */
export function typedPairingCode(typed: string): string | undefined {
  const plain = typed.replace(/[\s-]/g, '').toUpperCase()
  return /^[0-9A-Z]{10}$/.test(plain) ? `${plain.slice(0, 5)}-${plain.slice(5)}` : undefined
}

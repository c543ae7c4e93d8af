import { CliError } from '../../cli-error.ts'

/** Where a person signs in, as it may be shown and opened. */
export interface SignInAddress {
  href: string
  /** Of the page that they come to. */
  host: string
  /** By which the answer is known. */
  state: string
}

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Throws `CliError` for what no browser should be sent to: the address comes from an authorization server that nobody here knows. */
export function signInAddress(text: string): SignInAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const [state, ...more] = url?.searchParams.getAll('state') ?? []
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname))
  if (!url || !isSafe || url.username !== '' || url.password !== '' || !state || more.length > 0)
    throw new CliError('The sign-in address isn’t safe to open in a browser. Nothing was done.')
  return { href: url.href, host: url.host, state }
}

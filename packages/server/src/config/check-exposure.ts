/** Beyond loopback only on purpose: with TLS or a word that says otherwise, and with the origins that browsers use. */
import { isIPv4 } from 'node:net'
import type { Config } from '@dorkos/shared'

/** Undefined when the configuration may be served; else what is missing, and what to do. */
export function checkExposure(
  config: Pick<Config, 'host' | 'tls' | 'insecureLan' | 'publicOrigins'>,
): string | undefined {
  if (isLoopback(config.host)) return undefined
  const missing: string[] = []
  if (!config.tls && !config.insecureLan) {
    missing.push(
      'set `tls` to a certificate and its key (or `insecureLan` to true, on a network that you trust or behind a proxy that speaks TLS)',
    )
  }
  if (config.publicOrigins.length === 0) {
    missing.push(
      'list the addresses that browsers use in `publicOrigins`, such as https://agents.example.org',
    )
  }
  if (missing.length === 0) return undefined
  return `host is ${JSON.stringify(config.host)}, which other machines can reach: ${missing.join(', and ')}; or use 127.0.0.1`
}

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}

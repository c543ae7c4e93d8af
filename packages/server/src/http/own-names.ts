/** The names under which this server answers: exact `host:port` pairs, and the origins of its own pages. */
import { isIPv6 } from 'node:net'

export interface ListenAddress {
  /** As configured: an address, a name, or a wildcard. */
  host: string
  /** The port that is really bound. */
  port: number
  tls: boolean
  publicOrigins: readonly string[]
}

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** Every value of the `Host` header that is right. A wildcard address adds no name: beyond loopback, names come from `publicOrigins`. */
export function ownHosts({ host, port, tls, publicOrigins }: ListenAddress): string[] {
  const isWildcard = host === '0.0.0.0' || host === '::' || host === '[::]'
  const bound = isIPv6(host) ? `[${host}]` : host.toLowerCase()
  const names = isWildcard ? loopback : [...loopback, bound]
  const standardPort = port === (tls ? 443 : 80)
  return unique([
    ...names.flatMap((name) => (standardPort ? [name, `${name}:${port}`] : [`${name}:${port}`])),
    ...publicOrigins.map((origin) => new URL(origin).host),
  ])
}

/** Origins of pages that this server itself served. */
export function ownOrigins(
  hosts: readonly string[],
  tls: boolean,
  publicOrigins: readonly string[],
): string[] {
  const elsewhere = new Set(publicOrigins.map((origin) => new URL(origin).host))
  return unique([
    ...hosts
      .filter((host) => !elsewhere.has(host))
      .map((host) => new URL(`${tls ? 'https' : 'http'}://${host}`).origin),
    ...publicOrigins.map((origin) => new URL(origin).origin),
  ])
}

function unique(values: string[]): string[] {
  return [...new Set(values)]
}

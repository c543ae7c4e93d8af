/** Where a request came from. Forwarding headers count only when a proxy from the list wrote them. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export type SourceOf = (request: IncomingMessage) => string

/** `proxies`: addresses or subnets (`10.0.0.0/8`). Throws for anything else, so that a typing fault is not an open door. */
export function createSourceOf(proxies: readonly string[]): SourceOf {
  const trusted = proxyList(proxies)
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (request) => {
    let source = plainAddress(request.socket.remoteAddress ?? '')
    if (proxies.length === 0 || isIP(source) === 0) return source
    const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
    // From the right: each hop is believed only if the one that reported it is trusted.
    for (const hop of forwarded.toReversed().slice(0, 32)) {
      const address = plainAddress(hop.trim())
      if (!isTrusted(source) || isIP(address) === 0) break
      source = address
    }
    return source
  }
}

function proxyList(proxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of proxies) {
    const [address = '', prefix] = entry.split('/')
    const plain = plainAddress(address)
    const version = isIP(plain)
    const bits = prefix === undefined ? undefined : Number(prefix)
    if (version === 0 || (bits !== undefined && !(bits >= 0 && bits <= (version === 6 ? 128 : 32)))) {
      throw new TypeError(`trustedProxies: "${entry}" is neither an address nor a subnet`)
    }
    const family = version === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(plain, family)
    else list.addSubnet(plain, bits, family)
  }
  return list
}

/** An IPv4 address that came over an IPv6 socket is written as what it is; zones and brackets go. */
function plainAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  return mapped?.[1] ?? bare
}

/** What counts as one source when attempts are limited: an IPv4 address, or the /64 that one IPv6 subscriber has. */
export function sourceKey(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail = ''] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === '' ? [] : tail.split(':')
  const missing = address.includes('::') ? 8 - front.length - back.length : 0
  const groups = [...front, ...Array<string>(Math.max(missing, 0)).fill('0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

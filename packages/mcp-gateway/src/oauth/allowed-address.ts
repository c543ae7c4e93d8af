/** Which addresses a sign-in may lead to. An MCP server is a stranger: it must not send us, or a person, into the own network. */
import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Networks that are no part of the internet. */
const inside = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  inside.addSubnet(net, prefix)
inside.addAddress('::', 'ipv6')
inside.addAddress('::1', 'ipv6')
inside.addSubnet('fc00::', 7, 'ipv6')
inside.addSubnet('fe80::', 10, 'ipv6')

export function isLoopback(url: URL): boolean {
  return isLocalName(url.hostname) || isIn(loopback, url.hostname)
}

/** Whether tokens may be sent to this MCP server at all: what is sent over plain HTTP is anybody's. */
export function isSafeServer(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

/** Why `target`, which came from `server` or from where that pointed to, is not gone to; undefined when it may be. */
export function addressFault(target: URL, server: URL): string | undefined {
  const host = target.host.slice(0, 200)
  if (target.username !== '' || target.password !== '') return `the address at ${host} holds credentials`
  const isLocal = isLoopback(server)
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && isLocal && isLoopback(target)))
    return `the address at ${host || 'another place'} is not https`
  if (isLocal || target.hostname === server.hostname) return undefined
  if (isLocalName(target.hostname) || isIn(inside, target.hostname))
    return `${host} is an address of a private network, and the MCP server is not in it`
  return undefined
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === 'localhost.'
}

function isIn(list: BlockList, hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

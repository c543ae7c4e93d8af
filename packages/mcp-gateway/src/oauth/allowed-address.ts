/** Which addresses a sign-in may lead to. An MCP server is a stranger: it must not send us, or a person, into the own network. */
import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Networks that are no part of the internet, or that carry an address of another kind within theirs. */
const inside = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(net, prefix)
for (const [net, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(net, prefix, 'ipv6')

/** Names that no server of the internet has. */
const insideName = /(^|\.)(localhost|local|internal|home\.arpa)$/

export function isLoopback(url: URL): boolean {
  const name = plainName(url)
  return name === 'localhost' || name.endsWith('.localhost') || isIn(loopback, name)
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
  if (isLocal || plainName(target) === plainName(server)) return undefined
  return isInside(plainName(target))
    ? `${host} is an address of a private network, and the MCP server is not in it`
    : undefined
}

function isInside(name: string): boolean {
  if (isIP(withoutBrackets(name)) !== 0) return isIn(inside, name)
  return !name.includes('.') || insideName.test(name)
}

/** A dot at the end changes nothing about who it is. */
function plainName({ hostname }: URL): string {
  return hostname.replace(/\.+$/, '')
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[|\]$/g, '')
}

function isIn(list: BlockList, name: string): boolean {
  const address = withoutBrackets(name)
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

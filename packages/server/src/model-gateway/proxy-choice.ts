/** Which proxy a request goes through, by the variables that people set for all their programs. Pure. */
import { BlockList, isIP } from 'node:net'

/** Its message is for people, and holds no password. */
export class ProxyError extends Error {
  readonly code = 'EPROXY'
}

export type ProxyChoice = (url: URL) => URL | undefined

/** Lower case counts first, as with other programs. The choice throws where the proxy cannot be used: to go around it would be no better. */
export function createProxyChoice(env: NodeJS.ProcessEnv): ProxyChoice {
  const isExempt = exemptions(env.no_proxy || env.NO_PROXY || '')
  return (url) => {
    if (isLoopback(url.hostname) || isExempt(url)) return undefined
    return proxyOf(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy')
  }
}

function proxyOf(env: NodeJS.ProcessEnv, name: string): URL | undefined {
  const value = env[name] || env[name.toUpperCase()]
  if (!value) return undefined
  const text = value.includes('://') ? value : `http://${value}`
  const proxy = URL.canParse(text) ? new URL(text) : undefined
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy
  const shown = proxy ? `${proxy.protocol}//${proxy.host}` : 'its value'
  throw new ProxyError(
    `${name.toUpperCase()}: ${shown} is no proxy that can be used; it must begin with http:// or https://`,
  )
}

/** This machine is never behind a proxy. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** A list of hosts, with all below them, of addresses and of ranges of those; each may have a port. `*` is all. */
function exemptions(text: string): (url: URL) => boolean {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.includes('*')) return () => true
  const hosts: { host: string; port: string | undefined }[] = []
  const addresses = new BlockList()
  for (const entry of entries) {
    const [, range = '', bits = ''] = /^(.+)\/(\d+)$/.exec(entry) ?? []
    const family = isIP(range)
    if (family !== 0 && Number(bits) <= (family === 4 ? 32 : 128))
      addresses.addSubnet(range, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
    else hosts.push(hostOf(entry.toLowerCase()))
  }
  return (url) => {
    const name = url.hostname.replace(/^\[|\]$/g, '')
    const family = isIP(name)
    if (family !== 0 && addresses.check(name, family === 4 ? 'ipv4' : 'ipv6')) return true
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    return hosts.some(
      (one) =>
        (one.port === undefined || one.port === port) && (name === one.host || name.endsWith(`.${one.host}`)),
    )
  }
}

function hostOf(entry: string): { host: string; port: string | undefined } {
  if (isIP(entry) !== 0) return { host: entry, port: undefined }
  const [, host = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return { host: host.replace(/^\*?\./, '').replace(/^\[|\]$/g, ''), port }
}

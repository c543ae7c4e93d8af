/** Connections to an `https:` host through a proxy: the proxy passes on bytes, and sees no more than the host's name. */
import { request as httpRequest } from 'node:http'
import { Agent, type AgentOptions, request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect } from 'node:tls'
import { ProxyError } from './proxy-choice.ts'

type Connected = (error: Error | null, socket?: Duplex) => void

export interface TunnelOptions extends AgentOptions {
  proxy: URL
  connectMs: number
}

export class TunnelAgent extends Agent {
  readonly #options: TunnelOptions

  constructor(options: TunnelOptions) {
    super(options)
    this.#options = options
  }

  override createConnection(target: ConnectionOptions & { port: number }, connected: Connected): undefined {
    const { proxy, connectMs, ca } = this.#options
    const host = `${target.host?.includes(':') ? `[${target.host}]` : target.host}:${target.port}`
    const ask = proxy.protocol === 'https:' ? httpsRequest : httpRequest
    const request = ask(proxy, {
      method: 'CONNECT',
      path: host,
      headers: { host, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: connectMs,
      ...(ca !== undefined && { ca }),
    })
    const fail = (reason: string, cause?: Error) => {
      request.destroy()
      connected(new ProxyError(`The proxy ${proxy.host} ${reason}`, { cause }))
    }
    request.once('connect', (answer, socket) => {
      if (answer.statusCode === 200) connected(null, connect({ ...target, socket }))
      else {
        socket.destroy()
        fail(`refused the connection to ${host} with status ${answer.statusCode}`)
      }
    })
    request.once('response', ({ statusCode }) => fail(`answered with status ${statusCode}`))
    request.once('timeout', () => fail('does not answer'))
    request.once('error', (error) => fail(`cannot be reached: ${error.message}`, error))
    request.end()
    return undefined
  }
}

/** From the name and password in the proxy's address. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Where a browser comes back to after a sign-in: a listener on this machine, for one answer. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import { readCallback, type SignInAnswer } from './read-callback.ts'

export interface CallbackListener {
  readonly redirectUri: string
  /** The answer that bears this state. Nothing else is taken, and no second one; until then all is refused. */
  answer(state: string): Promise<SignInAnswer>
  close(): void
}

const path = '/callback'

/** `port`: 0 is any that is free. Throws `CliError` for one that is taken. */
export async function listenForCallback(port: number): Promise<CallbackListener> {
  let waiting: { state: string; take: (answer: SignInAnswer) => void } | undefined
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000, maxHeaderSize: 32_768 },
    (request, response) => {
      request.resume()
      const refusal = refusalOf(request, redirectUri)
      if (refusal !== undefined) return reply(response, refusal, 'Not found.')
      const { searchParams } = new URL(request.url ?? '', redirectUri)
      const answer = waiting && readCallback(searchParams, waiting.state)
      if (!answer) return reply(response, 400, 'No sign-in is waiting for this. Start again in the terminal.')
      const { take } = waiting ?? {}
      waiting = undefined
      // The tab has its answer before the listener goes.
      response.once('close', () => take?.(answer))
      reply(response, 200, 'You can close this tab. See the terminal for the result.')
    },
  )
  server.maxConnections = 32
  const redirectUri = `http://127.0.0.1:${await listen(server, port)}${path}`
  return {
    redirectUri,
    answer: (state) =>
      new Promise((take) => {
        waiting = { state, take }
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen({ port, host: '127.0.0.1', exclusive: true })
  await once(server, 'listening').catch((error: unknown) => {
    throw new CliError(
      `Can’t listen on 127.0.0.1:${port}, where the browser returns. Free that port, or choose another with --callback-port.`,
      exitCodes.failed,
      error,
    )
  })
  const address = server.address()
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('a listener without a port')
}

/** The status to refuse it with. The host is checked since any name can be made to lead to this machine. */
function refusalOf({ method, url = '', headers }: IncomingMessage, redirectUri: string): number | undefined {
  const own = new URL(redirectUri)
  if (headers.host !== own.host) return 421
  if (method !== 'GET') return 405
  if (!URL.canParse(url, redirectUri)) return 400
  const { origin, pathname } = new URL(url, redirectUri)
  return origin === own.origin && pathname === path ? undefined : 404
}

/** Nothing of a request comes back in an answer, and no answer holds markup. */
function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(status === 405 && { allow: 'GET' }),
  })
  response.end(`${text}\n`)
}

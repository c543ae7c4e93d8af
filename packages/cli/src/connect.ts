/** Finds the server that runs, or starts one for this command alone. */
import { type ApiClient, ApiError, createApiClient, NetworkError, type Scope, scopes } from '@dorkos/shared'
import { CliError } from './cli-error.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-codes.ts'
import { Rights } from './rights.ts'
import { homeOf, readServerFile, readTerminalToken } from './server-files.ts'
import { version } from './version.ts'

export interface Connection {
  readonly client: ApiClient
  readonly url: string
  readonly rights: Rights
  /** The server was started by this command, and ends with it. */
  readonly isOwn: boolean
  /** Hands rights back, and ends the server if it is this command's own; `graceMs: 0` at once. */
  close(options?: { graceMs?: number }): Promise<void>
}

/** The running server. Throws `CliError` with what to do when there is none. */
export async function connect(context: CliContext): Promise<Connection> {
  const found = await findRunning(context)
  if (found) return found
  throw new CliError(
    `No server is running for ${homeOf(context.env)}. Start one with \`dorkos serve\`.`,
    exitCodes.connection,
  )
}

/** The running server, or one of this command's own on any free port. */
export async function connectOrStart(context: CliContext, cwd: string): Promise<Connection> {
  return (await findRunning(context)) ?? (await startOwn(context, cwd))
}

async function findRunning(context: CliContext): Promise<Connection | undefined> {
  const home = homeOf(context.env)
  const file = readServerFile(home)
  if (!file) return undefined
  const health = await createApiClient({ baseUrl: file.url })
    .getHealth({ signal: AbortSignal.timeout(5000) })
    .catch((error: unknown) => {
      throw new CliError(
        `The server of ${home} (process ${file.pid}) doesn’t respond at ${file.url}. See its log in ${home}/logs, or run \`dorkos doctor\`.`,
        exitCodes.connection,
        error,
      )
    })
  if (health.version !== version) {
    context.stderr.write(
      `The server is version ${health.version}, but this command is ${version}. Restart the server.\n`,
    )
  }
  const given = context.env.DORKOS_TOKEN?.trim()
  const rights = given ? await rightsOfVariable(file.url, given) : rightsOfTerminal(file.url, home)
  return {
    client: createApiClient({ baseUrl: file.url, token: rights.token }),
    url: file.url,
    rights,
    isOwn: false,
    close: () => rights.handBack(),
  }
}

function rightsOfTerminal(url: string, home: string): Rights {
  if (readTerminalToken(home) === undefined) {
    throw new CliError(
      `The server is running, but ${home}/cli-token can’t be read. Run this command as the user who started the server, or set DORKOS_TOKEN.`,
    )
  }
  return new Rights({
    url,
    token: () => readTerminalToken(home),
    scopes: ['read', 'chat'],
    isIssued: false,
  })
}

/** Asks the server what the token may do, so that nobody is asked for a code that is not needed. */
async function rightsOfVariable(url: string, token: string): Promise<Rights> {
  const may = await scopesOf(url, token).catch((error: unknown) => {
    if (!(error instanceof ApiError) || !['unauthenticated', 'forbidden'].includes(error.code)) throw error
    throw new CliError(
      error.code === 'forbidden'
        ? 'Every command needs the `read` scope, and the token in DORKOS_TOKEN doesn’t have it.'
        : 'The token in DORKOS_TOKEN is unknown, revoked or expired. Unset the variable, then create a new token with `dorkos token create`.',
      exitCodes.failed,
      error,
    )
  })
  return new Rights({ url, token: () => token, scopes: may, isIssued: false })
}

async function scopesOf(url: string, token: string): Promise<readonly Scope[]> {
  // Such text cannot stand in a header, and the error would repeat it.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CliError('DORKOS_TOKEN isn’t a token. Create one with `dorkos token create`.', exitCodes.usage)
  const client = createApiClient({ baseUrl: url, token })
  return (await client.getCurrentToken({ signal: AbortSignal.timeout(5000) })).scopes
}

async function startOwn(context: CliContext, cwd: string): Promise<Connection> {
  const { startServer } = await import('@dorkos/server')
  // What is for a server that stays is not used up by one that ends with this command, whose session is about to start.
  const { DORKOS_TOKEN: _, DORKOS_SIGN_IN_CODE: __, DORKOS_SIGN_IN_CODE_FILE: ___, ...own } = context.env
  const env = { ...own, DORKOS_SPARE_PROCESSES: '0' }
  const server = await startServer({ env, flags: { '--port': '0' }, cwd })
  for (const { level, message } of server.banners()) {
    context.stderr.write(`${level === 'info' ? '' : '! '}${message}\n`)
  }
  const token = await server.ownToken()
  const rights = new Rights({ url: server.url, token: () => token, scopes, isIssued: true })
  return {
    client: createApiClient({ baseUrl: server.url, token }),
    url: server.url,
    rights,
    isOwn: true,
    async close(options) {
      await rights.handBack()
      await server.close(options)
    },
  }
}

/** What went wrong with a request, for people, and how the command ends. */
export function describeFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof CliError) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof NetworkError) return { message: error.message, exitCode: exitCodes.connection }
  if (error instanceof ApiError) {
    const reference = error.reference === undefined ? '' : ` (in the server’s log: ${error.reference})`
    const faults = faultsOf(error.details)
    return {
      message: [`${error.message}${reference}`, ...faults].join('\n'),
      exitCode: error.code === 'invalid_request' ? exitCodes.usage : exitCodes.failed,
    }
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { message, exitCode: name === 'ConfigError' ? exitCodes.usage : exitCodes.failed }
}

function faultsOf(details: unknown): string[] {
  if (!Array.isArray(details)) return []
  return details.flatMap((fault: unknown) => {
    if (typeof fault !== 'object' || fault === null || !('message' in fault)) return []
    const path = 'path' in fault && fault.path ? `${String(fault.path)}: ` : ''
    return [`  ${path}${String(fault.message)}`]
  })
}

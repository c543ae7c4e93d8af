/** `dorkos token create | list | revoke`: needs the right to administer, which a code gives. */
import { type Scope, scopes, type Token } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import { type Connection, connect } from '../connect.ts'
import { type CliContext, columnsOf } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type CodeFlag, readCode } from '../read-code.ts'
import { createTerminalView } from '../session/terminal-view.ts'
import { formatAge } from '../terminal/amounts.ts'
import { oneLine, safeJson } from '../terminal/escape.ts'
import { styleOf } from '../terminal/style.ts'
import { type Column, renderTable } from '../terminal/table.ts'

export interface TokenFlags {
  code?: CodeFlag
  json?: boolean
}

export async function createToken(
  context: CliContext,
  flags: TokenFlags & { name: string; scopes: Scope[]; expiresInDays?: number },
): Promise<ExitCode> {
  return withAdmin(context, flags, async ({ client }) => {
    const issued = await client.createToken({
      body: {
        name: flags.name,
        scopes: flags.scopes,
        ...(flags.expiresInDays !== undefined && { expires_in_days: flags.expiresInDays }),
      },
    })
    if (flags.json) context.stdout.write(`${safeJson(issued)}\n`)
    else {
      context.stderr.write(
        `Token ${issued.token.id} (${issued.token.scopes.join(', ')}). It’s only shown once:\n`,
      )
      context.stdout.write(`${issued.secret}\n`)
    }
  })
}

export async function listTokens(
  context: CliContext,
  flags: TokenFlags & { all?: boolean },
): Promise<ExitCode> {
  return withAdmin(context, flags, async ({ client }) => {
    const now = Date.now()
    const { tokens } = await client.listTokens()
    const shown = tokens.filter((token) => flags.all || (isValid(token, now) && !token.current))
    const { stdout, env } = context
    if (flags.json) for (const token of shown) stdout.write(`${safeJson(token)}\n`)
    else
      stdout.write(
        `${renderTable(shown, tokenColumns(now), columnsOf(stdout), styleOf(stdout, env)).join('\n')}\n`,
      )
  })
}

export async function revokeToken(context: CliContext, id: string, flags: TokenFlags): Promise<ExitCode> {
  return withAdmin(context, flags, async ({ client }) => {
    if (!/^tok_[0-9a-z]+$/.test(id)) {
      throw new CliError(
        `${oneLine(id, 60)} isn’t a token id; \`dorkos token list\` shows them.`,
        exitCodes.usage,
      )
    }
    await client.revokeToken({ params: { id } })
    context.stderr.write(`Token ${id} revoked.\n`)
  })
}

/** `read,chat` or `read chat`. Throws `CliError` for a scope that does not exist. */
export function readScopes(text: string): Scope[] {
  const wanted = text.split(/[\s,]+/).filter((word) => word !== '')
  const unknown = wanted.filter((word) => !scopes.some((scope) => scope === word))
  if (unknown.length > 0 || wanted.length === 0) {
    throw new CliError(`--scopes takes any of ${scopes.join(', ')}, separated by commas.`, exitCodes.usage)
  }
  return scopes.filter((scope) => wanted.includes(scope))
}

function tokenColumns(now: number): Column<Token>[] {
  return [
    { title: 'ID', value: ({ id }) => id },
    { title: 'KIND', value: ({ kind }) => kind },
    { title: 'SCOPES', value: (token) => token.scopes.join(',') },
    {
      title: 'USED',
      value: ({ last_used_at }) => (last_used_at === undefined ? '' : formatAge(last_used_at, now)),
    },
    { title: 'STATE', value: (token) => stateOf(token, now) },
    { title: 'NAME', value: ({ name }) => name, grows: true },
  ]
}

function isValid(token: Token, now: number): boolean {
  return stateOf(token, now) === 'valid'
}

function stateOf({ revoked_at, expires_at }: Token, now: number): 'valid' | 'revoked' | 'expired' {
  if (revoked_at !== undefined) return 'revoked'
  return expires_at !== undefined && Date.parse(expires_at) <= now ? 'expired' : 'valid'
}

async function withAdmin(
  context: CliContext,
  flags: TokenFlags,
  work: (connection: Connection) => Promise<void>,
): Promise<ExitCode> {
  const code = await readCode(context, flags.code)
  const connection = await connect(context)
  try {
    await signIn(context, connection, code)
    await work(connection)
    return exitCodes.completed
  } finally {
    await connection.close()
  }
}

async function signIn(context: CliContext, { rights }: Connection, code: string | undefined): Promise<void> {
  if (code !== undefined) return rights.redeem(code)
  if (rights.canAdminister) return
  const { asker, notify } = createTerminalView(context, {
    stream: false,
    quiet: false,
    mayAsk: true,
    onInterrupt: () => process.exit(exitCodes.interrupted),
  })
  if (asker && (await rights.askForCode({ asker, notify, purpose: 'To manage tokens' }))) return
  throw new CliError(
    'Managing tokens needs a code: press c and Enter in the server’s terminal, or create one on a signed-in page, and pass it on standard input with `--code -`. Or set DORKOS_TOKEN to a token with the admin scope.',
  )
}

/** Finds the session that a person means, by its id or by the beginning of it. */
import type { ApiClient, Session } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { oneLine } from '../terminal/escape.ts'

const whole = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Throws `CliError` when there is none, or more than one. */
export async function chooseSession(client: ApiClient, text: string): Promise<Session> {
  const prefix = text.trim().toLowerCase()
  if (!/^[0-9a-f-]+$/.test(prefix)) {
    throw new CliError(
      `${oneLine(text, 60)} isn’t a session id; \`dorkos sessions list\` shows them.`,
      exitCodes.usage,
    )
  }
  if (whole.test(prefix)) return client.getSession({ params: { id: prefix } })
  const found = await findAll(client, prefix)
  const [only] = found
  if (only && found.length === 1) return only
  throw new CliError(
    only
      ? `${prefix} matches ${found.length} ids: ${found.map(({ id }) => id).join(', ')}.`
      : `No session id starts with ${prefix}; \`dorkos sessions list\` shows them.`,
    exitCodes.usage,
  )
}

async function findAll(client: ApiClient, prefix: string): Promise<Session[]> {
  const found: Session[] = []
  for await (const session of allSessions(client, {})) if (session.id.startsWith(prefix)) found.push(session)
  return found
}

type Filter = Omit<
  NonNullable<NonNullable<Parameters<ApiClient['listSessions']>[0]>['query']>,
  'cursor' | 'limit'
>

/** Every session, newest first, page after page. */
export async function* allSessions(client: ApiClient, filter: Filter): AsyncGenerator<Session> {
  let cursor: string | undefined
  do {
    const page = await client.listSessions({
      query: { ...filter, limit: 200, ...(cursor !== undefined && { cursor }) },
    })
    yield* page.sessions
    cursor = page.cursor
  } while (cursor !== undefined)
}

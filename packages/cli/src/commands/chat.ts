/** `dorkos chat` and `dorkos attach`: a session on the terminal, to talk with. */
import { randomUUID } from 'node:crypto'
import { type Connection, connect, connectOrStart } from '../connect.ts'
import { type CliContext, isInteractive } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { type CodeFlag, readCode } from '../read-code.ts'
import { chatLoop } from '../session/chat-loop.ts'
import { chooseSession } from '../session/choose-session.ts'
import { confirmFolder } from '../session/confirm-folder.ts'
import { directoryOf, openSession, type SessionFlags } from '../session/session-settings.ts'
import { createTerminalView } from '../session/terminal-view.ts'
import { watchSession } from '../session/watch-session.ts'
import { withRights } from '../session/with-rights.ts'

export interface ChatFlags extends SessionFlags {
  code?: CodeFlag
}

const shownHistory = 20

export async function chat(context: CliContext, flags: ChatFlags): Promise<ExitCode> {
  const code = await readCode(context, flags.code)
  const connection = await connectOrStart(context, directoryOf(context, flags))
  return closing(connection, async () => {
    if (code !== undefined) await connection.rights.redeem(code)
    const view = createTerminalView(context, {
      stream: false,
      quiet: false,
      mayAsk: true,
      onInterrupt: () => undefined,
    })
    const key = randomUUID()
    const session = await withRights(connection.rights, view, () =>
      openSession(connection.client, context, flags, key),
    )
    if (session.demo && !connection.isOwn) view.notify('You’re talking to the demo model, not Claude.\n')
    await confirmFolder(connection, view, session)
    view.notify(view.style.dim(`session ${session.id} in ${session.cwd}; /help lists commands`).concat('\n'))
    const history = flags.session === undefined ? 0 : shownHistory
    return chatLoop(context, { connection, session, history })
  })
}

export interface AttachFlags {
  json?: boolean
  code?: CodeFlag
  history?: number
}

/** Without a terminal, or with `--json`, it only shows. */
export async function attach(context: CliContext, id: string, flags: AttachFlags): Promise<ExitCode> {
  const code = await readCode(context, flags.code)
  const connection = await connect(context)
  return closing(connection, async () => {
    if (code !== undefined) await connection.rights.redeem(code)
    const session = await chooseSession(connection.client, id)
    const history = flags.history ?? shownHistory
    if (!flags.json && isInteractive(context)) return chatLoop(context, { connection, session, history })
    await watchSession(context, connection, session, { json: flags.json === true, history })
    return exitCodes.completed
  })
}

async function closing<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await connection.close()
  }
}

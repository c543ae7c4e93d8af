/** Shows a session to whoever reads the output, until it is stopped. */
import type { Session } from '@dorkos/shared'
import type { Connection } from '../connect.ts'
import type { CliContext } from '../context.ts'
import { safeJson } from '../terminal/escape.ts'
import { Conversation } from './conversation.ts'
import { StopControl } from './stop-control.ts'
import { createTerminalView } from './terminal-view.ts'

export async function watchSession(
  context: CliContext,
  connection: Connection,
  session: Session,
  { json, history }: { json: boolean; history: number },
): Promise<void> {
  const stop = new StopControl(context)
  const view = createTerminalView(context, {
    stream: true,
    quiet: json,
    mayAsk: false,
    isOwn: () => false,
    onInterrupt: () => stop.stop(),
  })
  const conversation = new Conversation({
    connection,
    view,
    sessionId: session.id,
    history,
    onEvent: (event) => (json ? context.stdout.write(`${safeJson(event)}\n`) : view.printer.print(event)),
    onWork: () => undefined,
    ...(context.reconnectMs !== undefined && { reconnectMs: context.reconnectMs }),
  })
  try {
    await Promise.race([stop.quit, conversation.ended])
  } finally {
    conversation.close()
    stop.close()
    view.printer.endLine()
  }
}

import type { Session } from '@dorkos/shared'
import type { Connection } from '../connect.ts'
import { oneLine } from '../terminal/escape.ts'
import type { TerminalView } from './terminal-view.ts'
import { withRights } from './with-rights.ts'

/** Asks whether agents may work in the session's folder, where nobody has said so yet; without an answer, every call asks. */
export async function confirmFolder(
  { client, rights }: Pick<Connection, 'client' | 'rights'>,
  view: TerminalView,
  session: Session,
): Promise<void> {
  if (!session.needs_folder_confirmation) return
  const { asker, notify } = view
  notify(`${oneLine(session.cwd)} isn’t in a workspace. Every call asks until someone confirms the folder.\n`)
  if (!asker) {
    notify(
      'Confirm the folder on the session’s page, run this in a terminal, or use a token with the approve scope (DORKOS_TOKEN, or a code with --code -).\n',
    )
    return
  }
  const answer = await asker.ask('Confirm the folder? [y] yes  [Enter] not now > ')
  if (answer?.trim().toLowerCase() !== 'y') return
  await withRights(rights, view, () => client.confirmFolder({ params: { id: session.id }, body: {} }))
}

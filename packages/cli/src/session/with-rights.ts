import { ApiError } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import type { Rights } from '../rights.ts'
import { safeText } from '../terminal/escape.ts'
import type { TerminalView } from './terminal-view.ts'

/** Does something that may need more rights than the terminal has; asks for a code then, where there is somebody to ask. */
export async function withRights<T>(
  rights: Rights,
  { asker, notify }: Pick<TerminalView, 'asker' | 'notify'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error
    if (rights.canApprove && rights.canAdminister) throw error
    notify(`${safeText(error.message)}\n`)
    const isGiven = asker && (await rights.askForCode({ asker, notify, purpose: 'For this' }))
    if (isGiven) return await work()
    throw new CliError(
      'This terminal doesn’t have the permission for this. Set DORKOS_TOKEN to a token that does (`dorkos token create`), or pass a code as the first line of standard input with `--code -`. Get one from the server’s terminal (press c) or a signed-in page.',
    )
  }
}

import { setTimeout } from 'node:timers/promises'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import type { CallbackListener } from './callback-listener.ts'
import { type McpCommand, stopped } from './mcp-command.ts'
import { readCallback, type SignInAnswer } from './read-callback.ts'
import type { SignInAddress } from './sign-in-address.ts'

/** As long as the server remembers that somebody began. */
const longestMs = 600_000
/** A browser that cannot be started has said so by then. */
const startMs = 1000

type Terminal = Pick<McpCommand, 'asker' | 'notify' | 'signal'> & { context: Pick<CliContext, 'openBrowser'> }

/**
 * What the browser comes back with: to the listener, or by hand from another machine. Throws `CliError` where nothing comes, and
 * the signal's reason on Ctrl-C.
 */
export async function waitForAnswer(
  terminal: Terminal,
  listener: CallbackListener,
  address: SignInAddress,
  waitMs = longestMs,
): Promise<SignInAnswer> {
  const over = new AbortController()
  const came = listener.answer(address.state)
  const typed = askForAnswer(terminal, listener, address, over.signal)
  try {
    return await Promise.race([
      came,
      // Without input there is still the listener.
      typed.then((answer) => answer ?? came),
      tooLate(waitMs, over.signal),
      stopped(terminal.signal),
    ])
  } finally {
    over.abort()
    await typed
  }
}

async function tooLate(waitMs: number, signal: AbortSignal): Promise<never> {
  await setTimeout(waitMs, undefined, { signal })
  throw new CliError('The sign-in took too long. Run the command again for a new address.')
}

/** Enter opens a browser; an address is what one ended at. Undefined where nobody says more. */
async function askForAnswer(
  { asker, notify, context }: Terminal,
  { redirectUri }: CallbackListener,
  { href, state }: SignInAddress,
  signal: AbortSignal,
): Promise<SignInAnswer | undefined> {
  const prompt = context.openBrowser ? '[Enter] open it in a browser > ' : 'Waiting for the browser > '
  for (;;) {
    const line = (await asker?.ask(prompt, { signal }))?.trim()
    if (line === undefined) return undefined
    if (line === '') {
      const isOpen = await Promise.race([
        context.openBrowser?.(href),
        setTimeout(startMs, true, { signal }).catch(() => true),
      ])
      if (isOpen === false) notify('Couldn’t start a browser here. Open the address yourself.\n')
      continue
    }
    const url = URL.canParse(line) ? new URL(line) : undefined
    const isHere = url !== undefined && `${url.origin}${url.pathname}` === redirectUri
    const answer = isHere ? readCallback(url.searchParams, state) : undefined
    if (answer) return answer
    notify(`That isn’t the right address. It starts with ${redirectUri}?\n`)
  }
}

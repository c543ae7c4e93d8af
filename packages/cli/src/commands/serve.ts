/** `dorkos serve`: runs the server until it is stopped. */
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import type { RunningServer } from '@dorkos/server'
import { createApiClient } from '@dorkos/shared'
import { type CliContext, isInteractive, type OutputStream } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { readTerminalToken } from '../server-files.ts'
import { oneLine } from '../terminal/escape.ts'
import { type Style, styleOf } from '../terminal/style.ts'

export interface ServeFlags {
  quiet: boolean
  /** By the flag's name, as the server takes them. */
  config: Record<string, string | boolean>
}

export async function serve(context: CliContext, { quiet, config }: ServeFlags): Promise<ExitCode> {
  const { stdout, stderr } = context
  // What is for one person's eyes goes to a terminal only: a file or a service's log must not hold it.
  const screen = [stdout, stderr].find(({ isTTY }) => isTTY === true)
  const stopping = new Stopping(context)
  try {
    const { startServer } = await import('@dorkos/server')
    const server = await startServer({
      env: context.env,
      flags: config,
      cwd: context.cwd,
      ...(stdout.isTTY || quiet ? {} : { logTo: stdout }),
    })
    // From here on as V8 has it: `bin/dorkos.mjs` kept the room for what is new small while the server was loaded.
    setFlagsFromString('--semi-space-growth-factor=2')
    if (screen && !quiet) screen.write(await greeting(server, styleOf(screen, context.env)))
    if (!screen && !quiet) stderr.write(withoutTerminal(server))
    const stopKeys = screen && isInteractive(context) ? listenForKeys(context, screen, server) : () => {}
    await stopping.asked
    stopKeys()
    await stopping.drain(server, quiet)
    return exitCodes.completed
  } finally {
    stopping.close()
  }
}

async function greeting(
  server: Pick<RunningServer, 'url' | 'logFile' | 'banners' | 'signInLink'>,
  style: Style,
): Promise<string> {
  const banners = server.banners().map(({ level, message }) => {
    const paint = level === 'danger' ? style.red : level === 'warning' ? style.yellow : style.cyan
    return paint(`${level === 'info' ? 'i' : '!'} ${oneLine(message)}`)
  })
  return `${[
    `${style.bold('DorkOS')} listens on ${style.bold(server.url)}`,
    '',
    'Open this link to sign in your browser (works once, for ten minutes):',
    `  ${await server.signInLink()}`,
    '',
    ...banners,
    ...(banners.length > 0 ? [''] : []),
    style.dim(`Log: ${server.logFile}`),
    style.dim('c + Enter: code for another browser or terminal.  l + Enter: new link.  Ctrl-C: stop.'),
  ].join('\n')}\n`
}

function withoutTerminal({ url }: Pick<RunningServer, 'url'>): string {
  return `DorkOS listens on ${url}
There’s no terminal here, so no sign-in link is shown: it would end up in a log. To sign in a browser, run \`dorkos code\` in a
terminal as this user, or create a code under Devices on a signed-in page.
`
}

/** The terminal stays as it is: Ctrl-C is a signal, and keys come with Enter. */
function listenForKeys({ stdin }: CliContext, screen: OutputStream, server: RunningServer): () => void {
  const lines = createInterface({ input: stdin, terminal: false })
  lines.on('line', async (line) => {
    try {
      screen.write(await answerKey(line, server))
    } catch (error) {
      screen.write(`${error instanceof Error ? error.message : String(error)}\n`)
    }
  })
  return () => lines.close()
}

async function answerKey(
  line: string,
  server: Pick<RunningServer, 'pairingCode' | 'signInLink'>,
): Promise<string> {
  switch (line.trim().toLowerCase()) {
    case 'c': {
      const { code, expires_at } = await server.pairingCode()
      return `Code: ${code}  (works once, expires at ${new Date(expires_at).toLocaleTimeString()}; anyone who has it can do everything you can)\n`
    }
    case 'l':
      return `Link: ${await server.signInLink()}\n`
    case '':
      return ''
    default:
      return 'C: code for another browser or terminal.  L: new sign-in link.  Ctrl-C: stop.\n'
  }
}

/** The first signal drains, the second ends at once, a third leaves everything as it is. */
class Stopping {
  readonly #context: CliContext
  readonly #off: () => void
  #count = 0
  #server: RunningServer | undefined
  #ask: () => void = () => undefined
  readonly asked: Promise<void>

  constructor(context: CliContext) {
    this.#context = context
    this.asked = new Promise((resolve) => {
      this.#ask = resolve
    })
    this.#off = context.onStop(() => this.#signal())
  }

  async drain(server: RunningServer, quiet: boolean): Promise<void> {
    this.#server = server
    const working = await workingCount(server)
    if (!quiet) {
      const turns = working === 1 ? '1 turn' : `${working} turns`
      this.#context.stderr.write(
        working > 0 ? `Finishing ${turns}… press again to stop immediately.\n` : 'Stopping…\n',
      )
    }
    await server.close(this.#count > 1 ? { graceMs: 0 } : undefined)
  }

  close(): void {
    this.#off()
  }

  #signal(): void {
    this.#count++
    this.#ask()
    if (this.#count === 2) void this.#server?.close({ graceMs: 0 }).catch(() => undefined)
    if (this.#count > 2) process.exit(exitCodes.failed)
  }
}

async function workingCount({ url, home }: RunningServer): Promise<number> {
  const token = readTerminalToken(home)
  if (token === undefined) return 0
  return createApiClient({ baseUrl: url, token })
    .getStatus({ signal: AbortSignal.timeout(1000) })
    .then(
      ({ sessions }) => sessions.working,
      () => 0,
    )
}

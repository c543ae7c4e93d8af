/** What the `dorkos mcp …` commands have in common: the server, the workspace, rights, questions, and Ctrl-C. */
import { once } from 'node:events'
import type { ApiClient, Workspace } from '@dorkos/shared'
import { CliError } from '../../cli-error.ts'
import { connect } from '../../connect.ts'
import { type CliContext, isInteractive } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { type CodeFlag, readCode } from '../../read-code.ts'
import { chooseWorkspace } from '../../session/choose-workspace.ts'
import { withRights } from '../../session/with-rights.ts'
import { createCodeAsker } from '../../terminal/code-asker.ts'
import { oneLine, safeJson } from '../../terminal/escape.ts'
import { type Asker, createLineAsker } from '../../terminal/line-asker.ts'
import { type Style, styleOf } from '../../terminal/style.ts'

export interface McpFlags {
  workspace?: string
  json?: boolean
  code?: CodeFlag
}

export interface McpCommand {
  readonly context: CliContext
  readonly client: ApiClient
  /** Of standard output. */
  readonly style: Style
  /** Absent where nobody can be asked. */
  readonly asker: Asker | undefined
  /** Ctrl-C. */
  readonly signal: AbortSignal
  /** Text with line ends, to standard output. */
  print(text: string): void
  printJson(value: unknown): void
  /** To standard error. */
  notify(text: string): void
  /** Does what needs the scope `admin`: asks for a code where this terminal may not. */
  asAdmin<T>(work: () => Promise<T>): Promise<T>
  /** Gets that right now; where nobody gives it, what is asked for next is refused. */
  signIn(): Promise<void>
  workspace(wanted: string | undefined): Promise<Workspace>
  /** For work that has the terminal to itself, such as an editor: Ctrl-C is meant for that. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>
}

export async function runMcpCommand(
  context: CliContext,
  flags: Pick<McpFlags, 'code'>,
  work: (command: McpCommand) => Promise<ExitCode>,
): Promise<ExitCode> {
  const code = await readCode(context, flags.code)
  const connection = await connect(context)
  const { stop, stopListening, lendTerminal } = listenForStop(context)
  const { client, rights } = connection
  const { stdout, stderr, stdin, env, cwd } = context
  const onInterrupt = () => stop.abort()
  const asker = isInteractive(context)
    ? stoppable(createLineAsker({ input: stdin, output: stderr, onInterrupt }), stop.signal)
    : undefined
  const elsewhere = asker ? undefined : createCodeAsker(context, onInterrupt)
  const codeAsker = elsewhere ? stoppable(elsewhere, stop.signal) : asker
  const notify = (text: string) => void stderr.write(text)
  try {
    if (code !== undefined) await rights.redeem(code)
    return await work({
      context,
      client,
      style: styleOf(stdout, env),
      asker,
      signal: stop.signal,
      print: (text) => void stdout.write(text),
      printJson: (value) => void stdout.write(`${safeJson(value)}\n`),
      notify,
      asAdmin: (request) => withRights(rights, { asker: codeAsker, notify }, request),
      async signIn() {
        if (!rights.canAdminister && asker) await rights.askForCode({ asker, notify, purpose: 'For this' })
      },
      workspace: (wanted) => chooseWorkspace(client, wanted, cwd),
      lendTerminal,
    })
  } catch (error) {
    if (stop.signal.aborted) return exitCodes.interrupted
    throw error
  } finally {
    stopListening()
    await connection.close()
  }
}

function listenForStop({ onStop }: CliContext) {
  const stop = new AbortController()
  let isLent = false
  const stopListening = onStop((signal) => {
    if (signal !== 'SIGINT' || !isLent) stop.abort()
  })
  const lendTerminal: McpCommand['lendTerminal'] = async (work) => {
    isLent = true
    try {
      return await work()
    } finally {
      isLent = false
    }
  }
  return { stop, stopListening, lendTerminal }
}

function stoppable(asker: Asker, stop: AbortSignal): Asker {
  return {
    ask: (prompt, { signal, ...rest } = {}) =>
      asker.ask(prompt, { ...rest, signal: signal ? AbortSignal.any([signal, stop]) : stop }),
  }
}

/** Never gives anything, but throws on Ctrl-C: to be raced against what would not notice it. */
export async function stopped(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

/** Only `y` and `yes` agree. */
export async function agree({ asker }: McpCommand, question: string): Promise<boolean> {
  const line = await asker?.ask(`${question} [y] yes  [Enter] no > `)
  return line !== undefined && /^y(es)?$/i.test(line.trim())
}

/** A name that goes into an address as it is. Whether there is such a server, the API says. */
export function checkedName(name: string): string {
  if (name.length > 0 && name.length <= 128 && !/^\.{1,2}$/.test(name)) return name
  throw new CliError(
    `${oneLine(name, 60) || 'Nothing'} isn’t the name of an MCP server; \`dorkos mcp list\` shows them.`,
    exitCodes.usage,
  )
}

/** `dorkos run`: one message, its turn, and an exit code that says how it went. */
import { randomUUID } from 'node:crypto'
import { CliError } from '../cli-error.ts'
import { type Connection, connectOrStart } from '../connect.ts'
import { type CliContext, isInteractive } from '../context.ts'
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.ts'
import { type CodeFlag, readCode } from '../read-code.ts'
import { readInput } from '../read-input.ts'
import { confirmFolder } from '../session/confirm-folder.ts'
import { PromptTurn } from '../session/prompt-turn.ts'
import { directoryOf, openSession, type SessionFlags } from '../session/session-settings.ts'
import { StopControl } from '../session/stop-control.ts'
import { createTerminalView, type TerminalView } from '../session/terminal-view.ts'
import type { TurnResult } from '../session/turn-watch.ts'
import { withRights } from '../session/with-rights.ts'
import { safeJson, safeText } from '../terminal/escape.ts'

export interface RunFlags extends SessionFlags {
  json?: boolean
  /** False with `--no-stream`. */
  stream?: boolean
  code?: CodeFlag
}

export async function run(context: CliContext, words: readonly string[], flags: RunFlags): Promise<ExitCode> {
  const code = await readCode(context, flags.code)
  const prompt = await readPrompt(context, words)
  const cwd = directoryOf(context, flags)
  const stop = new StopControl(context)
  try {
    const connection = await connectOrStart(context, cwd)
    try {
      if (stop.isQuitting) return exitCodes.interrupted
      if (code !== undefined) await connection.rights.redeem(code)
      return await runPrompt(context, connection, prompt, flags, stop)
    } finally {
      await connection.close(stop.isQuitting ? { graceMs: 0 } : undefined)
    }
  } finally {
    stop.close()
  }
}

async function runPrompt(
  context: CliContext,
  connection: Connection,
  prompt: string,
  flags: RunFlags,
  stop: StopControl,
): Promise<ExitCode> {
  const json = flags.json === true
  const view = createTerminalView(context, {
    stream: flags.stream !== false && !json,
    quiet: json,
    mayAsk: !json,
    onInterrupt: () => stop.stop(),
  })
  const wanted = { ...flags, unattended: isUnattended(context, connection, view, flags) }
  const key = randomUUID()
  const session = await withRights(connection.rights, view, () =>
    openSession(connection.client, context, wanted, key),
  )
  if (session.demo && !connection.isOwn) view.notify('You’re talking to the demo model, not Claude.\n')
  if (!session.unattended) await confirmFolder(connection, view, session)
  const turn = new PromptTurn({
    connection,
    view,
    sessionId: session.id,
    unattended: session.unattended,
    onEvent: (event) => (json ? context.stdout.write(`${safeJson(event)}\n`) : view.printer.print(event)),
    ...(context.reconnectMs !== undefined && { reconnectMs: context.reconnectMs }),
  })
  stop.onFirst(() => {
    view.notify('Stopping… (press again to quit immediately)\n')
    turn.interrupt()
  })
  const result = await Promise.race([turn.run(prompt), stop.quit.then(() => undefined)])
  turn.close()
  view.printer.endLine()
  const exitCode = result ? exitCodeOf(result.outcome, result.denied) : exitCodes.interrupted
  report(context, view, { flags, sessionId: session.id, turnId: turn.turnId, result, exitCode })
  return exitCode
}

/**
 * Nobody could ever answer on a server of the command's own when there is no terminal: the turn would hang until the
 * deadline of its first approval.
 */
function isUnattended(
  context: CliContext,
  connection: Connection,
  view: TerminalView,
  flags: RunFlags,
): boolean {
  if (flags.unattended) return true
  const canBeAsked = isInteractive(context) && !flags.json
  if (!connection.isOwn || canBeAsked) return false
  view.notify('There’s no terminal to ask on, so anything that needs an approval is denied.\n')
  return true
}

interface Report {
  flags: RunFlags
  sessionId: string
  turnId: string | undefined
  result: TurnResult | undefined
  exitCode: ExitCode
}

function report(
  context: CliContext,
  view: TerminalView,
  { flags, sessionId, turnId, result, exitCode }: Report,
): void {
  if (flags.json) {
    const line = {
      type: 'result',
      session_id: sessionId,
      turn_id: turnId,
      outcome: result?.outcome ?? 'interrupted',
      reason: result?.reason,
      reason_code: result?.reasonCode,
      text: result?.text ?? '',
      denied: result?.denied ?? 0,
      usd: result?.usd,
      duration_ms: result?.durationMs,
      structured_output: result?.structuredOutput,
      exit_code: exitCode,
    }
    context.stdout.write(`${safeJson(line)}\n`)
    return
  }
  if (flags.stream === false && result?.text) context.stdout.write(`${safeText(result.text).trimEnd()}\n`)
  view.printer.line(view.style.dim(`session ${sessionId}`))
}

/** The words of the command line; `-`, or nothing where there is no terminal, reads standard input. */
async function readPrompt(context: CliContext, words: readonly string[]): Promise<string> {
  const given = words.join(' ')
  const fromInput = given === '-' || (given === '' && context.stdin.isTTY !== true)
  const prompt = (fromInput ? await readInput(context) : given).trim()
  if (prompt === '') throw new CliError('Enter a prompt: dorkos run "<prompt>"', exitCodes.usage)
  return prompt
}

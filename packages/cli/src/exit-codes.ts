/** What the command's exit code means. Part of its contract: scripts rely on these. */
import type { TurnOutcome } from '@dorkos/shared'

export const exitCodes = {
  completed: 0,
  /** The turn failed, or the command itself did. */
  failed: 1,
  /** Wrong arguments, or a fault in the configuration. */
  usage: 2,
  interrupted: 3,
  /** The turn completed, but something that the agent wanted to do was denied. */
  denied: 4,
  /** The budget or the limit of steps ended the turn. */
  limit: 5,
  /** No server answers, or it went away and did not come back. */
  connection: 6,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const ofOutcome: Record<TurnOutcome, ExitCode> = {
  completed: exitCodes.completed,
  joined: exitCodes.completed,
  interrupted: exitCodes.interrupted,
  withdrawn: exitCodes.interrupted,
  failed: exitCodes.failed,
  structured_output_failed: exitCodes.failed,
  unconfirmed: exitCodes.failed,
  max_turns: exitCodes.limit,
  budget: exitCodes.limit,
}

/** `denied`: how many tool calls of the turn were denied. An outcome that a newer server invents counts as failed. */
export function exitCodeOf(outcome: TurnOutcome, denied: number): ExitCode {
  const code = ofOutcome[outcome] ?? exitCodes.failed
  return code === exitCodes.completed && denied > 0 ? exitCodes.denied : code
}

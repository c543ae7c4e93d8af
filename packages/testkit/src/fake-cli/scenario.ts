/** A scenario: what a fake CLI does, as plain JSON. The builder functions are in steps.ts. */

import type { DisorderOptions } from './disorder.ts'

export type JsonObject = Record<string, unknown>

/** Text as an assistant message. `{prompt}` in it stands for what the model was put. */
export interface SayStep {
  verb: 'say'
  text: string
  /** Also as stream_event deltas. Without it: as the `--include-partial-messages` argument says. */
  partial?: boolean
}

/** One call of an in-process tool: tool_use message, tools/call to the host, tool_result message. */
export interface ToolStep {
  verb: 'tool'
  server: string
  name: string
  args?: JsonObject
  toolUseId?: string
  /** Benchmark: call it this many times, and emit no messages about it. */
  repeat?: number
  /** Benchmark: how many of the repeated calls are open at once (1). */
  inFlight?: number
}

/** A permission question. Its answer becomes a tool_result: JSON of the answer, an error when denied. */
export interface AskStep {
  verb: 'ask'
  toolName: string
  input?: JsonObject
  toolUseId?: string
  suggestions?: JsonObject[]
  /** Further fields of the can_use_tool request. */
  extra?: JsonObject
}

/** Calls a hook that the host registered in `initialize`; reports the answer as system/informational. */
export interface HookStep {
  verb: 'hook'
  event: string
  /** Which of the event's callbacks, counted over all its matchers (0). */
  callbackIndex?: number
  input?: JsonObject
  toolUseId?: string
}

/** An MCP server's question to the person; reports the answer as system/informational. */
export interface ElicitStep {
  verb: 'elicit'
  server: string
  message: string
  schema?: JsonObject
}

/** Withdraws every open question (can_use_tool, hook, elicitation); waits for one if there is none yet. */
export interface CancelAskStep {
  verb: 'cancel_ask'
}

/** Runs branches at the same time and waits for all of them. */
export interface ParallelStep {
  verb: 'parallel'
  branches: CliStep[][]
}

export interface WaitStep {
  verb: 'wait'
  ms: number
}

/** Writes a message as it is given. */
export interface EmitStep {
  verb: 'emit'
  message: unknown
}

/** Holds this turn's result back for a time. */
export interface SleepBeforeResultStep {
  verb: 'sleep_before_result'
  ms: number
}

/** This turn's result; without such a step a successful one is sent. `fields` are laid over the message. */
export interface ResultStep {
  verb: 'result'
  fields: JsonObject
}

/** Work that goes on after the turn and, when it is done, starts a turn by itself. */
export interface BackgroundStep {
  verb: 'background'
  ms: number
  description?: string
  /** The turn that it starts; by default one line of text. */
  steps?: CliStep[]
}

/** Ends the process: what was said before is delivered first. */
export interface CrashStep {
  verb: 'crash'
  code?: number
  signal?: 'SIGKILL' | 'SIGTERM' | 'SIGABRT' | 'SIGSEGV'
  stderr?: string
}

/** Stops for good: nothing is said or answered any more. */
export interface HangStep {
  verb: 'hang'
  /** Go on reading (and logging) stdin; without it the host's writes fill the pipe. */
  reading?: boolean
}

type FloodKind = 'stream_event' | 'assistant' | 'unknown'

/** Many equal messages, as fast as the host reads. */
export interface FloodStep {
  verb: 'flood'
  count: number
  /** Length of each line without its newline; never shorter than the message needs. */
  bytes?: number
  kind?: FloodKind
  /** Put the message's number (from 0) in its `n` field. */
  numbered?: boolean
}

/** A line in two pieces. */
export interface PartialStep {
  verb: 'partial'
  text: string
  /** Bytes in the first piece; half by default. */
  at?: number
  /** Pause between the pieces (20). */
  ms?: number
  /** Never send the second piece, and exit with this code. */
  exitCode?: number
}

export const junkKinds = [
  'text',
  'truncated_json',
  'invalid_utf8',
  'not_object',
  'blank',
  'unknown_type',
  'no_type',
  'unknown_response',
  'crlf',
  'bom',
] as const
export type JunkKind = (typeof junkKinds)[number]

/** Lines that a reader must survive. */
export interface JunkStep {
  verb: 'junk'
  kind: JunkKind
}

/** One assistant message whose line has exactly this many bytes, newline not counted. */
export interface GiantStep {
  verb: 'giant'
  bytes: number
}

/** From here on SIGTERM is noted in the log and has no effect. */
export interface IgnoreTermStep {
  verb: 'ignore_term'
}

/** Starts a process in the same process group that outlives this one; its pid is in the log. */
export interface ForkGrandchildStep {
  verb: 'fork_grandchild'
  /** The grandchild keeps this process's stdout open, so that the pipe does not end with it. */
  holdStdout?: boolean
  ignoreTerm?: boolean
}

export type CliStep =
  | SayStep
  | ToolStep
  | AskStep
  | HookStep
  | ElicitStep
  | CancelAskStep
  | ParallelStep
  | WaitStep
  | EmitStep
  | SleepBeforeResultStep
  | ResultStep
  | BackgroundStep
  | CrashStep
  | HangStep
  | FloodStep
  | PartialStep
  | JunkStep
  | GiantStep
  | IgnoreTermStep
  | ForkGrandchildStep

/**
 * How a control request of the host is answered.
 * `late` and `twice` take effect at once and answer late (250 ms or `late` ms) or two times; `never` ignores the
 * request altogether; `error` refuses it; `value` takes effect and answers with that value.
 */
export type Answer =
  | 'normal'
  | 'late'
  | 'twice'
  | 'never'
  | 'error'
  | { late: number }
  | { error: string; code?: string }
  | { value: unknown }

export interface Scenario {
  /** Run when the process starts, before anything is read from stdin. */
  start?: CliStep[]
  /** The nth user message runs the nth list. */
  turns?: CliStep[][]
  /** What further messages run; by default the last list again. */
  onExtra?: CliStep[]
  /** Reports come in any order that the real CLI's may have, and each message runs any of `turns`. */
  disorder?: DisorderOptions
  /** Messages are kept where the real CLI keeps its transcripts, so that a host resumes the session. */
  hasTranscript?: boolean
  /** By subtype of the host's request; a list answers the first request, the second, …, its last entry the rest. */
  answers?: Record<string, Answer | Answer[]>
}

/** What the launcher finds beside itself. */
export interface ProgramConfig {
  scenario: Scenario
  version: string
  /** Whether stdin is logged; the rest of the log is always written. */
  logStdin: boolean
}

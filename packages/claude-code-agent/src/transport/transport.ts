import type { LineFault } from '@dorkos/processes'

/**
 * The line to one CLI process: JSON messages out of it, JSON lines into it. The control channel is its only
 * user; write your own to run the CLI elsewhere (a container, another machine, a keeper process).
 *
 * Messages are pushed, synchronously and in order, so that a reader adds no task per message. *Detach* lets go
 * of a process that goes on; *terminate* ends it. For a plain subprocess nothing can hold the other end of its
 * pipes, so detaching it ends its input and lets it finish.
 */
export interface Transport {
  /** Starts (or attaches to) the process. Rejects with a typed error when that fails, or after `terminate()`. Called once. */
  connect(receiver: TransportReceiver): Promise<void>
  /**
   * Queues one line, without its newline. Lines go out in the order of the calls. Resolves once the line was handed
   * to the process, rejects with `CLIConnectionError` when it cannot be.
   */
  write(line: string): Promise<void>
  /** Signals to the process that no more input comes. */
  endInput(): Promise<void>
  /** Stops reading until `resumeReading()`: the process is slowed down by its full pipe, not our memory. */
  pauseReading(): void
  resumeReading(): void
  /** Lets go of the process without ending it. No more messages are pushed. */
  detach(): Promise<void>
  /** Ends the process, gracefully first; bounded in time. Safe to call more than once. */
  terminate(options?: TerminateOptions): Promise<TransportExit>
  /**
   * Whether the process keeps the program running; at first it does. A spare process must not: a program that is
   * done ends, and takes its spares along. Optional.
   */
  keepProgramRunning?(keep: boolean): void
  /** The process id, where there is a process on this machine. */
  readonly pid: number | undefined
}

export interface TransportReceiver {
  /** One parsed message. Must not throw. */
  message(message: Record<string, unknown>): void
  /** A line that could not be used. Reported, never dropped silently; reading goes on. Must not throw. */
  fault(fault: LineFault): void
  /** Text that the process wrote to stderr, by whole lines. */
  stderr?(line: string): void
  /** The process ended and every message it wrote was pushed. Called exactly once, unless detached. */
  exit(exit: TransportExit): void
}

export type { LineFault as TransportFault }

export interface TransportExit {
  exitCode: number | null
  signal: NodeJS.Signals | null
  stderrTail: string
}

export interface TerminateOptions {
  /** How long to wait after the end of input before SIGTERM. Default 2000 ms. */
  graceMs?: number
  /** How long to wait after SIGTERM before SIGKILL. Default 2000 ms. */
  killMs?: number
}

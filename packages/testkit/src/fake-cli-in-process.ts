import { Writable } from 'node:stream'
import { type Accept, createProgram } from './fake-cli/create-program.ts'
import { readLaunch } from './fake-cli/launch.ts'
import type { LogEntry } from './fake-cli/log.ts'
import type { JsonObject, Scenario } from './fake-cli/scenario.ts'
import { noTranscript } from './fake-cli/transcript.ts'

/** As `claude-code-agent` has them; this package knows nothing of it. */
interface Receiver {
  message(message: JsonObject): void
  exit(exit: { exitCode: number | null; signal: NodeJS.Signals | null; stderrTail: string }): void
}

/** A fake CLI that runs in the caller's process, as a transport of `claude-code-agent`: many a second can be started. */
export interface InProcessCli {
  readonly pid: undefined
  connect(receiver: Receiver): Promise<void>
  write(line: string): Promise<void>
  endInput(): Promise<void>
  pauseReading(): void
  resumeReading(): void
  detach(): Promise<void>
  terminate(): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null; stderrTail: string }>
  /** Ends it as SIGKILL does: nothing more is said or heard. */
  kill(): void
}

export interface InProcessOptions {
  /** Tasks that have not ended, for the next process of the session: pass the same set. */
  openTasks?: Set<string>
  /** Is given all that a fake CLI's log has, stdin left out. */
  log?(entry: JsonObject & { type: LogEntry['type'] }): void
}

/** Steps that are of a process (junk, signals, grandchildren) are not for it, and its start steps do not run. */
export function fakeCliInProcess(
  scenario: Scenario,
  { args, env }: { args: string[]; env: Record<string, string> },
  { openTasks = new Set(), log }: InProcessOptions = {},
): InProcessCli {
  let receiver: Receiver | undefined
  let accept: Accept | undefined
  const exit = (exitCode: number | null, signal: NodeJS.Signals | null) => {
    const connected = receiver
    receiver = undefined
    connected?.exit({ exitCode, signal, stderrTail: '' })
  }
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      for (const line of chunk.toString().split('\n')) if (line !== '') receiver?.message(JSON.parse(line))
      done()
    },
  })
  return {
    pid: undefined,
    async connect(given) {
      receiver = given
      const config = { scenario, version: '2.1.325', logStdin: false }
      accept = createProgram({
        folder: '',
        config,
        log: { write: (entry) => receiver && log?.(entry), stdin: () => undefined, close: () => undefined },
        launch: readLaunch(args, env),
        // What is left of a process that was ended does nothing more.
        openTasks: {
          add: (taskId) => receiver && openTasks.add(taskId),
          delete: (taskId) => receiver && openTasks.delete(taskId),
          [Symbol.iterator]: () => openTasks.values(),
        },
        transcript: noTranscript,
        stdout,
        stopReading: () => undefined,
        ignoreTerm: () => undefined,
        end: (code) => exit(code, null),
      }).accept
    },
    async write(line) {
      if (!receiver) throw new Error('the fake CLI has ended')
      // Not within the call: the host is not done with it yet.
      setImmediate(() => receiver && accept?.frame(JSON.parse(line)))
    },
    async endInput() {
      accept?.end()
    },
    pauseReading: () => undefined,
    resumeReading: () => undefined,
    async detach() {
      receiver = undefined
    },
    async terminate() {
      exit(0, null)
      return { exitCode: 0, signal: null, stderrTail: '' }
    },
    kill: () => exit(null, 'SIGKILL'),
  }
}

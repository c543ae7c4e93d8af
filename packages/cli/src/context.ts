/** Everything that a command takes from the process around it, so that tests can give something else. */
export type InputStream = NodeJS.ReadableStream & { isTTY?: boolean }
export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

export type StopSignal = 'SIGINT' | 'SIGTERM'

export interface OpenedTerminal {
  input: InputStream
  close(): void
}

export interface CliContext {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  stdin: InputStream
  stdout: OutputStream
  stderr: OutputStream
  /** Listens for signals; answers with how to stop that. */
  onStop(listener: (signal: StopSignal) => void): () => void
  /** The terminal itself, for when standard input is something else. Absent: it is never looked for. */
  openTerminal?(): OpenedTerminal | undefined
  /** Shows an address in a browser; false where none could be started. Absent: none is. */
  openBrowser?(address: string): Promise<boolean>
  /** The file that runs as the command: what a service starts. */
  script: string
  /** How long a lost server is waited for. Default: a minute. */
  reconnectMs?: number
}

/** A person can be asked: they see what is written, and what they type arrives here. */
export function isInteractive({ stdin, stderr }: CliContext): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

/** The same with `--home` in place of the variable. */
export function withHome(context: CliContext, home: string | undefined): CliContext {
  return home === undefined ? context : { ...context, env: { ...context.env, DORKOS_HOME: home } }
}

export function columnsOf(stream: OutputStream): number {
  return Math.max(stream.columns ?? 80, 20)
}

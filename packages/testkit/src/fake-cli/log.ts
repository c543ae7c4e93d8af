import { closeSync, openSync, writeSync } from 'node:fs'
import type { JsonObject } from './scenario.ts'

/** One line of a fake CLI's log. Several processes of one fake CLI write to one log: `pid` distinguishes them. */
export type LogEntry = { pid: number; at: number } & (
  | { type: 'version' }
  | { type: 'spawn'; argv: string[]; env: Record<string, string>; cwd: string; ppid: number }
  | { type: 'stdin'; message: JsonObject }
  | { type: 'stdin_malformed'; line: string }
  | { type: 'stdin_end' }
  | { type: 'signal'; signal: string }
  | { type: 'grandchild'; grandchildPid: number }
  | { type: 'note'; text: string }
  /** The model is put this prompt. */
  | { type: 'asked'; sessionId: string; prompt: string }
  /** A turn begins before there is a word on its messages: it looks like one of the CLI's own. */
  | { type: 'unannounced'; sessionId: string }
  /** `isLost`: a process of before did not end it. */
  | { type: 'task_ended'; sessionId: string; taskId: string; isLost: boolean }
  | { type: 'exit'; code: number }
)

export interface Log {
  write(entry: JsonObject & { type: LogEntry['type'] }): void
  /** Lines of stdin that are known to be JSON. */
  stdin(lines: readonly string[]): void
  close(): void
}

/** Writes at once and synchronously, so that the log is whole up to the moment of a crash. */
export function openLog(file: string, logStdin: boolean): Log {
  const fd = openSync(file, 'a')
  const pid = process.pid
  return {
    write: (entry) => {
      writeSync(fd, `${JSON.stringify({ pid, at: Date.now(), ...entry })}\n`)
    },
    stdin: (lines) => {
      if (!logStdin || lines.length === 0) return
      const head = `{"pid":${pid},"at":${Date.now()},"type":"stdin","message":`
      writeSync(fd, lines.map((line) => `${head}${line}}\n`).join(''))
    },
    close: () => closeSync(fd),
  }
}

/**
 * What commands print while they run. The CLI (2.1.325) says nothing of it before they end, but writes it to
 * `<tmp>/claude-<uid>/<project>/<its session id>/tasks/<task id>.output`, and after some two seconds `task_started` names task and call.
 * Agents can write in that folder: nothing there is followed, and only the last lines of a plain file are read.
 */
import { constants } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { CliMessage } from '../../core/ports/agent.ts'

export interface CommandOutputsParts {
  /** The CLI's folder for temporary files. */
  tmpDir: string
  /** Whose the CLI is. */
  uid: number | undefined
  onOutput(toolCallId: string, output: string): void
}

/** Of what a command has printed, the last of it: as much as an event holds. */
const maxBytes = 4000
const maxCommands = 16
const maxProjects = 5000
/** The first look comes soon; then they come less and less often, for each one is an event. */
const firstMs = 500
const lastMs = 10_000
const slower = 1.2

const isPlainName = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name)

export class CommandOutputs {
  readonly #parts: CommandOutputsParts
  /** By tool call: how to stop looking. */
  readonly #watched = new Map<string, () => void>()

  constructor(parts: CommandOutputsParts) {
    this.#parts = parts
  }

  /** Any message of the CLI. */
  see(message: CliMessage): void {
    if (message.type !== 'system') return
    const { task_id: task, tool_use_id: call, session_id: session } = message
    if (message.subtype === 'task_notification' && typeof call === 'string') this.end(call)
    const begins = message.subtype === 'task_started' && message.task_type === 'local_bash'
    if (!begins || message.is_backgrounded === true || typeof call !== 'string') return
    if (!isPlainName(task) || !isPlainName(session) || this.#watched.size >= maxCommands) return
    this.end(call)
    this.#watch(call, { session, task })
  }

  /** The call has its result. */
  end(toolCallId: string): void {
    this.#watched.get(toolCallId)?.()
  }

  close(): void {
    for (const stop of [...this.#watched.values()]) stop()
  }

  #watch(call: string, names: { session: string; task: string }): void {
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    let last = ''
    let file: string | undefined
    const poll = async (wait: number) => {
      const { tmpDir, uid } = this.#parts
      if (uid === undefined) return
      file ??= await findOutput(tmpDir, uid, names).catch(() => undefined)
      const output = file === undefined ? undefined : await readOutput(file, uid).catch(() => undefined)
      if (isOver) return
      if (output && output !== last) {
        last = output
        this.#parts.onOutput(call, output)
      }
      later(Math.min(wait * slower, lastMs))
    }
    const later = (wait: number) => {
      timer = setTimeout(() => void poll(wait), wait)
      timer.unref()
    }
    this.#watched.set(call, () => {
      isOver = true
      clearTimeout(timer)
      this.#watched.delete(call)
    })
    void poll(firstMs)
  }
}

/** Where the command's output is; undefined where there is no such file of the CLI's user, in a folder of that user. */
export async function findOutput(
  tmpDir: string,
  uid: number,
  { session, task }: { session: string; task: string },
): Promise<string | undefined> {
  const own = join(await realpath(tmpDir), `claude-${uid}`)
  const folder = await lstat(own)
  // Others can make such a folder, where all share one for temporary files.
  if (!folder.isDirectory() || folder.uid !== uid) return undefined
  const projects = (await readdir(own)).slice(0, maxProjects)
  for (const project of projects) {
    const path = join(own, project, session, 'tasks', `${task}.output`)
    if ((await readOutput(path, uid)) !== undefined) return path
  }
  return undefined
}

/** Its last lines; undefined if it is not a plain file of that user at this very path. */
export async function readOutput(path: string, uid: number): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(path, flags).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const file = await handle.stat()
    if (!file.isFile() || file.uid !== uid || file.nlink !== 1) return undefined
    // No link on the way: what was opened is what lies at this very path.
    if ((await realpath(path)) !== path) return undefined
    const there = await lstat(path)
    if (!isDeepStrictEqual([there.dev, there.ino], [file.dev, file.ino])) return undefined
    const start = Math.max(0, file.size - maxBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, start)
    return wholeLines(buffer.subarray(0, bytesRead), start > 0)
  } finally {
    await handle.close()
  }
}

/** Where the beginning is missing, from the first whole line on, or else from the first whole character on. */
function wholeLines(bytes: Buffer, isCut: boolean): string {
  if (!isCut) return bytes.toString('utf8')
  const line = bytes.indexOf(0x0a)
  let start = line === -1 || line === bytes.length - 1 ? 0 : line + 1
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return `…\n${bytes.toString('utf8', start)}`
}

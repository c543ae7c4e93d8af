/**
 * What commands print while they run. The CLI (2.1.325) says nothing of it before they end, but writes it to
 * `<tmp>/claude-<uid>/<project>/<its session id>/tasks/<task id>.output`, and after some two seconds `task_started` names task and call.
 * The file of a command that the agent waits for goes with its end; that of one in the background stays.
 * Agents can write in that folder: nothing there is followed, and only plain files are read.
 */
import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CliMessage, OutputPage } from '../../core/ports/agent.ts'
import { bytesBetween, openPlainFile, type PlainFile } from '../system/open-plain-file.ts'

export interface CommandOutputsParts {
  /** The CLI's own folder for temporary files, `<tmp>/claude-<uid>`. */
  folder: string
  /** Whose the CLI's files are. */
  uid: number | undefined
  onOutput(toolCallId: string, output: string): void
}

/** Of what a command has printed, the last of it: as much as an event holds. */
const maxBytes = 4000
const maxCommands = 16
/** Commands whose output can be read. */
const maxTasks = 200
const maxProjects = 5000
/** The first look comes soon; then they come less and less often, for each one is an event. */
const firstMs = 500
const lastMs = 10_000
const slower = 1.2

const isPlainName = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name)

interface TaskNames {
  session: string
  task: string
}

export class CommandOutputs {
  readonly #parts: CommandOutputsParts
  /** By tool call: how to stop looking. */
  readonly #watched = new Map<string, () => void>()
  /** By task: where its output is, once that was found. */
  readonly #tasks = new Map<string, TaskNames & { file?: string | undefined }>()

  constructor(parts: CommandOutputsParts) {
    this.#parts = parts
  }

  /** Any message of the CLI. */
  see(message: CliMessage): void {
    if (message.type !== 'system') return
    const { task_id: task, tool_use_id: call, session_id: session } = message
    if (message.subtype === 'task_notification' && typeof call === 'string') this.end(call)
    if (message.subtype !== 'task_started' || message.task_type !== 'local_bash') return
    if (!isPlainName(task) || !isPlainName(session)) return
    this.#remember({ session, task })
    // Of one that the agent does not wait for, its call has a result: what it prints is no news of the call.
    if (message.is_backgrounded === true || typeof call !== 'string') return
    if (this.#watched.size >= maxCommands) return
    this.end(call)
    this.#watch(call, task)
  }

  /** The call has its result. What its command prints from now on is read only where somebody asks. */
  end(toolCallId: string): void {
    this.#watched.get(toolCallId)?.()
  }

  /** A part of what a command has printed; undefined where there is no such command, or nothing of it is left. */
  async read(
    task: string,
    page: { offset?: number | undefined; limit: number },
  ): Promise<OutputPage | undefined> {
    const opened = await this.#open(task).catch(() => undefined)
    if (opened === undefined) return undefined
    try {
      return await readPage(opened, page)
    } finally {
      await opened.file.close()
    }
  }

  close(): void {
    for (const stop of [...this.#watched.values()]) stop()
  }

  #remember(names: TaskNames): void {
    this.#tasks.set(names.task, names)
    const [oldest] = this.#tasks.keys()
    if (this.#tasks.size > maxTasks && oldest !== undefined) this.#tasks.delete(oldest)
  }

  async #open(task: string): Promise<PlainFile | undefined> {
    const known = this.#tasks.get(task)
    const { folder, uid } = this.#parts
    if (known === undefined || uid === undefined) return undefined
    known.file ??= await findOutput(folder, uid, known)
    return known.file === undefined ? undefined : openOutput(known.file, uid)
  }

  #watch(call: string, task: string): void {
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    let last = ''
    const poll = async (wait: number) => {
      const output = await this.#lastLines(task).catch(() => undefined)
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

  async #lastLines(task: string): Promise<string | undefined> {
    const opened = await this.#open(task)
    return opened && lastLines(opened)
  }
}

/** Where the command's output is; undefined where there is no such file of the CLI's user, in a folder of that user. */
export async function findOutput(
  folder: string,
  uid: number,
  { session, task }: TaskNames,
): Promise<string | undefined> {
  const own = join(await realpath(dirname(folder)), basename(folder))
  const found = await lstat(own)
  // Others can make such a folder, where all share one for temporary files.
  if (!found.isDirectory() || found.uid !== uid) return undefined
  const projects = (await readdir(own)).slice(0, maxProjects)
  for (const project of projects) {
    const path = join(own, project, session, 'tasks', `${task}.output`)
    const opened = await openOutput(path, uid)
    await opened?.file.close()
    if (opened) return path
  }
  return undefined
}

/** Undefined if it is not a plain file of that user at this very path. */
async function openOutput(path: string, uid: number): Promise<PlainFile | undefined> {
  const opened = await openPlainFile(path)
  if (opened === undefined || (opened.uid === uid && !opened.isLinked)) return opened
  await opened.file.close()
  return undefined
}

/** Its last lines; undefined if it is not a plain file of that user at this very path. */
export async function readOutput(path: string, uid: number): Promise<string | undefined> {
  const opened = await openOutput(path, uid)
  return opened && lastLines(opened)
}

async function lastLines(opened: PlainFile): Promise<string> {
  try {
    const start = Math.max(0, opened.size - maxBytes)
    return wholeLines(await bytesBetween(opened, start, opened.size), start > 0)
  } finally {
    await opened.file.close()
  }
}

/** Begins and ends with whole characters, but where one is not whole yet at the end of what there is. */
async function readPage(
  opened: PlainFile,
  { offset, limit }: { offset?: number | undefined; limit: number },
): Promise<OutputPage> {
  const { size } = opened
  // One that became shorter is another: then from its end, as for whoever has nothing of it.
  const isTail = offset === undefined || offset > size
  const start = isTail ? Math.max(0, size - limit) : offset
  const bytes = await bytesBetween(opened, start, Math.min(size, start + limit))
  const first = isTail && start > 0 ? firstWhole(bytes) : 0
  const end = wholeEnd(bytes)
  return {
    text: bytes.toString('utf8', first, end),
    offset: start + first,
    nextOffset: start + end,
    bytes: Math.max(size, start + bytes.length),
  }
}

/** Where the beginning is missing, from the first whole line on, or else from the first whole character on. */
function wholeLines(bytes: Buffer, isCut: boolean): string {
  return isCut ? `…\n${bytes.toString('utf8', firstWhole(bytes))}` : bytes.toString('utf8')
}

const isInside = (byte: number | undefined) => ((byte ?? 0) & 0xc0) === 0x80

function firstWhole(bytes: Buffer): number {
  const line = bytes.indexOf(0x0a)
  let start = line === -1 || line === bytes.length - 1 ? 0 : line + 1
  while (start < bytes.length && isInside(bytes[start])) start += 1
  return start
}

/** Before a character of which some bytes are missing. What is no UTF-8 at all is not waited for. */
function wholeEnd(bytes: Buffer): number {
  let lead = bytes.length - 1
  while (lead >= 0 && lead > bytes.length - 4 && isInside(bytes[lead])) lead -= 1
  const byte = bytes[lead] ?? 0
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
  return lead >= 0 && lead + length > bytes.length ? lead : bytes.length
}

/**
 * Which children run, in files, so that what a SIGKILLed program left behind is ended at the next start of a
 * program. One file per child, in a folder that only this user can use. Process ids are used again, so a record
 * holds start times too, and nothing is signalled unless they match.
 *
 * Linux only: elsewhere start times are not to be had cheaply, and nothing is recorded. There the CLI still ends
 * by itself, once its turn is over and it finds its input closed.
 */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  groupMembers,
  isSameProcess,
  ProcessGroup,
  readProcess,
  readVariable,
  terminate,
} from '@dorkos/processes'

/** Set in every child, and so in all that it starts, to distinguish a left-over of ours from another's process. */
export const markerVariable = 'CLAUDE_CODE_AGENT_PROCESS'

const oldMs = 7 * 24 * 60 * 60 * 1000

interface ProcessRecord {
  /** Which run of the machine, and which view of its process ids, the numbers belong to. */
  world: string
  ownerPid: number
  ownerStartTime: string
  /** The child leads its process group, so this is the group's id too. */
  childPid: number
  childStartTime: string
  marker: string
}

export interface SweptProcess {
  pid: number
  /** False when something of it is still there after SIGKILL; the next sweep tries again. */
  ended: boolean
}

export function defaultRegistryDir(env: Record<string, string | undefined>): string {
  const runtimeDir = env.XDG_RUNTIME_DIR
  return runtimeDir
    ? join(runtimeDir, 'claude-code-agent')
    : join(tmpdir(), `claude-code-agent-${process.getuid?.()}`)
}

/** Records a child of this program. Returns what removes the record. Never throws: without a record, nothing is swept. */
export function registerChild(dir: string, group: ProcessGroup, marker: string): () => void {
  const ownerStartTime = readProcess(process.pid)?.startTime
  const world = readWorld()
  if (!world || !ownerStartTime || !group.startTime || !prepareDir(dir)) return () => {}
  const record: ProcessRecord = {
    world,
    ownerPid: process.pid,
    ownerStartTime,
    childPid: group.pid,
    childStartTime: group.startTime,
    marker,
  }
  const file = join(dir, `${group.pid}-${group.startTime}.json`)
  try {
    writeFileSync(file, JSON.stringify(record), { mode: 0o600, flag: 'w' })
  } catch {
    return () => {}
  }
  return () => void removeFile(file)
}

/** Ends what dead programs left behind. Never throws; takes some seconds at most, and keeps no program running. */
export async function sweepOrphans(dir: string, killMs?: number): Promise<SweptProcess[]> {
  const world = readWorld()
  if (!world || !isPrivateDir(dir)) return []
  const sweeps = listFiles(dir).map(async (file): Promise<SweptProcess | undefined> => {
    const record = readRecord(file)
    if (!record || record.world !== world) return removeIfOld(file)
    if (isSameProcess(record.ownerPid, record.ownerStartTime)) return undefined
    if (!(await isStillOurs(record))) return removeFile(file)
    const group = new ProcessGroup(record.childPid, record.childStartTime)
    const ended = await terminate(group, { killMs, ref: false })
    if (ended) removeFile(file)
    return { pid: record.childPid, ended }
  })
  return (await Promise.all(sweeps)).filter((swept) => swept !== undefined)
}

/** The child itself, or, when it is gone, a member of its group that carries its mark. */
async function isStillOurs(record: ProcessRecord): Promise<boolean> {
  if (isSameProcess(record.childPid, record.childStartTime)) return true
  const another = readProcess(record.childPid)
  if (another && another.startTime !== record.childStartTime) return false
  const members = groupMembers(record.childPid)
  const markers = await Promise.all(members.map((pid) => readVariable(pid, markerVariable)))
  return markers.includes(record.marker)
}

/** Makes the folder, and refuses one that another user made or can write to. */
function prepareDir(dir: string): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  } catch {
    return false
  }
  return isPrivateDir(dir)
}

function isPrivateDir(dir: string): boolean {
  try {
    const stat = lstatSync(dir)
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0
  } catch {
    return false
  }
}

function listFiles(dir: string): string[] {
  try {
    const names = readdirSync(dir).filter((name) => /^\d+-\d+\.json$/.test(name))
    return names.map((name) => join(dir, name))
  } catch {
    return []
  }
}

function readRecord(file: string): ProcessRecord | undefined {
  try {
    const record: Partial<ProcessRecord> = JSON.parse(readFileSync(file, 'utf8'))
    const texts = [record.world, record.ownerStartTime, record.childStartTime, record.marker]
    const whole =
      texts.every((text) => typeof text === 'string') && isPid(record.ownerPid) && isPid(record.childPid)
    return whole ? (record as ProcessRecord) : undefined
  } catch {
    return undefined
  }
}

/** Signalling "group 1" or "group 0" would hit every process, or ourselves. */
function isPid(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 1
}

/** The boot and the namespace of process ids. */
function readWorld(): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

/**
 * For records that say nothing to us: cut off by the death of their writer or just being written, of an earlier
 * boot, or of a container that shares the folder but not the process ids.
 */
function removeIfOld(file: string): undefined {
  try {
    if (Date.now() - lstatSync(file).mtimeMs > oldMs) removeFile(file)
  } catch {
    // Already gone.
  }
}

function removeFile(file: string): undefined {
  try {
    unlinkSync(file)
  } catch {
    // Another program's sweep was faster.
  }
}

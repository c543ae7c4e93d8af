/** What a running server leaves in its state folder for commands of the same account. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface ServerFile {
  url: string
  pid: number
  version: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The state folder, whether it exists or not. */
export function homeOf(env: Environment): string {
  return env.DORKOS_HOME ? resolve(env.DORKOS_HOME) : join(env.HOME || homedir(), '.dorkos')
}

/** Undefined when no server runs: there is no file, it makes no sense, or the process that wrote it is gone. */
export function readServerFile(home: string): ServerFile | undefined {
  const text = read(join(home, 'server.json'))
  const found = text === undefined ? undefined : parseServerFile(text)
  return found && isAlive(found.pid) ? found : undefined
}

export function parseServerFile(text: string): ServerFile | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { url, pid, version } = value as Record<string, unknown>
  if (typeof url !== 'string' || typeof pid !== 'number' || typeof version !== 'string') return undefined
  if (!Number.isSafeInteger(pid) || pid < 1 || !isWebAddress(url)) return undefined
  return { url, pid, version }
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** The token of this account's terminals: may look and chat. Read each time: a restarted server makes a new one. */
export function readTerminalToken(home: string): string | undefined {
  const text = read(join(home, 'cli-token'))?.trim()
  return text === '' ? undefined : text
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

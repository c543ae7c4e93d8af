/** The CLI process of a session, found where the CLI itself says that it runs. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function cliPid(root: string, cliSessionId: string): number {
  const folder = join(root, '.claude', 'sessions')
  for (const name of readdirSync(folder)) {
    const { pid, sessionId } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    if (sessionId === cliSessionId && isRunning(pid)) return pid
  }
  throw new Error(`no CLI runs session ${cliSessionId}`)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

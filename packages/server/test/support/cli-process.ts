/** The CLI process of a session, found where the CLI itself says that it runs, and what it has written down. */
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

/** With all that it started, as the kernel ends it when the server that started it is killed. */
export function killCli(root: string, cliSessionId: string): void {
  process.kill(-cliPid(root, cliSessionId), 'SIGKILL')
}

/** The session's transcript; empty while there is none. */
export function transcriptText(root: string, cliSessionId: string): string {
  const folder = join(root, '.claude', 'projects')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const name = files.find((file) => file.endsWith(`${cliSessionId}.jsonl`))
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8')
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

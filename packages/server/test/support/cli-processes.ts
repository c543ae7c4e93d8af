/** The CLI processes that a server started in this test, as the system lists them. */
import { readdirSync, readFileSync } from 'node:fs'

export interface CliProcess {
  pid: number
  /** As it was started with. */
  sessionId: string
  args: string[]
}

/** Those whose home is this folder. */
export function cliProcesses(root: string): CliProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const args = partsOf(`/proc/${name}/cmdline`)
    const sessionId = args.flatMap((arg) => /^--(?:session-id|resume)=(.+)$/.exec(arg)?.[1] ?? [])[0]
    if (sessionId === undefined || !partsOf(`/proc/${name}/environ`).includes(`HOME=${root}`)) return []
    return [{ pid: Number(name), sessionId, args }]
  })
}

/** Resolves when it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

function partsOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\0')
  } catch {
    // It has ended.
    return []
  }
}

/** What runs in the containers of a host, as the machine sees it. */
import { readdirSync, readFileSync } from 'node:fs'
import { containersFolder } from '../../src/adapters/container/containers.ts'

export interface ContainerProcess {
  pid: number
  /** The command's words. */
  command: string[]
}

/** By their environment: all in a container inherit the name of its folder, the programs that make it included. */
export function containerProcesses({ home }: { home: string }): ContainerProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1')
      if (!environment.includes(`CLAUDE_CONFIG_DIR=${containersFolder(home)}/`)) return []
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').slice(0, -1)
      return [{ pid: Number(name), command }]
    } catch {
      return []
    }
  })
}

/** Resolves when none is left. The kernel ends a container's processes when its first one ends, a moment later. */
export async function noContainerProcess(host: { home: string }): Promise<void> {
  while (containerProcesses(host).length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Who has a port. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { allProcesses } from '@dorkos/processes'

/** Undefined when the port is free: nothing listens on it afterwards either. */
export function tryListen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', done)
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)))
  })
}

/** On Linux the program and its process, where it is this user's; elsewhere it cannot be determined without rights. */
export async function whoListens(port: number): Promise<string> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  )
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const sockets = new Set(
    tables
      .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
      .filter((fields) => fields[1]?.endsWith(suffix) && fields[3] === '0A')
      .map((fields) => `socket:[${fields[9]}]`),
  )
  const pids = sockets.size === 0 ? [] : allProcesses()
  for (const pid of pids) {
    const files = await readdir(`/proc/${pid}/fd`).catch((): string[] => [])
    for (const file of files) {
      const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '')
      if (!sockets.has(target)) continue
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'a program')
      return `${name.trim()} (process ${pid})`
    }
  }
  return 'another program'
}

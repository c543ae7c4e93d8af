/**
 * The tool host: an MCP server on standard input and output that offers the tools of the modules in one folder. The supervisor starts it
 * like any other server: `node main.js --folder=<path> --name=<name> [--only=<file>]… [--digests=<file>] [--shared]`.
 */
import { mkdirSync, realpathSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { HostConnection } from './host-connection.ts'
import { readMessages, writeMessage } from './json-lines.ts'
import { ModuleFolder } from './module-folder.ts'

const { folder, name, only, digests, isShared } = readArguments(process.argv.slice(2))
const connection: { current?: HostConnection } = {}
const modules = new ModuleFolder({
  folder,
  only,
  digests,
  isShared,
  write: (line) => process.stderr.write(`${line}\n`),
  onToolsChanged: () => connection.current?.toolsChanged(),
  onReportsChanged: () => connection.current?.reportsChanged(),
})
connection.current = new HostConnection(name, modules, (message) => writeMessage(process.stdout, message))
const host = connection.current

// Whoever reads is gone.
process.stdout.on('error', end)
process.stderr.on('error', end)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
readMessages(process.stdin, (message) => void host.handle(message), end)

/** Ends threads that loop too. */
function end(): void {
  modules.close()
  process.exit(0)
}

function readArguments(args: string[]): {
  folder: string
  name: string
  only: string[] | undefined
  digests: string | undefined
  isShared: boolean
} {
  try {
    const { values } = parseArgs({
      args,
      options: {
        folder: { type: 'string' },
        name: { type: 'string', default: 'tools' },
        only: { type: 'string', multiple: true },
        digests: { type: 'string' },
        shared: { type: 'boolean', default: false },
      },
    })
    const { folder = '', name = 'tools', only, digests, shared: isShared = false } = values
    if (!isAbsolute(folder)) throw new Error('--folder takes an absolute path')
    if (digests !== undefined && !isAbsolute(digests)) throw new Error('--digests takes an absolute path')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return {
      folder: realpathSync(folder),
      name,
      only: only?.map((file) => basename(resolve(folder, file))),
      digests,
      isShared,
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(2)
  }
}

/** A real server with terminals that may administer, and scripts for MCP servers. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { FakeTerminal } from './fake-terminal.ts'
import { type OfflineServer, startOfflineServer } from './offline-server.ts'

const toolServer = fileURLToPath(new URL('./tool-server.mjs', import.meta.url))

interface ToolScript {
  tools?: { name: string; description?: string }[]
  stderr?: string[]
  instructions?: string
  exit?: number
}

export interface McpHost extends AsyncDisposable {
  readonly host: OfflineServer
  /** Runs a command without a terminal, with the right to administer, and answers with what it did. */
  admin(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  /** The same with a token that may only read. */
  reader(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  /** On a terminal, which may be typed on. */
  onTerminal(...args: string[]): { terminal: FakeTerminal; exit: Promise<number> }
  /** Types a code when it is asked for. */
  giveCode(terminal: FakeTerminal): Promise<void>
  /** Writes what a server offers, and answers with the arguments that start it. */
  script(name: string, script: ToolScript): Promise<string[]>
  /** Relative to the workspace. */
  write(path: string, value: unknown): Promise<string>
}

export async function startMcpHost(): Promise<McpHost> {
  const host = await startOfflineServer([])
  const { home, cwd } = host.offline
  const run = async (terminal: FakeTerminal, args: string[]) => {
    const code = await terminal.run('mcp', ...args)
    return { code, stdout: terminal.stdout, stderr: terminal.stderr }
  }
  return {
    host,
    admin: async (...args) => {
      // Before `--`, after which all belongs to the server that is added.
      const [command = '', ...rest] = args
      const input = `${(await host.server.pairingCode()).code}\n`
      return run(host.terminal({ isTTY: false, input }), [command, '--code', '-', ...rest])
    },
    reader: (...args) => run(host.terminal({ isTTY: false }), args),
    onTerminal(...args) {
      const terminal = host.terminal()
      return { terminal, exit: terminal.run('mcp', ...args) }
    },
    async giveCode(terminal) {
      await terminal.shown(/Code \(Enter to skip\) > /)
      terminal.type((await host.server.pairingCode()).code)
    },
    async script(name, script) {
      const file = join(home, `${name}.script.json`)
      await writeFile(file, JSON.stringify(script))
      return [toolServer, file]
    },
    async write(path, value) {
      const file = join(cwd, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
      return file
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
}

/** Nothing that a terminal acts on, or that hides, came through. */
export function expectHarmless(...outputs: { stdout: string; stderr: string }[]): void {
  for (const { stdout, stderr } of outputs)
    for (const character of ['\x1b', '\u202e', '\u200b']) expect(stdout + stderr).not.toContain(character)
}

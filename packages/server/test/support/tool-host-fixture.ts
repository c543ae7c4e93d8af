/** A tool host on a folder outside the repository, held by a supervisor as the server holds it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createSupervisor, type ServerHold } from '@dorkos/mcp-gateway'
import type { ModuleReport } from '../../src/core/ports/tool-folders.ts'
import { readModuleReports } from '../../src/tool-host/open-tool-folder.ts'
import { type ToolHostEntryOptions, toolHostEntry } from '../../src/tool-host/tool-host-entry.ts'

export interface ToolHostFixture extends AsyncDisposable {
  folder: string
  hold: ServerHold
  path(name: string): string
  save(name: string, text: string): void
  remove(name: string): void
  /** Resolves when the held server offers exactly these. */
  offers(...names: string[]): Promise<void>
  /** Resolves when a call of the tool gives this text. */
  answers(name: string, text: string): Promise<void>
  /** Resolves with the report of a module as soon as it is as wanted. */
  report(name: string, isWanted: (report: ModuleReport) => boolean): Promise<ModuleReport>
  /** The report of a module that cannot be loaded. */
  failed(name: string): Promise<ModuleReport>
  /** The text of the result, after `error: ` where it is one. */
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<string>
}

export function startToolHost(
  files: Record<string, string>,
  options: Partial<ToolHostEntryOptions> & { approve?(folder: string): string } = {},
): ToolHostFixture {
  const { approve, ...given } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-tools-')))
  const path = (name: string) => join(folder, name)
  const save = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  for (const [name, text] of Object.entries(files)) save(name, text)
  const digests = approve?.(folder)
  const supervisor = createSupervisor({ mark: folder.slice(-6) })
  const { env = { PATH: process.env.PATH, HOME: folder } } = given
  const entry = toolHostEntry({ name: 'tools', folder, ...given, env, ...(digests ? { digests } : {}) })
  const hold = supervisor.hold(entry, { id: 'test' })
  const report = async (name: string, isWanted: (report: ModuleReport) => boolean) => {
    let found: ModuleReport | undefined
    await until(hold, async () => {
      found = (await readModuleReports(hold)).find(({ file }) => file === path(name))
      return found !== undefined && isWanted(found)
    })
    return found as ModuleReport
  }
  const call = async (name: string, args: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const result = await hold.request('tools/call', { name, arguments: args }, signal ? { signal } : {})
    const { content, isError } = result as { content: { text: string }[]; isError?: boolean }
    return `${isError ? 'error: ' : ''}${content.map(({ text }) => text).join('')}`
  }
  return {
    folder,
    hold,
    path,
    save,
    remove: (name) => rmSync(path(name)),
    offers: (...names) =>
      until(hold, async () => {
        const offered = hold.catalogue().tools.map((tool) => tool.name)
        return hold.status().state === 'connected' && offered.join() === names.join()
      }),
    report,
    failed: (name) => report(name, ({ state }) => state === 'failed'),
    answers: (name, text) => until(hold, async () => (await call(name)) === text),
    call,
    async [Symbol.asyncDispose]() {
      await supervisor.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Looks again at each change of the server. */
async function until(hold: ServerHold, isSo: () => Promise<boolean>): Promise<void> {
  let wake = () => {}
  let changes = 0
  const end = hold.onChange(() => {
    changes += 1
    wake()
  })
  try {
    for (let seen = changes; !(await isSo()); seen = changes) {
      if (changes > seen) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    end()
  }
}

/** The text of a module with one tool. `handler` begins on line 6. */
export function moduleOf(name: string, handler: string, before = ''): string {
  return `import { tool } from 'claude-code-agent'${before === '' ? '' : `\n${before}`}
export const only = tool({
  name: '${name}',
  description: 'For a test.',
  inputSchema: {},
  handler: ${handler},
})
`
}

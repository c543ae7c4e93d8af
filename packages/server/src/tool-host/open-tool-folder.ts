/** Runs a tool host for a command: what its modules offer, what is wrong with them, and a call of one of their tools. */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { createSupervisor, type ServerHold } from '@dorkos/mcp-gateway'
import { z } from 'zod'
import type { ModuleReport } from '../core/ports/tool-folders.ts'
import { modulesUri } from './module-report.ts'
import { toolHostEntry } from './tool-host-entry.ts'

/** Longer than a module may take to load. */
const settleMs = 15_000

const faultSchema = z.object({
  file: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
  message: z.string(),
})
const reportsSchema = z.object({
  modules: z.array(
    z.object({
      file: z.string(),
      state: z.enum(['loading', 'ready', 'failed']),
      tools: z.array(z.string()),
      faults: z.array(faultSchema),
    }),
  ),
})

export interface OfferedTool {
  name: string
  description: string
  inputSchema: Readonly<Record<string, unknown>>
  /** Absolute. */
  file: string
}

export interface OpenToolFolder {
  readonly tools: readonly OfferedTool[]
  readonly modules: readonly ModuleReport[]
  /** The result as the tool gave it; `isError` marks one that failed. Rejects with McpCallError. */
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>>
  /** Its processes are gone when this resolves. */
  close(): Promise<void>
}

/** Resolves when every module was loaded or has failed. Rejects where the folder cannot be made or the host does not start. */
export async function openToolFolder(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenToolFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const supervisor = createSupervisor({ mark: randomUUID() })
  try {
    const hold = supervisor.hold(toolHostEntry({ name: 'tools', folder, env }), { id: 'command' })
    const modules = await settledReports(hold)
    const listed = await hold.request('tools/list', {})
    return {
      tools: toTools(listed.tools, modules),
      modules,
      call: (name, args, signal) =>
        hold.request('tools/call', { name, arguments: args }, signal ? { signal } : {}),
      close: () => supervisor.close(),
    }
  } catch (error) {
    await supervisor.close()
    throw error
  }
}

/** Of a tool host that is held, by whomever. */
export async function readModuleReports(hold: ServerHold): Promise<ModuleReport[]> {
  const { contents } = await hold.request('resources/read', { uri: modulesUri })
  const [first] = Array.isArray(contents) ? contents : []
  const { modules } = reportsSchema.parse(JSON.parse(String(first?.text)))
  return modules.map(({ faults, ...report }) => ({
    ...report,
    faults: faults.map(({ file, line, column, message }) => ({
      file,
      message,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    })),
  }))
}

/** Of one whose modules are loaded, or have had time for it. */
export async function settledReports(hold: ServerHold): Promise<ModuleReport[]> {
  const endsAt = performance.now() + settleMs
  let changes = 0
  let wake = () => {}
  const endListening = hold.onChange((change) => {
    if (change.type !== 'resource_updated' || change.uri !== modulesUri) return
    changes += 1
    wake()
  })
  try {
    for (;;) {
      const seen = changes
      const reports = await readModuleReports(hold)
      const leftMs = endsAt - performance.now()
      if (leftMs <= 0 || !reports.some(({ state }) => state === 'loading')) return reports
      if (changes > seen) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  } finally {
    endListening()
  }
}

function toTools(listed: unknown, modules: readonly ModuleReport[]): OfferedTool[] {
  const tools: Record<string, unknown>[] = Array.isArray(listed) ? listed : []
  return tools.map((tool) => {
    const name = String(tool.name)
    return {
      name,
      description: String(tool.description ?? ''),
      inputSchema: tool.inputSchema as Record<string, unknown>,
      file: modules.find((module) => module.tools.includes(name))?.file ?? '',
    }
  })
}

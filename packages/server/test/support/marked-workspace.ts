/** Workspaces whose programs leave a mark when they run, in a folder that `MARKS` stands for. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import type { Host } from './start-host.ts'
import { trustWorkspace } from './trust-workspace.ts'

export interface MarkedWorkspace extends Workspace {
  marks: string
}

let made = 0

export async function markedWorkspace(
  { client, root }: Pick<Host, 'client' | 'root'>,
  files: Record<string, unknown>,
  trusted = false,
): Promise<MarkedWorkspace> {
  const path = join(root, `workspace-${++made}`)
  const marks = join(root, `marks-${made}`)
  mkdirSync(marks, { recursive: true })
  mkdirSync(path)
  for (const [name, content] of Object.entries(files)) putMarked(path, name, content, marks)
  const workspace = await client.createWorkspace({ body: { path } })
  if (trusted) await trustWorkspace(client, workspace.id)
  return { ...workspace, marks }
}

export function putMarked(path: string, name: string, content: unknown, marks = ''): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  mkdirSync(dirname(join(path, name)), { recursive: true })
  writeFileSync(join(path, name), text.replaceAll('MARKS', marks), { mode: 0o755 })
}

/** Hooks of settings that run this command for each message. */
export const promptHooks = (command: string) => ({
  UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }],
})

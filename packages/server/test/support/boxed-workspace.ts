/** A workspace in a container, in a directory of its own beside the host's. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import type { Host } from './start-host.ts'

export function boxedWorkspace(
  { client, root }: Pick<Host, 'client' | 'root'>,
  name = 'boxed',
): Promise<Workspace> {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  return client.createWorkspace({ body: { path, mode: 'container' } })
}

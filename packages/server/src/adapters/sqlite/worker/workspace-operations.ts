/** Workspaces in SQL. Once there is one, exactly one is the main one. */
import type { Workspace } from '@dorkos/shared'
import { say } from '@dorkos/shared/saying'
import { AppError } from '../../../core/app-error.ts'
import { operation } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

type RecordRow = { record: string }

function find({ database }: WorkerStore, id: string): Workspace | undefined {
  const row = database.get<RecordRow>('SELECT record FROM workspaces WHERE id = ?', id)
  return row && (JSON.parse(row.record) as Workspace)
}

function findMain({ database }: WorkerStore): Workspace | undefined {
  const row = database.get<RecordRow>('SELECT record FROM workspaces WHERE main = 1')
  return row && (JSON.parse(row.record) as Workspace)
}

function write({ database }: WorkerStore, workspace: Workspace): void {
  database.run(
    `INSERT INTO workspaces (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
    workspace.id,
    JSON.stringify(workspace),
  )
}

/** Nothing is the main one from here on; to be followed by a write of one that is. */
function unmakeMain(store: WorkerStore): void {
  const main = findMain(store)
  if (main) write(store, { ...main, main: false })
}

export const workspaceOperations = {
  'workspaces.create': operation('full', (store, workspace: Workspace): void => {
    if (find(store, workspace.id))
      throw new AppError('conflict', say('workspace_id_exists', { id: workspace.id }))
    if (workspace.main) unmakeMain(store)
    write(store, { ...workspace, main: workspace.main || findMain(store) === undefined })
  }),

  'workspaces.change': operation(
    'full',
    (
      store,
      input: {
        id: string
        change: Partial<Pick<Workspace, 'name' | 'trust' | 'main'>>
        from: Workspace['trust'] | undefined
      },
    ): Workspace | undefined => {
      const { name, trust, main } = input.change
      const before = find(store, input.id)
      if (!before || before.trust !== (input.from ?? before.trust)) return undefined
      if (main === false && before.main) throw new AppError('conflict', say('workspace_main_needed'))
      if (main && !before.main) unmakeMain(store)
      const changed: Workspace = {
        ...before,
        name: name ?? before.name,
        trust: trust ?? before.trust,
        trusted: (trust ?? before.trust) === 'trusted',
        main: main ?? before.main,
      }
      write(store, changed)
      return changed
    },
  ),

  'workspaces.remove': operation('full', (store, id: string): boolean => {
    const workspace = find(store, id)
    if (!workspace || workspace.main) return false
    store.database.run('DELETE FROM workspaces WHERE id = ?', id)
    return true
  }),

  'workspaces.get': operation('none', find),

  'workspaces.list': operation('none', ({ database }) =>
    database
      .all<RecordRow>('SELECT record FROM workspaces ORDER BY number')
      .map((row) => JSON.parse(row.record) as Workspace),
  ),
}

/** Pins, switches, choices of sharing and sign-ins of MCP servers in SQL. Names and keys are columns as JSON text, which holds any of them. */
import { say } from '@dorkos/shared/saying'
import { AppError } from '../../../core/app-error.ts'
import type { McpSharingChoice, McpSwitch } from '../../../core/ports/mcp-store.ts'
import { operation } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

type RecordRow = { record: string }

/** The name that the record has for it. */
type StoredSwitch = Omit<McpSwitch, 'target'> & { place: McpSwitch['target'] }

type SwitchKey = Pick<McpSwitch, 'target' | 'server' | 'tool'>

const text = (value: string | undefined): string => JSON.stringify(value ?? null)

function setPins(
  { database }: WorkerStore,
  input: { serverKey: string; pins: { tool: string; record: string }[] },
): void {
  for (const { tool, record } of input.pins)
    database.run(
      `INSERT INTO mcp_pins (server, tool, record) VALUES (?, ?, ?)
        ON CONFLICT (server, tool) DO UPDATE SET record = excluded.record`,
      text(input.serverKey),
      text(tool),
      record,
    )
}

function removePins({ database }: WorkerStore, input: { serverKey: string; tools: string[] }): void {
  for (const tool of input.tools)
    database.run('DELETE FROM mcp_pins WHERE server = ? AND tool = ?', text(input.serverKey), text(tool))
}

const statements = {
  workspace: {
    exists: 'SELECT 1 AS found FROM workspaces WHERE id = ?',
    insert:
      'INSERT INTO mcp_switches (workspace_id, server, tool, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    remove: 'DELETE FROM mcp_switches WHERE workspace_id = ? AND server = ? AND tool = ?',
  },
  session: {
    exists: 'SELECT 1 AS found FROM sessions WHERE id = ?',
    insert:
      'INSERT INTO mcp_switches (session_id, server, tool, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    remove: 'DELETE FROM mcp_switches WHERE session_id = ? AND server = ? AND tool = ?',
  },
}

function switchOff({ database }: WorkerStore, { target, ...what }: McpSwitch): void {
  const { kind, id } = target
  const stored: StoredSwitch = { ...what, place: target }
  const sql = statements[kind]
  if (!database.get(sql.exists, id))
    throw new AppError(
      'not_found',
      kind === 'session' ? say('session_not_found', { id }) : say('workspace_not_found', { id }),
    )
  database.run(sql.insert, id, text(what.server), text(what.tool), JSON.stringify(stored))
}

function switchOn({ database }: WorkerStore, { target, server, tool }: SwitchKey): boolean {
  return database.run(statements[target.kind].remove, target.id, text(server), text(tool)) > 0
}

function setSharing({ database }: WorkerStore, choice: McpSharingChoice): void {
  const { workspaceId, server } = choice
  if (!database.get(statements.workspace.exists, workspaceId))
    throw new AppError('not_found', say('workspace_not_found', { id: workspaceId }))
  database.run(
    `INSERT INTO mcp_sharings (workspace_id, server, record) VALUES (?, ?, ?)
      ON CONFLICT (workspace_id, server) DO UPDATE SET record = excluded.record`,
    workspaceId,
    text(server),
    JSON.stringify(choice),
  )
}

type SharingKey = Pick<McpSharingChoice, 'workspaceId' | 'server'>

export const mcpOperations = {
  'mcp.pins': operation('none', ({ database }, serverKey: string) =>
    database
      .all<RecordRow>('SELECT record FROM mcp_pins WHERE server = ? ORDER BY number', text(serverKey))
      .map((row) => row.record),
  ),
  'mcp.setPins': operation('full', setPins),
  'mcp.removePins': operation('full', removePins),

  'mcp.switches': operation('none', ({ database }) =>
    database
      .all<RecordRow>('SELECT record FROM mcp_switches ORDER BY number')
      .map((row) => JSON.parse(row.record) as StoredSwitch)
      .map(({ place, ...what }): McpSwitch => ({ ...what, target: place })),
  ),
  'mcp.switchOff': operation('full', switchOff),
  'mcp.switchOn': operation('full', switchOn),

  'mcp.sharings': operation('none', ({ database }) =>
    database
      .all<RecordRow>('SELECT record FROM mcp_sharings ORDER BY number')
      .map((row) => JSON.parse(row.record) as McpSharingChoice),
  ),
  'mcp.setSharing': operation('full', setSharing),
  'mcp.removeSharing': operation(
    'full',
    ({ database }, { workspaceId, server }: SharingKey): boolean =>
      database.run(
        'DELETE FROM mcp_sharings WHERE workspace_id = ? AND server = ?',
        workspaceId,
        text(server),
      ) > 0,
  ),

  'mcp.asking': operation('none', ({ database }) =>
    database
      .all<{ server: string }>('SELECT server FROM mcp_asking ORDER BY number')
      .map((row) => JSON.parse(row.server) as string),
  ),
  'mcp.setAsking': operation('full', ({ database }, serverKey: string): void => {
    database.run('INSERT INTO mcp_asking (server) VALUES (?) ON CONFLICT DO NOTHING', text(serverKey))
  }),

  'mcp.signIns': operation('none', ({ database }) =>
    database.all<RecordRow>('SELECT record FROM mcp_sign_ins ORDER BY number').map((row) => row.record),
  ),
  'mcp.setSignIn': operation('full', ({ database }, input: { key: string; record: string }): void => {
    database.run(
      `INSERT INTO mcp_sign_ins (server, record) VALUES (?, ?)
        ON CONFLICT (server) DO UPDATE SET record = excluded.record`,
      text(input.key),
      input.record,
    )
  }),
  'mcp.removeSignIn': operation(
    'full',
    ({ database }, key: string): boolean =>
      database.run('DELETE FROM mcp_sign_ins WHERE server = ?', text(key)) > 0,
  ),
}

/**
 * The schema, in numbered steps. A step that was released is never changed; a new one is added. Records are kept as JSON
 * text, the single truth (it holds any text, NUL and lone surrogates included); what is searched for is generated from it.
 */
export const migrations: readonly string[] = [
  `
CREATE TABLE log (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  id TEXT NOT NULL,
  -- Positions up to here may have been given out before a power cut: the next run begins after it.
  reserved_position INTEGER NOT NULL,
  trimmed_position INTEGER NOT NULL
) STRICT;

CREATE TABLE leases (
  number INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL UNIQUE,
  epoch INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  owner TEXT,
  renewed_at REAL NOT NULL,
  ttl_ms REAL NOT NULL
) STRICT;

CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  -- The number of its lease.
  session INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  -- Null for pieces of text and the like, which are many and never looked up by type.
  type TEXT,
  time TEXT NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_session ON events (session, epoch, seq);
CREATE INDEX events_by_type ON events (session, type, epoch, seq) WHERE type IS NOT NULL;

CREATE TABLE turns (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'claimed', 'running', 'ended')),
  -- The order in the queue.
  rank INTEGER NOT NULL,
  epoch INTEGER,
  idempotency_key TEXT,
  principal TEXT NOT NULL,
  -- Of the content as it was admitted, before any edit.
  content_hash TEXT,
  content TEXT,
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX turns_by_id ON turns (session_id, id);
CREATE UNIQUE INDEX turns_by_key ON turns (session_id, principal, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX turns_by_state ON turns (session_id, state, rank);
CREATE INDEX turns_unfinished ON turns (session_id, rank) WHERE state <> 'ended';

CREATE TABLE approvals (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  epoch INTEGER NOT NULL,
  record TEXT NOT NULL,
  updated_input TEXT,
  session_id TEXT GENERATED ALWAYS AS (record ->> '$.session_id') VIRTUAL,
  state TEXT GENERATED ALWAYS AS (record ->> '$.state') VIRTUAL
) STRICT;
CREATE INDEX approvals_by_session ON approvals (session_id, state);
CREATE INDEX approvals_by_state ON approvals (state, session_id);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  idempotency_key TEXT,
  record TEXT NOT NULL,
  principal TEXT GENERATED ALWAYS AS (record ->> '$.principal') VIRTUAL,
  workspace_id TEXT GENERATED ALWAYS AS (record ->> '$.workspaceId') VIRTUAL,
  archived INTEGER GENERATED ALWAYS AS (record ->> '$.archived') VIRTUAL,
  updated_at TEXT GENERATED ALWAYS AS (record ->> '$.updatedAt') VIRTUAL
) STRICT;
CREATE UNIQUE INDEX sessions_by_key ON sessions (principal, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX sessions_by_time ON sessions (updated_at, id);
CREATE INDEX sessions_by_workspace ON sessions (workspace_id, updated_at, id);

CREATE TABLE cli_sessions (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  cli_session_id TEXT NOT NULL,
  PRIMARY KEY (session_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX cli_sessions_by_id ON cli_sessions (cli_session_id);

CREATE TABLE workspaces (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL,
  path TEXT GENERATED ALWAYS AS (record ->> '$.path') VIRTUAL,
  main INTEGER GENERATED ALWAYS AS (record ->> '$.main') VIRTUAL
) STRICT;
CREATE UNIQUE INDEX workspaces_by_path ON workspaces (path);
CREATE UNIQUE INDEX workspaces_main ON workspaces (main) WHERE main = 1;

CREATE TABLE rules (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL,
  revoked_at TEXT GENERATED ALWAYS AS (record ->> '$.revoked_at') VIRTUAL
) STRICT;
CREATE INDEX rules_in_force ON rules (number) WHERE revoked_at IS NULL;

CREATE TABLE tokens (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  entry TEXT NOT NULL,
  hash TEXT NOT NULL,
  session_id TEXT GENERATED ALWAYS AS (entry ->> '$.session_id') VIRTUAL,
  tool TEXT GENERATED ALWAYS AS (entry ->> '$.tool') VIRTUAL,
  action TEXT GENERATED ALWAYS AS (entry ->> '$.action') VIRTUAL
) STRICT;
CREATE INDEX audit_by_session ON audit (session_id, id);
CREATE INDEX audit_by_tool ON audit (tool, id);
CREATE INDEX audit_by_action ON audit (action, id);

-- Where the chain ends, so that entries missing at its end are noticed too.
CREATE TABLE audit_head (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  last_id INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO audit_head VALUES (1, 0, '');

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  record TEXT NOT NULL,
  time TEXT GENERATED ALWAYS AS (record ->> '$.time') VIRTUAL,
  session_id TEXT GENERATED ALWAYS AS (record ->> '$.session_id') VIRTUAL,
  turn_id TEXT GENERATED ALWAYS AS (record ->> '$.turn_id') VIRTUAL,
  workspace_id TEXT GENERATED ALWAYS AS (record ->> '$.workspace_id') VIRTUAL,
  model TEXT GENERATED ALWAYS AS (record ->> '$.model') VIRTUAL,
  usd REAL GENERATED ALWAYS AS (record ->> '$.usd') VIRTUAL,
  demo INTEGER GENERATED ALWAYS AS (record ->> '$.demo') VIRTUAL
) STRICT;
CREATE UNIQUE INDEX ledger_by_turn ON ledger (session_id, turn_id, model);
CREATE INDEX ledger_by_time ON ledger (time, demo, usd);
CREATE INDEX ledger_by_session ON ledger (session_id, time, demo, usd);

CREATE TABLE server_values (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`,
  `
CREATE TABLE mcp_pins (
  number INTEGER PRIMARY KEY,
  -- Both as JSON text, which holds any name.
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX mcp_pins_by_tool ON mcp_pins (server, tool);

CREATE TABLE mcp_switches (
  number INTEGER PRIMARY KEY,
  workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
  session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  -- Both as JSON text; the tool is 'null' for a whole server.
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  record TEXT NOT NULL,
  CHECK ((workspace_id IS NULL) <> (session_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX mcp_switches_by_workspace ON mcp_switches (workspace_id, server, tool)
  WHERE workspace_id IS NOT NULL;
CREATE UNIQUE INDEX mcp_switches_by_session ON mcp_switches (session_id, server, tool)
  WHERE session_id IS NOT NULL;

CREATE TABLE mcp_asking (
  number INTEGER PRIMARY KEY,
  server TEXT NOT NULL UNIQUE
) STRICT;
`,
  `
CREATE TABLE workspace_trust (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
-- What was trusted before was not looked at by its content: it asks again.
UPDATE workspaces SET record = json_set(
  record,
  '$.trust', CASE WHEN record ->> '$.trusted' THEN 'changed' ELSE 'untrusted' END,
  '$.trusted', json('false')
);
`,
  `
ALTER TABLE sessions ADD COLUMN pinned INTEGER GENERATED ALWAYS AS (record ->> '$.pinned') VIRTUAL;
CREATE INDEX sessions_by_pin ON sessions (pinned, updated_at, id);
`,
  `
-- What happened around a conversation and no other record tells: it stays when its events are trimmed.
CREATE TABLE kept_events (
  session INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time TEXT NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (session, epoch, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_events_by_time ON kept_events (session, time);
`,
  `
ALTER TABLE audit ADD COLUMN workspace_id TEXT GENERATED ALWAYS AS (
  coalesce(
    entry ->> '$.workspace_id',
    entry ->> '$.detail.workspace_id',
    CASE WHEN entry ->> '$.action' = 'workspace_created' THEN entry ->> '$.detail.id' END
  )
) VIRTUAL;
CREATE INDEX audit_by_workspace ON audit (workspace_id, id);
`,
  `
-- Tools are looked for in capitals or not.
DROP INDEX audit_by_tool;
CREATE INDEX audit_by_tool ON audit (tool COLLATE NOCASE, id);
`,
  `
CREATE TABLE mcp_sign_ins (
  number INTEGER PRIMARY KEY,
  -- The server's name and address, as JSON text.
  server TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL
) STRICT;
`,
  `
-- What people allowed hooks and plugins, by the digest of what they were shown.
CREATE TABLE hook_consents (
  digest TEXT PRIMARY KEY,
  record TEXT NOT NULL
) STRICT;
`,
  `
-- Nobody was asked about folders outside of workspaces before: those that sessions are in ask once.
UPDATE sessions SET record = json_set(
  record,
  '$.folderConfirmed', json(CASE WHEN record ->> '$.workspaceId' IS NULL THEN 'false' ELSE 'true' END)
);
`,
  `
CREATE INDEX sessions_by_principal ON sessions (principal, updated_at, id);
`,
  `
-- Times of leases are the wall clock's now, and were counted from the start of the machine: those of earlier runs are over.
UPDATE leases SET ttl_ms = 0;
CREATE INDEX leases_by_owner ON leases (owner) WHERE owner IS NOT NULL;
`,
  `
-- Nothing orders events of different sessions: their position is a row's number, and no reader knows it.
ALTER TABLE log DROP COLUMN reserved_position;
ALTER TABLE log DROP COLUMN trimmed_position;
`,
  `
-- What is good for minutes: sign-in codes and pairings, by hashes.
CREATE TABLE short_lived (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  source TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
`,
  `
-- Whether the sessions of a workspace share the process of an MCP server; its name as JSON text.
CREATE TABLE mcp_sharings (
  number INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  server TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX mcp_sharings_by_server ON mcp_sharings (workspace_id, server);
`,
  `
-- What people are writing, as JSON text. The key is a session's id, or new.
CREATE TABLE drafts (
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  text TEXT NOT NULL,
  revision INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX drafts_by_key ON drafts (key);
`,
  `
-- Between which snapshots of its directory a session's work lies.
CREATE TABLE turn_trees (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX turn_trees_by_session ON turn_trees (session_id, number);
`,
  `
-- What the session's turn cost so far, and the row of the ledger up to which that is not in it.
ALTER TABLE leases ADD COLUMN running_usd REAL NOT NULL DEFAULT 0;
ALTER TABLE leases ADD COLUMN booked_to INTEGER NOT NULL DEFAULT 0;
`,
]

/** Looks at a store that nobody has open, on a copy: opening the store itself would put right what the server must put right. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'

export function readStore(home) {
  const folder = mkdtempSync(join(tmpdir(), 'dorkos-drill-copy-'))
  try {
    for (const suffix of ['', '-wal']) {
      const file = join(home, `dorkos.db${suffix}`)
      if (existsSync(file)) copyFileSync(file, join(folder, `dorkos.db${suffix}`))
    }
    const database = new Database(join(folder, 'dorkos.db'))
    try {
      return facts(database)
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function facts(database) {
  const all = (sql) => database.prepare(sql).all()
  return {
    /** Empty when the store is whole. */
    faults: all('PRAGMA integrity_check')
      .map((row) => Object.values(row)[0])
      .filter((line) => line !== 'ok'),
    turns: all('SELECT session_id, id, state, epoch, content, record FROM turns').map((row) => ({
      ...JSON.parse(row.record),
      sessionId: row.session_id,
      id: row.id,
      state: row.state,
      epoch: row.epoch,
      content: row.content,
    })),
    approvals: all('SELECT id, epoch, state, session_id FROM approvals'),
    /** Sessions and epochs whose events are not 1, 2, 3, … */
    gaps: all(
      `SELECT session, epoch, count(*) AS events, max(seq) AS last, min(seq) AS first FROM events
        GROUP BY session, epoch HAVING events <> last OR first <> 1`,
    ),
    /** Epochs that are not one after the other. */
    epochGaps: all(
      `SELECT session, count(DISTINCT epoch) AS epochs, max(epoch) AS last FROM events
        GROUP BY session HAVING epochs <> last`,
    ),
    doubleLedgerRows: all(
      'SELECT session_id, turn_id FROM ledger GROUP BY session_id, turn_id, model HAVING count(*) > 1',
    ),
    /** How often the log says of a turn that it began, and that it ended. That it was withdrawn is no end of a run. */
    logged: all(
      `SELECT event ->> '$.turn_id' AS id, sum(type = 'turn_start') AS starts, sum(type = 'turn_end') AS ends
        FROM events WHERE type IN ('turn_start', 'turn_end') AND coalesce(event ->> '$.outcome', '') <> 'withdrawn'
        GROUP BY id`,
    ),
  }
}

import { tool } from 'claude-code-agent'
import { z } from 'zod'
import type { ReadOnlyDatabase } from './read-only-database.ts'

const ROW_LIMIT = 50

export function queryTool(database: ReadOnlyDatabase) {
  return tool({
    name: 'query',
    // What it does, when to use it, what it returns, its limits; and the schema, so that the first query fits.
    description: `Reads from the shop's SQLite database with one SQL statement.
Use it for every question about customers and orders; do not guess figures.
Returns the rows as a JSON array, at most ${ROW_LIMIT} of them.
The database is read-only, and SQL functions (COUNT, SUM, LIKE, date…) are switched off: select the rows and work on those.

${database.schema}`,
    inputSchema: {
      sql: z.string().describe('One SELECT statement, with ? for each value'),
      params: z
        .array(z.union([z.string(), z.number(), z.null()]))
        .default([])
        .describe('Values for each ?, in order'),
    },
    annotations: { readOnlyHint: true },
    // What SQLite throws becomes an error result: the model reads it and corrects its statement.
    handler({ sql, params }) {
      const { rows, more } = database.query(sql, params, ROW_LIMIT)
      const note = more
        ? `\nThere are more than ${ROW_LIMIT} rows. Narrow the query or use LIMIT and OFFSET.`
        : ''
      return JSON.stringify(rows) + note
    },
  })
}

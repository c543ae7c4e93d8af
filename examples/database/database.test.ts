import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Offline, startOffline, toolUse } from '@dorkos/testkit'
import { ClaudeCodeAgent, createSdkMcpServer } from 'claude-code-agent'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runExample } from '../support/example-process.ts'
import { script } from './demo.ts'
import { queryTool } from './query-tool.ts'
import { openReadOnly, type ReadOnlyDatabase } from './read-only-database.ts'
import { createSampleShop } from './sample-shop.ts'

let path: string
let folder: string
let database: ReadOnlyDatabase

beforeEach(async () => {
  path = await createSampleShop()
  folder = dirname(path)
  database = openReadOnly(path)
})

afterEach(async () => {
  database.close()
  await rm(folder, { recursive: true })
})

/** The file's bytes, and what else is in its folder. */
const onDisk = async () => ({ bytes: await readFile(path), files: await readdir(folder) })
const query = (sql: string, params: (string | number | null)[] = []) => database.query(sql, params, 100).rows

describe('the connection', () => {
  it.each([
    ["INSERT INTO customers VALUES (9, 'Eve', 'Nowhere')", /readonly/],
    ["INSERT INTO customers VALUES (9, 'Eve', 'Nowhere') RETURNING id", /readonly/],
    ["REPLACE INTO customers VALUES (1, 'Eve', 'Nowhere')", /readonly/],
    ["UPDATE orders SET status = 'paid'", /readonly/],
    ['DELETE FROM orders', /readonly/],
    ['WITH gone AS (SELECT id FROM orders) DELETE FROM orders WHERE id IN (SELECT id FROM gone)', /readonly/],
    ['DROP TABLE orders', /not authorized/],
    ['DROP VIEW open_orders', /not authorized/],
    ['ALTER TABLE orders ADD COLUMN evil', /not authorized/],
    ['CREATE TABLE evil (a)', /not authorized/],
    ['CREATE TEMP TABLE evil (a)', /not authorized/],
    ['CREATE INDEX evil ON orders (euros)', /not authorized/],
    ['VACUUM', /denied/],
    ['PRAGMA user_version = 7', /not authorized/],
    ['PRAGMA journal_mode = WAL', /not authorized/],
    ['PRAGMA query_only = OFF', /not authorized/],
    ['PRAGMA writable_schema = ON', /not authorized/],
    ['BEGIN IMMEDIATE', /not authorized/],
  ])('refuses %s', async (sql, reason) => {
    const before = await onDisk()
    expect(() => query(sql)).toThrow(reason)
    database.close()
    expect(await onDisk()).toEqual(before)
  })

  it.each([
    ['another database', () => `ATTACH '${join(folder, 'other.db')}' AS other`],
    ['its own file, opened for writing', () => `ATTACH 'file:${path}?mode=rw' AS again`],
    ['a copy', () => `VACUUM INTO '${join(folder, 'copy.db')}'`],
    ['any file, by a function', () => `SELECT writefile('${join(folder, 'evil.txt')}', 'x')`],
    ['the content of any file', () => `SELECT readfile('${path}')`],
    ['a listing of the disk', () => `SELECT name FROM fsdir('${folder}')`],
    ['SQL inside a function', () => `SELECT sha3_query('DELETE FROM orders')`],
    ['an extension', () => `SELECT load_extension('evil')`],
    ['the schema', () => 'SELECT sql FROM sqlite_schema'],
  ])('does not give away %s', async (_, sql) => {
    const before = await onDisk()
    expect(() => query(sql())).toThrow(/not authorized|denied|prohibited/)
    expect(await onDisk()).toEqual(before)
  })

  it('runs one statement: what follows it is never run', async () => {
    const before = await onDisk()
    expect(query('SELECT id FROM customers; DELETE FROM customers')).toHaveLength(3)
    database.close()
    expect(await onDisk()).toEqual(before)
  })

  it('stays read-only for a database in WAL mode, and sees what others write', () => {
    const owner = new Database(path)
    owner.exec('PRAGMA journal_mode = WAL')
    owner.exec("INSERT INTO customers VALUES (4, 'Alan', 'Manchester')")
    try {
      expect(query('SELECT name FROM customers WHERE id = 4')).toEqual([{ name: 'Alan' }])
      expect(() => query('DELETE FROM customers')).toThrow(/readonly/)
    } finally {
      owner.close()
    }
  })

  it('does not create a file that is not there', async () => {
    expect(() => openReadOnly(join(folder, 'absent.db'))).toThrow()
    expect(await readdir(folder)).toEqual(['shop.db'])
  })
})

describe('a query', () => {
  it('binds values, so that a value is never SQL', () => {
    const named = (name: string) => query('SELECT id FROM customers WHERE name = ?', [name])
    expect(named('Ada')).toEqual([{ id: 1 }])
    expect(named("x' OR '1' = '1")).toEqual([])
  })

  it('joins tables and reads views', () => {
    const sql = 'SELECT city FROM customers JOIN open_orders ON customer_id = customers.id WHERE euros < ?'
    expect(query(sql, [100])).toEqual([{ city: 'Helsinki' }])
  })

  it('stops at the limit and says that there is more', () => {
    const ids = (limit: number) => database.query('SELECT id FROM orders ORDER BY id', [], limit)
    expect(ids(2)).toEqual({ rows: [{ id: 1 }, { id: 2 }], more: true })
    expect(ids(5)).toMatchObject({ more: false })
  })
})

describe('the tool, called by the real CLI', () => {
  /** What the model gets when it calls the tool like this. */
  async function resultOf(input: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
    await using offline: Offline = await startOffline([toolUse('mcp__db__query', input), 'ok'])
    const agent = new ClaudeCodeAgent({
      mcpServers: { db: createSdkMcpServer({ name: 'database', tools: [queryTool(database)] }) },
      allowedTools: ['mcp__db__query'],
      tools: [],
      settingSources: [],
      env: offline.env,
      cwd: offline.cwd,
    })
    const session = await agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    const { text, isError } = (await offline.model.waitForRequest(2)).toolResults[0]!
    return { text, isError }
  }

  it('returns rows as JSON, and what SQLite says as an error result', async () => {
    expect(await resultOf({ sql: 'SELECT name FROM customers WHERE id = ?', params: [2] })).toEqual({
      text: '[{"name":"Grace"}]',
      isError: false,
    })
    const before = await onDisk()
    expect(await resultOf({ sql: 'DELETE FROM customers' })).toEqual({
      text: expect.stringContaining('attempt to write a readonly database'),
      isError: true,
    })
    expect(await onDisk()).toEqual(before)
    expect(await resultOf({ sql: 'SELECT id FROM nowhere' })).toMatchObject({
      text: expect.stringContaining('no such table: nowhere'),
      isError: true,
    })
  })

  it('says that rows were left out', async () => {
    const wide = 'SELECT a.id FROM orders a, orders b, orders c'
    const { text } = await resultOf({ sql: wide })
    expect(text).toContain('There are more than 50 rows')
    expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toHaveLength(50)
  })
})

it('the program: the agent is refused a change, then finds the answer', async () => {
  await using offline = await startOffline(script)
  const { exitCode, output } = await runExample('database', offline)
  expect(output).toContain('✗ attempt to write a readonly database\n')
  expect(output).toContain('Open orders above 100 euros: Ada and Grace.\n')
  expect(exitCode).toBe(0)
  expect(offline.model.requests[0]?.toolNames).toEqual(['mcp__db__query'])
  expect(offline.model.problems).toEqual([])
})

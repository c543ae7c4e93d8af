import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WorkerDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const first = "CREATE TABLE a (text TEXT); INSERT INTO a VALUES ('kept')"
const second = 'ALTER TABLE a ADD COLUMN more TEXT; CREATE TABLE b (text TEXT)'
const broken = 'CREATE TABLE c (text TEXT); INSERT INTO nowhere VALUES (1)'

let folder: string
let path: string
let database: WorkerDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dorkos-migrate-'))
  path = join(folder, 'test.db')
  database = new WorkerDatabase(path)
})
afterEach(async () => {
  database.close()
  await rm(folder, { recursive: true, force: true })
})

const version = (of: WorkerDatabase) => of.get('PRAGMA user_version')?.user_version
const tables = (of: WorkerDatabase) =>
  of
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .map(({ name }) => name)

it('takes a new file through all steps, without a copy', () => {
  migrate(database, [first, second])
  expect(version(database)).toBe(2)
  expect(tables(database)).toEqual(['a', 'b'])
  expect(existsSync(`${path}.before-v2`)).toBe(false)
})

it('copies an older file before it takes the steps that are missing', async () => {
  migrate(database, [first])
  migrate(database, [first])
  migrate(database, [first, second])
  expect(version(database)).toBe(2)
  expect(database.get('SELECT text, more FROM a')).toMatchObject({ text: 'kept', more: null })
  const copy = new WorkerDatabase(`${path}.before-v2`)
  expect(version(copy)).toBe(1)
  expect(tables(copy)).toEqual(['a'])
  copy.close()
  expect((await stat(`${path}.before-v2`)).mode & 0o777).toBe(0o600)
})

it('keeps no sign-ins in the copy', async () => {
  const signIns =
    "CREATE TABLE mcp_sign_ins (record TEXT); INSERT INTO mcp_sign_ins VALUES ('a-secret-token')"
  migrate(database, [signIns])
  migrate(database, [signIns, second.replace('TABLE a', 'TABLE mcp_sign_ins')])
  expect(database.get('SELECT record FROM mcp_sign_ins')).toMatchObject({ record: 'a-secret-token' })
  const copy = `${path}.before-v2`
  expect(existsSync(copy)).toBe(true)
  expect(await readFile(copy, 'latin1')).not.toContain('a-secret-token')
})

it('undoes a step that fails, and can take it when it is mended', () => {
  migrate(database, [first])
  expect(() => migrate(database, [first, second, broken])).toThrow('nowhere')
  expect(version(database)).toBe(2)
  expect(tables(database)).toEqual(['a', 'b'])
  migrate(database, [first, second, 'CREATE TABLE c (text TEXT)'])
  expect(version(database)).toBe(3)
})

it('refuses values that libsql would cut, round or die of', () => {
  database.exec('CREATE TABLE v (value)')
  const insert = (...values: unknown[]) => database.run('INSERT INTO v VALUES (?)', ...(values as string[]))
  for (const value of ['a\0b', true, undefined, 2 ** 60, Number.NaN, 10n, new Date(), {}])
    expect(() => insert(value)).toThrow(TypeError)
  expect(() => insert()).toThrow('0 values for 1 parameters')
  expect(() => insert(1, 2)).toThrow('2 values for 1 parameters')
  expect(database.get('SELECT count(*) AS rows FROM v')).toMatchObject({ rows: 0 })
})

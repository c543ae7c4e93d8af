import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const command = fileURLToPath(new URL('../../packages/cli/bin/dorkos.mjs', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'dorkos-own-tools-'))

beforeAll(() => {
  const from = fileURLToPath(new URL('.', import.meta.url))
  // As the page on tools says: far from every node_modules.
  for (const name of ['working-days.mjs', 'lib'])
    cpSync(join(from, name), join(home, '.dorkos', 'tools', name), { recursive: true })
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

function dorkos(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

const test = (tool: string, input: unknown) => dorkos('tools', 'test', tool, '--input', JSON.stringify(input))

it('offers both tools', async () => {
  const { stdout, stderr, code } = await dorkos('tools', 'list', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { tools } = JSON.parse(stdout)
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['add_working_days', 'count_working_days'])
})

it('counts, and says what is wrong', async () => {
  const christmas = { from: '2026-12-21', to: '2026-12-31', holidays: ['2026-12-25'] }
  expect(await test('count_working_days', christmas)).toEqual({ code: 0, stdout: '8\n', stderr: '' })
  expect(await test('add_working_days', { from: '2026-07-31', days: 1 })).toMatchObject({
    stdout: '2026-08-03\n',
  })
  const swapped = await test('count_working_days', { from: '2026-02-01', to: '2026-01-01' })
  expect(swapped).toMatchObject({ code: 1, stdout: '' })
  expect(swapped.stderr).toContain('give the earlier day')
  const wrong = await test('count_working_days', { from: 'tomorrow', to: '2026-01-01' })
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toContain('from')
})

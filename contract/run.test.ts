/** The program behind `npm run contract`: what it says of a CLI, and with which code it ends. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realCliPath } from '@dorkos/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'dorkos-contract-'))

beforeAll(() => {
  execFileSync(process.execPath, [join(folder, '../node_modules/typescript/bin/tsc'), '-p', folder])
})

afterAll(() => rmSync(scratch, { recursive: true }))

function contract(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'dist/run.js'), ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr })
    })
  })
}

it('ends with 0 where every case passes', async () => {
  const { code, output } = await contract('--cli', realCliPath(), '--only', 'launch/version')
  expect(output).toContain('1 passed, 0 failed, 0 left out')
  expect(code).toBe(0)
})

it('ends with 1 where a case fails, and says which and what of ours relies on it', async () => {
  const other = join(scratch, 'claude')
  writeFileSync(other, '#!/bin/sh\necho 2.1.999 of another program\n', { mode: 0o755 })
  const { code, output } = await contract('--cli', other, '--only', 'launch/version')
  expect(output).toContain('CLI 2.1.999, 1 cases')
  expect(output).toMatch(/FAILED: launch\/version\n.*\n.*fits: expected true, saw false\n.*relied on by /)
  expect(output).toContain('0 passed, 1 failed, 0 left out')
  expect(code).toBe(1)
})

it('ends with 2 and says how it is called where no case has such an id', async () => {
  const { code, output } = await contract('--only', 'no-such-case')
  expect(output).toContain('usage: npm run contract')
  expect(code).toBe(2)
})

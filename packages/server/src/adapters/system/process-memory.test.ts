import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { processMemoryMb } from './process-memory.ts'

describe.runIf(process.platform === 'linux')('processMemoryMb', () => {
  it('counts a process together with its children', async () => {
    const hold = "globalThis.held = Buffer.alloc(64 * 1024 * 1024, 1); process.stdout.write('ready')"
    const inner = `const { spawn } = require('node:child_process'); spawn(process.execPath, ['-e', ${JSON.stringify(`${hold}; setInterval(() => {}, 1000)`)}], { stdio: ['ignore', 'inherit', 'ignore'] })`
    const child = spawn(process.execPath, ['-e', inner], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    const pid = child.pid ?? 0
    try {
      await once(child.stdout, 'data')
      // 64 MB of the grandchild, and what two Node processes need besides.
      expect(await processMemoryMb(pid)).toBeGreaterThan(70)
    } finally {
      process.kill(-pid, 'SIGKILL')
    }
  })

  it('is 0 for a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    expect(await processMemoryMb(child.pid ?? 0)).toBe(0)
  })
})

it.skipIf(process.platform === 'linux')('is 0 where the system does not say', async () => {
  expect(await processMemoryMb(process.pid)).toBe(0)
})

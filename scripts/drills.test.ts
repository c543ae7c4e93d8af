/** The drills, short: that they run, find nothing, and would say so. Long ones: `npm run drill`. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../drills/run.mjs', import.meta.url))

function drill(...args: string[]): Promise<{ code: number; line: Record<string, unknown>; errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0
      resolve({ code, line: stdout.trim() ? JSON.parse(stdout) : {}, errors: stderr })
    })
  })
}

describe('drills', () => {
  it('kill9: nothing is lost, runs twice, dangles or is damaged', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('kill9', '--runs', '2', '--seed', '5', '--real-every', '2')
    expect(line, errors).toMatchObject({ drill: 'kill9', runs: 2, real_runs: 1, ok: true })
    expect(line).toMatchObject({ lost: 0, double: 0, corrupt: 0, dangling: 0, gaps: 0, orphans: 0 })
    expect(line.accepted).toBeGreaterThan(0)
    expect(code).toBe(0)
  })

  it('cuts: every client has what the log has', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('cuts', '--runs', '40', '--seed', '5')
    expect(line, errors).toMatchObject({
      drill: 'cuts',
      lost: 0,
      doubled: 0,
      reordered: 0,
      resyncs: 0,
      ok: true,
    })
    expect(line.cuts).toBeGreaterThanOrEqual(40)
    expect(code).toBe(0)
  })

  it('soak: sessions that came and went leave nothing', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('soak', '--runs', '20')
    expect(line, errors).toMatchObject({ drill: 'soak', starts: 22, calls: 220, wrong: 0, left: 0, ok: true })
    expect(code).toBe(0)
  })

  it('interleave: no session hangs or contradicts itself', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('interleave', '--runs', '9', '--real', '1', '--seed', '5')
    expect(line, errors).toMatchObject({ drill: 'interleave', runs: 9, real_runs: 1, failures: 0, ok: true })
    expect(line.accepted).toBeGreaterThan(0)
    expect(code).toBe(0)
  })

  it('soak: many turns of one session leave nothing in memory', { timeout: 180_000 }, async () => {
    const { code, line, errors } = await drill('soak', '--turns', '60')
    expect(line, errors).toMatchObject({ drill: 'soak', turns: 60, ok: true })
    // The database's and the index's are among them.
    expect(line.threads).toBeGreaterThan(2)
    expect(code).toBe(0)
  })

  it('say how they are called', async () => {
    const { code, errors } = await drill('no-such-drill')
    expect(code).toBe(2)
    expect(errors).toContain('usage')
  })
})

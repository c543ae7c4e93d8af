import { cp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type ModelRequest, type Offline, type Script, startOffline } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { runExample } from '../support/example-process.ts'
import { script } from './demo.ts'

const data = fileURLToPath(new URL('data', import.meta.url))

async function runOn(
  answers: Script,
): Promise<{ offline: Offline; exitCode: number | null; lines: string[] }> {
  const offline = await startOffline(answers)
  await cp(data, `${offline.cwd}/data`, { recursive: true })
  const { exitCode, output } = await runExample('file-batch', offline)
  return { offline, exitCode, lines: output.trimEnd().split('\n') }
}

it('summarises every file that can be read, and says which could not', async () => {
  const { offline, exitCode, lines } = await runOn(script)
  await using _ = offline
  expect(lines.slice(-5)).toEqual([
    'april.csv: no summary',
    'february.csv: 305 EUR, mostly cocoa',
    'january.csv: 520 EUR, mostly coffee',
    'march.csv: 125.5 EUR, mostly tea',
    '3 of 4 files, 950.5 EUR',
  ])
  expect(lines).toContain('  april.csv: error: april.csv has no header line product,euros')
  expect(exitCode).toBe(0)
  expect(offline.model.problems).toEqual([])
})

it('follows the state of each session, in order', async () => {
  const { offline, lines } = await runOn(script)
  await using _ = offline
  const states = (file: string) =>
    lines.filter((line) => line.includes(`/4 ${file}: `)).map((line) => line.split(': ')[1])
  expect(states('january.csv')).toEqual([
    'running',
    'waiting_tool_call',
    'running',
    'waiting_tool_call',
    'running',
    'completed',
  ])
  const counts = lines.filter((line) => line.endsWith(': completed')).map((line) => line.slice(0, 3))
  expect(counts).toEqual(['1/4', '2/4', '3/4', '4/4'])
})

it('runs two sessions at a time: one alone would wait here for ever, and a third never joins', async () => {
  const open = new Set<string>()
  let most = 0
  const pair = deferred()
  const answer = script as (
    request: ModelRequest,
  ) => ReturnType<Extract<Script, (...args: never[]) => unknown>>
  const { offline, exitCode, lines } = await runOn(async (request) => {
    const id = request.sessionId ?? ''
    open.add(id)
    most = Math.max(most, open.size)
    if (open.size === 2) pair.resolve()
    await pair.promise
    const step = await answer(request)
    // A text ends the session.
    if (typeof step === 'string') open.delete(id)
    return step
  })
  await using _ = offline
  expect(most).toBe(2)
  expect(lines.at(-1)).toBe('3 of 4 files, 950.5 EUR')
  expect(exitCode).toBe(0)
})

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

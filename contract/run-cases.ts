/** Runs cases against one CLI: several at a time, each in a place of its own and bounded in time. */
import { execFile } from 'node:child_process'
import { isDeepStrictEqual, promisify } from 'node:util'
import type { ContractCase, Observation } from './case.ts'
import { Rig } from './rig.ts'

export interface CaseResult {
  id: string
  /** `absent`: the version is older than the case's `since`. `unavailable`: this machine cannot show it. */
  verdict: 'passed' | 'failed' | 'absent' | 'unavailable'
  /** What was seen; absent where the case did not run to its end. */
  seen?: Observation
  /** Why it failed, was left out, or cannot be tried. */
  reason?: string
}

/** No case takes as long, on a busy machine either. */
export const LIMIT_MS = 240_000

export async function versionOf(cliPath: string): Promise<string> {
  const { stdout } = await promisify(execFile)(cliPath, ['--version'])
  const version = /^\d+\.\d+\.\d+/.exec(stdout)?.[0]
  if (version === undefined) throw new Error(`${cliPath} --version says: ${stdout.trim()}`)
  return version
}

export interface RunOptions {
  cliPath: string
  version: string
  jobs: number
  onResult?: (result: CaseResult) => void
}

/** Results in the order of the cases. */
export async function runCases(cases: readonly ContractCase[], options: RunOptions): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const result = await runCase(cases[at] as ContractCase, options)
      results[at] = result
      options.onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, work))
  return results
}

export async function runCase(
  one: ContractCase,
  { cliPath, version }: Pick<RunOptions, 'cliPath' | 'version'>,
): Promise<CaseResult> {
  const { id, since, expected } = one
  if (since && isOlder(version, since.version))
    return { id, verdict: 'absent', reason: `since ${since.version}` }
  const unavailable = one.unavailable?.()
  if (unavailable !== undefined) return { id, verdict: 'unavailable', reason: unavailable }
  const rig = await Rig.open(cliPath)
  try {
    const seen = await within(one.observe(rig))
    if (isDeepStrictEqual(seen, expected)) return { id, verdict: 'passed', seen }
    return { id, verdict: 'failed', seen, reason: differences(expected, seen).join('; ') }
  } catch (error) {
    return { id, verdict: 'failed', reason: error instanceof Error ? error.message : String(error) }
  } finally {
    await rig.close()
  }
}

async function within(observed: Promise<Observation>): Promise<Observation> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end within ${LIMIT_MS / 1000} s`)), LIMIT_MS)
  })
  try {
    // Through JSON, so that what is undefined is absent in both.
    return JSON.parse(JSON.stringify(await Promise.race([observed, late]))) as Observation
  } finally {
    clearTimeout(timer)
  }
}

/** One line for each field that is not the same. */
export function differences(expected: Observation, seen: Observation): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(seen)])]
  return names
    .filter((name) => !isDeepStrictEqual(expected[name], seen[name]))
    .map((name) => `${name}: expected ${JSON.stringify(expected[name])}, saw ${JSON.stringify(seen[name])}`)
}

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number))
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index])
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0)
}

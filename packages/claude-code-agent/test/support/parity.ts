import { isRecord } from '@dorkos/processes'
import type { Script } from '@dorkos/testkit'
import { expect } from 'vitest'
import { official, ours } from './both-sdks.ts'
import { type Observation, observe, type Run } from './observe.ts'

export type Program = (run: Run) => Promise<unknown>

/** Runs one program with both SDKs, each on a CLI and a model of its own. */
export async function observeBoth(
  script: () => Script,
  program: Program,
): Promise<{ theirs: Observation; own: Observation }> {
  const [theirs, own] = await Promise.all([
    observe(official, script(), program),
    observe(ours, script(), program),
  ])
  expect(theirs.problems).toEqual([])
  return { theirs, own }
}

/** The program sees the same with both, and the model too. Returns what that is. */
export async function expectSame(script: () => Script, program: Program): Promise<Observation> {
  const { theirs, own } = await observeBoth(script, program)
  expect(own).toEqual(theirs)
  return own
}

export const endings = ({ log }: Observation): unknown[] =>
  log.filter((entry) => isRecord(entry) && ('ended' in entry || 'threw' in entry))

export const ofType = ({ log }: Observation, type: string): Record<string, unknown>[] =>
  log.filter((entry) => isRecord(entry) && entry.type === type) as Record<string, unknown>[]

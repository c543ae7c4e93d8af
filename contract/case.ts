import type { Rig } from './rig.ts'

/** What a case saw, as plain data: compared with what is expected, and between versions. Nothing in it differs from run to run. */
export type Observation = Readonly<Record<string, unknown>>

/** One thing that we rely on in the CLI, and that no document promises. */
export interface ContractCase {
  /** `area/name`, unique. */
  id: string
  /** A sentence about the CLI that is true where the case passes. */
  title: string
  /** Files of ours that would be wrong without it, from the root of the repository. */
  reliedOnBy: readonly string[]
  /** Safety hangs on it: it runs with every `npm test`. */
  security?: true
  /** The first version that has it, and why we are safe with an older one. */
  since?: { version: string; withoutIt: string }
  /** Why it cannot be tried on this machine; undefined where it can. */
  unavailable?: () => string | undefined
  expected: Observation
  observe(rig: Rig): Promise<Observation>
}

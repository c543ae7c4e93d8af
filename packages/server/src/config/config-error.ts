/** What is wrong with the configuration: all of it at once, each with its location. */

import { type Saying, say, toSaid } from '@dorkos/shared'

export interface ConfigFault {
  /** The key, with dots; empty where the file as a whole is meant. */
  path: string
  /** What is wrong and what would be right, as one sentence. */
  message: string
  /** `<file>:<line>:<column>`, the variable's name, or the flag. */
  location: string
  /** Where the message is a sentence of ours. */
  saying?: Saying
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    super(sayFaults(faults).message)
    this.faults = faults
  }
}

/** As clients know them. */
export function faultDetails(faults: readonly ConfigFault[]): object[] {
  return faults.map(({ location, saying, ...fault }) => ({
    ...fault,
    ...(saying && { said: toSaid(saying) }),
    place: location,
  }))
}

/** For people: a line for each fault. */
export const sayFaults = (faults: readonly ConfigFault[]): Saying =>
  say('config_faults', {
    faults: faults.map(({ location, message, saying }) =>
      say('config_fault_at', { location, fault: saying ?? message }),
    ),
  })

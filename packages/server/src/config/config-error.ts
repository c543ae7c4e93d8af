/** What is wrong with the configuration: all of it at once, each with its location. */

export interface ConfigFault {
  /** The key, with dots; empty where the file as a whole is meant. */
  path: string
  /** What is wrong and what would be right, as one sentence. */
  message: string
  /** `<file>:<line>:<column>`, the variable's name, or the flag. */
  location: string
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    super(describeFaults(faults))
    this.faults = faults
  }
}

/** As clients know them. */
export function faultDetails(faults: readonly ConfigFault[]): object[] {
  return faults.map(({ location, ...fault }) => ({ ...fault, place: location }))
}

/** For people: a line for each fault. */
export function describeFaults(faults: readonly ConfigFault[]): string {
  const lines = faults.map((fault) => `  ${fault.location}: ${fault.message}`)
  const head =
    faults.length === 1 ? 'The configuration has a fault:' : `The configuration has ${faults.length} faults:`
  return [head, ...lines].join('\n')
}

/** What a server offers, checked and cleaned: nothing in it can hide characters from a person or break a request to the model. */

/** A tool, resource, template or prompt as the server gave it, without control and invisible characters. Unknown fields stay. */
export type Definition = Readonly<Record<string, unknown>>

export interface CatalogueTool extends Definition {
  readonly name: string
  readonly description?: string
  readonly inputSchema: Definition
}

export interface Catalogue {
  /** Sorted by name, so that the model's prompt cache holds. */
  readonly tools: readonly CatalogueTool[]
  readonly resources: readonly Definition[]
  readonly resourceTemplates: readonly Definition[]
  readonly prompts: readonly Definition[]
  readonly instructions: string | undefined
  /** The server's capabilities as it declared them. */
  readonly capabilities: Definition
  /** What was left out or cut, in sentences: "tool 'x': …". */
  readonly faults: readonly string[]
}

export const emptyCatalogue: Catalogue = {
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  instructions: undefined,
  capabilities: {},
  faults: [],
}

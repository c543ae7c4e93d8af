/** What the tool host tells of its modules, beside their tools. Plain data. */

/**
 * Read with `resources/read`; `notifications/resources/updated` says that it is different. It is in no list and no capability: a server
 * that announces resources makes Claude Code give the model three more tools.
 */
export const modulesUri = 'dorkos://tools/modules'

export interface ModuleFault {
  /** Absolute: the module, or a file that it imports. */
  file: string
  /** From 1. */
  line?: number
  /** From 1. */
  column?: number
  message: string
}

export interface ModuleReport {
  /** Absolute. */
  file: string
  /** `loading` also while a new version is on its way and the old one serves. */
  state: 'loading' | 'ready' | 'failed'
  /** The names of the tools that it offers now. */
  tools: string[]
  /** Why it is not loaded, what it left out, or how it crashed last. */
  faults: ModuleFault[]
}

export function faultText({ file, line, column, message }: ModuleFault): string {
  const place = line === undefined ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`
  return `${place}: ${message}`
}

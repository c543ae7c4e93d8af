/** What the tool host reports of its modules, beside their tools. Plain data. */
import type { ModuleFault } from '../core/ports/tool-folders.ts'

/**
 * Read with `resources/read`; `notifications/resources/updated` says that it is different. It is in no list and no capability: a server
 * that announces resources makes Claude Code give the model three more tools.
 */
export const modulesUri = 'dorkos://tools/modules'

export function faultText({ file, line, column, message }: ModuleFault): string {
  const location = line === undefined ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`
  return `${location}: ${message}`
}

/** The environment of the CLI process. */
import type { SessionOptions } from '../options.ts'
import { version } from '../version.ts'
import { undocumentedVariables as variables } from './undocumented-variables.ts'

/** Variables that would make the CLI believe it runs inside another Claude Code. */
const notInherited = [
  'CLAUDECODE',
  variables.editorPort.name,
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
]

/**
 * With `replace`, `options.env` is the whole environment (as in the official `query()`); else it is laid over the
 * program's own.
 */
export function toEnvironment(
  options: SessionOptions,
  own: Record<string, string | undefined>,
  replace = false,
): Record<string, string> {
  const inherited = replace && options.env ? {} : { ...own }
  for (const name of notInherited) delete inherited[name]
  const merged: Record<string, string | undefined> = { ...inherited, ...options.env }
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(merged)) if (value !== undefined) environment[name] = value
  environment[variables.entrypoint.name] ??= 'sdk-ts'
  environment[variables.hostVersion.name] ??= version
  environment[variables.readsSessionState.name] = '1'
  if (options.enableFileCheckpointing) environment[variables.fileCheckpoints.name] = 'true'
  const preview = options.toolConfig?.askUserQuestion?.previewFormat
  if (preview) environment[variables.questionPreview.name] = preview
  return environment
}

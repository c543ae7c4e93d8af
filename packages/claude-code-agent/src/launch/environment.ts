/** The environment of the CLI process. */
import type { SessionOptions } from '../options.ts'
import { version } from '../version.ts'

/** Variables that would make the CLI believe it runs inside another Claude Code. */
const notInherited = [
  'CLAUDECODE',
  'CLAUDE_CODE_SSE_PORT',
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
  environment.CLAUDE_CODE_ENTRYPOINT ??= 'sdk-ts'
  environment.CLAUDE_AGENT_SDK_VERSION ??= version
  environment.CLAUDE_CODE_SDK_READS_SESSION_STATE = '1'
  if (options.enableFileCheckpointing) environment.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING = 'true'
  const preview = options.toolConfig?.askUserQuestion?.previewFormat
  if (preview) environment.CLAUDE_CODE_QUESTION_PREVIEW_FORMAT = preview
  return environment
}

/**
 * An entry of a transcript → the message that the CLI sends live for the same thing. Entries that keep the CLI's books
 * (requests, snapshots, queues, titles, costs; new kinds come with each version) give none.
 */
import { isRecord } from '@dorkos/shared'
import type { CliMessage } from '../ports/agent.ts'
import { hookAttachment, hookFeedback } from './map-hooks.ts'
import { tagContent } from './map-user.ts'
import { defined, type Fields, list, record, text } from './untrusted.ts'

export interface TranscriptCliMessage {
  message: CliMessage
  /** What begins here: a message to the agent, or work that woke it. */
  starts: 'message' | 'background' | undefined
}

/** `parent`: the call of the subagent whose transcript this is. */
export function transcriptMessage(
  entry: unknown,
  parent: string | undefined,
): TranscriptCliMessage | undefined {
  const fields = record(entry)
  if (fields.truncated === true) return { message: tooLarge(fields), starts: undefined }
  switch (fields.type) {
    case 'user':
      return userEntry(fields, speaker(fields, parent))
    case 'assistant':
      return { message: assistantEntry(fields, speaker(fields, parent)), starts: undefined }
    case 'system':
      return { message: systemEntry(fields), starts: undefined }
    case 'attachment':
      return attachment(record(fields.attachment), fields, speaker(fields, parent))
    default:
      return undefined
  }
}

/** Older CLIs wrote subagents into the session's own file, without the call that they belong to. */
function speaker(entry: Fields, parent: string | undefined): string | undefined {
  if (parent !== undefined || entry.isSidechain !== true) return parent
  return text(entry.agentId) ?? 'sidechain'
}

function assistantEntry(entry: Fields, parent: string | undefined): CliMessage {
  return {
    type: 'assistant',
    ...defined({
      uuid: entry.uuid,
      timestamp: entry.timestamp,
      parent_tool_use_id: parent,
      api_block_index: entry.apiBlockIndex,
      thinking_duration_ms: entry.thinkingDurationMs,
    }),
    message: entry.message,
    supersedes: entry.supersedes,
  }
}

function userEntry(entry: Fields, parent: string | undefined): TranscriptCliMessage | undefined {
  const { content } = record(entry.message)
  // What only the model reads: reminders, and the caveat before a local command.
  if (entry.isMeta === true) return parent === undefined ? feedbackEntry(content) : undefined
  if (typeof content === 'string') {
    if (content.startsWith('<local-command-caveat>')) return undefined
    if (content.startsWith('<task-notification>')) return notification(content)
  }
  const holdsResult = list(content).some((block) => isRecord(block) && block.type === 'tool_result')
  const isOwn = entry.isCompactSummary !== true && entry.promptSource !== 'system' && parent === undefined
  const message: CliMessage = {
    type: 'user',
    uuid: entry.uuid,
    timestamp: entry.timestamp,
    parent_tool_use_id: parent,
    message: entry.message,
    isReplay: isOwn,
    isSynthetic: !isOwn,
    ...('toolUseResult' in entry && { tool_use_result: entry.toolUseResult }),
    ...(holdsResult && { tool_result_meta: resultNotes(entry, list(content)) }),
  }
  return { message, starts: isOwn && !holdsResult ? 'message' : undefined }
}

/** Live, the CLI notes beside a message why a call did not run; in a transcript the entry itself says it. */
function resultNotes(entry: Fields, blocks: readonly unknown[]): Fields[] {
  const note = {
    non_execution_kind: entry.toolDenialKind,
    permission_decision: entry.permissionDecision,
  }
  return blocks.map((block) => ({ id: record(block).tool_use_id, ...note }))
}

/** What woke the agent, or reached it while it worked. Live, `task_notification` says it. */
function notification(content: string): TranscriptCliMessage {
  const message: CliMessage = {
    type: 'system',
    subtype: 'task_notification',
    task_id: tagContent(content, 'task-id'),
    tool_use_id: tagContent(content, 'tool-use-id'),
    status: tagContent(content, 'status'),
    summary: tagContent(content, 'result') ?? tagContent(content, 'summary'),
  }
  return { message, starts: 'background' }
}

function systemEntry(entry: Fields): CliMessage {
  const metadata = record(entry.compactMetadata)
  const subtype = text(entry.subtype) ?? 'unknown'
  if (subtype === 'api_error') return retryEntry(entry)
  if (subtype !== 'compact_boundary') return { ...entry, type: 'system', subtype }
  return {
    type: 'system',
    subtype,
    compact_metadata: { trigger: metadata.trigger, pre_tokens: metadata.preTokens },
  }
}

/** A request that the CLI made again. Live, `api_retry` says it, with a word for the error (seen with CLI 2.1.325). */
function retryEntry(entry: Fields): CliMessage {
  const { status } = record(entry.error)
  return {
    type: 'system',
    subtype: 'api_retry',
    attempt: entry.retryAttempt,
    max_retries: entry.maxRetries,
    retry_delay_ms: entry.retryInMs,
    error_status: status,
    error: retryWords(status),
  }
}

function retryWords(status: unknown): string {
  if (status === 529) return 'overloaded'
  if (status === 429) return 'rate_limit'
  if (status === 401) return 'authentication_failed'
  return typeof status === 'number' && status >= 500 ? 'server_error' : 'unknown'
}

function feedbackEntry(content: unknown): TranscriptCliMessage | undefined {
  const message = typeof content === 'string' ? hookFeedback(content) : undefined
  return message && { message, starts: undefined }
}

/** Ends of hooks, and messages that were taken into a running turn. All else is for the model. */
function attachment(
  content: Fields,
  entry: Fields,
  parent: string | undefined,
): TranscriptCliMessage | undefined {
  const hook = parent === undefined ? hookAttachment(content) : undefined
  if (hook !== undefined) return { message: hook, starts: undefined }
  if (content.type !== 'queued_command') return undefined
  const { prompt } = content
  if (typeof prompt === 'string' && prompt.startsWith('<task-notification>'))
    return { ...notification(prompt), starts: undefined }
  if (content.commandMode !== undefined && content.commandMode !== 'prompt') return undefined
  const uuid = text(content.source_uuid) ?? entry.uuid
  return {
    message: { type: 'user', uuid, message: { role: 'user', content: prompt }, isReplay: true },
    starts: 'message',
  }
}

function tooLarge(entry: Fields): CliMessage {
  const bytes = typeof entry.bytes === 'number' ? ` of ${(entry.bytes / 1e6).toFixed(1)} MB` : ''
  const content = `An entry${bytes} of the transcript is too large to be shown.`
  return { type: 'system', subtype: 'informational', tag: 'entry_too_large', content, level: 'info' }
}

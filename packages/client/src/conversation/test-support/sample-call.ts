/** For tests: a tool call of a conversation. */
import type { ToolItem } from '../../live/page-session.ts'

export function sampleCall(callId: string, change: Partial<ToolItem> = {}): ToolItem {
  return {
    kind: 'tool',
    key: `tool:${callId}`,
    time: '2026-05-01T10:00:00.000Z',
    callId,
    messageId: 'm',
    index: 0,
    name: 'Bash',
    status: 'running',
    inputJson: '',
    input: {},
    result: undefined,
    progress: undefined,
    approvalId: undefined,
    decision: undefined,
    startTime: undefined,
    endTime: undefined,
    children: [],
    subagent: undefined,
    ...change,
  }
}

import { expect, it } from 'vitest'
import type { CliMessage } from '../ports/agent.ts'
import { initialMapState, mapMessage } from './map-message.ts'
import { mapTranscript } from './map-transcript.ts'

const sessionId = '00000000-0000-4000-8000-000000000000'
const message = (isError: boolean) => ({
  content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x', is_error: isError }],
})

/** As the CLI notes it live, and in the transcript (2.1.325). */
function stopped(kind: string | undefined, decision: string | undefined, isError = true): unknown[] {
  const note = { non_execution_kind: kind, permission_decision: decision && { decision } }
  const live = {
    type: 'user',
    uuid: 'u1',
    message: message(isError),
    tool_result_meta: [
      { id: 'other', non_execution_kind: 'interrupted' },
      { id: 't1', ...note },
    ],
  }
  const entry = {
    type: 'user',
    uuid: 'u1',
    message: message(isError),
    toolUseResult: 'x',
    toolDenialKind: kind,
    permissionDecision: decision && { decision },
  }
  const events = [
    ...mapMessage(initialMapState(), live as unknown as CliMessage).events,
    ...mapTranscript([{ offset: 0, entry }], { sessionId }),
  ]
  return events.map((event) => (event.type === 'tool_result' ? event.stopped : event.type))
}

it.each([
  ['permission-rule', 'reject', 'denied'],
  ['permission-rule', undefined, 'denied'],
  ['automode-blocked', undefined, 'denied'],
  [undefined, 'reject', 'denied'],
  ['user-rejected', undefined, 'interrupted'],
  ['interrupted', undefined, 'interrupted'],
  ['cancelled', 'accept', 'interrupted'],
  [undefined, 'accept', undefined],
  [undefined, undefined, undefined],
  ['from-the-future', undefined, undefined],
] as const)('a result of kind %s, decision %s, is %s, live and in a transcript', (kind, decision, is) => {
  expect(stopped(kind, decision)).toEqual([is, is])
  // What is no error came from the tool itself.
  expect(stopped(kind, decision, false)).toEqual([undefined, undefined])
})

import { describe, expect, it } from 'vitest'
import type { ToolResult } from '../../live/page-session.ts'
import { questionsOf } from './questions.ts'
import { changesOf, commandResult, patchOf, resultText } from './result-parts.ts'
import { callTime, effectiveStatus } from './tool-card.tsx'

function result(text: string, change: Partial<ToolResult> = {}): ToolResult {
  return { content: [{ type: 'text', text }], isError: false, detail: undefined, omittedBytes: 0, ...change }
}

describe('commandResult', () => {
  const streams = { stdout: 'out', stderr: 'err', interrupted: false, isImage: false }
  it.each([
    ['success', result('out\nerr', { detail: streams }), { output: 'out\nerr', exitCode: 0 }],
    [
      'no output',
      result('', { detail: { ...streams, stdout: '', stderr: '' } }),
      { output: '', exitCode: 0 },
    ],
    [
      'failure',
      result('Exit code 3\nout\nerr', { isError: true, detail: 'Error: Exit code 3' }),
      { output: 'out\nerr', exitCode: 3 },
    ],
    [
      'background',
      result('Command running', { detail: { ...streams, stdout: '', stderr: '', backgroundTaskId: 'b' } }),
      { output: '', exitCode: undefined, background: true },
    ],
    [
      'cut off',
      result('out', { detail: { ...streams, interrupted: true } }),
      { exitCode: undefined, interrupted: true },
    ],
    [
      'refused',
      result('<tool_use_error>no</tool_use_error>', { isError: true }),
      { output: 'no', exitCode: undefined },
    ],
    ['none yet', undefined, { output: '', exitCode: undefined }],
  ])('%s', (_name, given, expected) => expect(commandResult(given)).toMatchObject(expected))
})

describe('patchOf', () => {
  const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 3, lines: [' a', '-b', '+c', '+d'] }
  it('gives the hunks as they came', () => {
    expect(patchOf(result('', { detail: { structuredPatch: [hunk] } }))).toEqual([hunk])
  })
  it.each([
    [undefined],
    [[]],
    ['nonsense'],
    [[{ ...hunk, lines: [1] }]],
    [[{ ...hunk, oldStart: 'x' }]],
    [[{ ...hunk, oldLines: 1 }]],
  ])('takes no part of %j', (structuredPatch) => {
    expect(patchOf(result('', { detail: { structuredPatch } }))).toBeUndefined()
  })
})

it('reads changes from inputs, however they are', () => {
  expect(changesOf('Edit', { old_string: 'a', new_string: 'b' })).toEqual([{ before: 'a', after: 'b' }])
  expect(changesOf('Write', { content: 'x' })).toEqual([{ before: '', after: 'x' }])
  expect(changesOf('MultiEdit', { edits: [{ old_string: 'a', new_string: 'b' }, null] })).toHaveLength(2)
  expect(changesOf('MultiEdit', { edits: 'x' })).toEqual([])
})

it('takes the tags of errors away', () => {
  expect(resultText(result('<tool_use_error>Unknown skill</tool_use_error>'))).toBe('Unknown skill')
})

it('counts from when it was allowed, and only what ran', () => {
  const item = {
    time: '2026-05-01T09:59:00.000Z',
    startTime: '2026-05-01T10:00:00.000Z',
    endTime: '2026-05-01T10:01:00.000Z',
    decision: undefined,
    status: 'done' as const,
  }
  const decision = {
    state: 'allowed' as const,
    by: undefined,
    time: '2026-05-01T10:00:50.000Z',
    message: undefined,
    edited: false,
    answer: undefined,
  }
  const ms = (time: ReturnType<typeof callTime>) => time?.endMs !== undefined && time.endMs - time.startMs
  expect(ms(callTime(item))).toBe(60_000)
  expect(ms(callTime({ ...item, decision }))).toBe(10_000)
  expect(callTime({ ...item, status: 'denied' })).toBeUndefined()
  expect(callTime({ ...item, endTime: undefined })).toBeUndefined()
})

it('shows a subagent that goes on in the background', () => {
  const subagent = { agent: 'a', description: 'd', background: true, status: undefined, summary: undefined }
  expect(effectiveStatus({ status: 'done', subagent })).toBe('running')
  expect(effectiveStatus({ status: 'done', subagent: { ...subagent, status: 'completed' } })).toBe('done')
  expect(effectiveStatus({ status: 'done', subagent: { ...subagent, status: 'failed' } })).toBe('failed')
  expect(effectiveStatus({ status: 'done', subagent: { ...subagent, status: 'stopped' } })).toBe(
    'interrupted',
  )
  expect(effectiveStatus({ status: 'denied', subagent })).toBe('denied')
  expect(effectiveStatus({ status: 'running', subagent: undefined })).toBe('running')
})

it('finds answers in the decision and in the result', () => {
  const asked = {
    input: { questions: [{ question: 'Which?' }, { question: 'What?' }] },
    inputJson: '',
    result: undefined,
    decision: undefined,
  }
  const decision = {
    state: 'allowed' as const,
    by: undefined,
    time: '',
    message: undefined,
    edited: false,
    answer: { 'Which?': 'A', 'What?': ['B', 'C'] },
  }
  expect(questionsOf(asked).map(({ answers }) => answers)).toEqual([[], []])
  expect(questionsOf({ ...asked, decision }).map(({ answers }) => answers)).toEqual([['A'], ['B', 'C']])
  const answered = result('', { detail: { answers: { 'Which?': 'A' } } })
  expect(questionsOf({ ...asked, result: answered })[0]?.answers).toEqual(['A'])
})

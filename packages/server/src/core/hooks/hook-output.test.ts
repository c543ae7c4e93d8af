import { describe, expect, it } from 'vitest'
import type { HookEnd } from '../ports/hook-runner.ts'
import { eventsOf, opinionOf, outputFor } from './hook-output.ts'

const ended = (part: Partial<HookEnd>): HookEnd => ({
  outcome: 'ended',
  exitCode: 0,
  stdout: '',
  stderr: '',
  ...part,
})
const answers = (answer: object) => ended({ stdout: JSON.stringify(answer) })

describe('what a hook says to the agent', () => {
  it('is plain words only where the model hears them', () => {
    const words = ended({ stdout: 'words\n' })
    expect(outputFor('UserPromptSubmit', words)).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'words' },
    })
    expect(outputFor('PostToolUse', words)).toEqual({})
  })

  it('is an objection by the exit code 2 or by its answer, where something can still be stopped', () => {
    expect(outputFor('Stop', ended({ exitCode: 2, stderr: 'not yet' }))).toEqual({
      decision: 'block',
      reason: 'not yet',
    })
    expect(outputFor('Stop', answers({ decision: 'block', reason: 'r' }))).toEqual({
      decision: 'block',
      reason: 'r',
    })
    expect(outputFor('Notification', ended({ exitCode: 2, stderr: 'x' }))).toEqual({})
    expect(outputFor('Stop', ended({ exitCode: 1, stderr: 'broken' }))).toEqual({})
  })

  it('leaves out all that would answer, speak or act in somebody’s place', () => {
    const answer = {
      decision: 'approve',
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: 'fine',
        initialUserMessage: 'x',
        action: 'accept',
        updatedMCPToolOutput: 'y',
        permissionDecision: 'allow',
      },
      terminalSequence: '\u001b]0;x\u0007',
    }
    expect(outputFor('SessionStart', answers(answer))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'fine' },
    })
  })
})

it.each(['Elicitation', 'ElicitationResult'])('a hook of %s cannot answer a form', (event) => {
  for (const action of ['accept', 'decline', 'cancel']) {
    const own = { hookEventName: event, action, content: { name: 'Ann' } }
    expect(outputFor(event, answers({ hookSpecificOutput: own }))).toEqual({})
  }
})

describe('what a hook says about a call', () => {
  it.each([
    [{ hookSpecificOutput: { permissionDecision: 'allow' } }, 'allow'],
    [{ hookSpecificOutput: { permissionDecision: 'ask' } }, 'ask'],
    [{ hookSpecificOutput: { permissionDecision: 'deny' } }, 'deny'],
    [{ hookSpecificOutput: { permissionDecision: 'defer' } }, 'nothing'],
    [{ decision: 'approve' }, 'allow'],
    [{ decision: 'block' }, 'deny'],
    [{ continue: false, decision: 'approve' }, 'deny'],
    [{ hookSpecificOutput: 'allow' }, 'nothing'],
    [{}, 'nothing'],
  ])('%j means %s', (answer, says) => {
    expect(opinionOf('PreToolUse', answers(answer)).says).toBe(says)
  })

  it('of a permission question stands in its decision', () => {
    const of = (decision: object) =>
      opinionOf('PermissionRequest', answers({ hookSpecificOutput: { decision } }))
    expect(of({ behavior: 'allow' })).toEqual({ says: 'allow' })
    expect(of({ behavior: 'deny', message: 'no' })).toEqual({ says: 'deny', reason: 'no' })
    expect(of({ behavior: 'allow', updatedInput: { command: 'x' } })).toMatchObject({ rewrites: true })
    expect(of({ behavior: 'allow', updatedPermissions: [] })).toMatchObject({ rewrites: true })
  })

  it('is nothing when it fails, ends late or is no answer', () => {
    for (const end of [
      ended({ exitCode: 1, stdout: '{"decision":"approve"}' }),
      ended({ outcome: 'timed_out', exitCode: undefined, stdout: '{"decision":"approve"}' }),
      ended({ stdout: '{"decision":' }),
      ended({ stdout: 'allow' }),
    ])
      expect(opinionOf('PreToolUse', end)).toEqual({ says: 'nothing' })
    expect(opinionOf('PreToolUse', ended({ exitCode: 2 }))).toMatchObject({
      says: 'deny',
      reason: expect.any(String),
    })
  })
})

it('of silent hooks nothing is published; of others what they said, and how they ended', () => {
  expect(eventsOf('Stop', ended({}))).toEqual([])
  expect(eventsOf('Stop', ended({ stdout: 'hi' }))).toMatchObject([
    { hook: 'Stop', outcome: 'said', output: 'hi' },
  ])
  expect(eventsOf('Stop', ended({ exitCode: 1, stderr: 'x' }))).toMatchObject([{ outcome: 'failed' }])
  const late = ended({ outcome: 'timed_out', exitCode: undefined, stderr: 'It took longer than 1 s.' })
  expect(eventsOf('Stop', late)).toMatchObject([{ outcome: 'failed', output: 'It took longer than 1 s.' }])
})

import { describe, expect, it } from 'vitest'
import { readChatLine } from './chat-commands.ts'

describe('readChatLine', () => {
  it('joins lines that end with a backslash', () => {
    expect(readChatLine('one\\', [])).toEqual({ kind: 'more', text: 'one' })
    expect(readChatLine('two', ['one'])).toEqual({ kind: 'message', text: 'one\ntwo' })
    expect(readChatLine('/stop', ['one'])).toEqual({ kind: 'message', text: 'one\n/stop' })
  })

  it('knows its commands, and says so of others', () => {
    expect(readChatLine('/stop', [])).toEqual({ kind: 'stop' })
    expect(readChatLine('/run', [])).toEqual({ kind: 'run' })
    expect(readChatLine('/drop', [])).toEqual({ kind: 'drop' })
    expect(readChatLine('/exit', [])).toEqual({ kind: 'quit' })
    expect(readChatLine('/model opus', [])).toEqual({ kind: 'model', model: 'opus' })
    expect(readChatLine('/model', [])).toEqual({ kind: 'model', model: undefined })
    expect(readChatLine('/effort high', [])).toEqual({ kind: 'effort', effort: 'high' })
    expect(readChatLine('/effort', [])).toEqual({ kind: 'effort', effort: undefined })
    expect(readChatLine('/effort utmost', [])).toMatchObject({ kind: 'fault' })
    expect(readChatLine('/mode plan', [])).toEqual({ kind: 'mode', mode: 'plan' })
    expect(readChatLine('/mode yolo', [])).toMatchObject({ kind: 'fault' })
    expect(readChatLine('/compact', [])).toMatchObject({ kind: 'fault' })
  })

  it('sends the agent’s own commands with two slashes, and nothing for nothing', () => {
    expect(readChatLine('//compact now', [])).toEqual({ kind: 'message', text: '/compact now' })
    expect(readChatLine('  ', [])).toEqual({ kind: 'nothing' })
  })
})

import { describe, expect, it } from 'vitest'
import { ModelRequest } from './model-request.ts'
import type { RequestBody, RequestMessage } from './request-body.ts'

function request(messages: RequestMessage[], fields: Partial<RequestBody> = {}): ModelRequest {
  return new ModelRequest({ model: 'claude-test', messages, ...fields }, {})
}

const reminder = { type: 'text', text: '<system-reminder>\nbe brief\n</system-reminder>' }

describe('ModelRequest', () => {
  it('finds what the user said between reminders and system messages', () => {
    const said = request([
      { role: 'user', content: [reminder, { type: 'text', text: 'hello' }] },
      { role: 'system', content: 'Today is a day' },
    ])
    expect(said.lastUserText).toBe('hello')
    expect(said.toolResults).toEqual([])
    expect(said.newText).toContain('Today is a day')
  })

  it('gives the results of the latest tool uses, and still what set them off', () => {
    const working = request([
      { role: 'user', content: 'add' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_0', name: 'old', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_0', content: 'old' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'add', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [{ type: 'text', text: '5' }],
            is_error: true,
          },
          reminder,
        ],
      },
      { role: 'system', content: [{ type: 'text', text: 'The user sent a new message: faster' }] },
    ])
    expect(working.lastUserText).toBe('add')
    expect(working.toolResults).toEqual([
      { toolUseId: 'toolu_1', text: '5', content: [{ type: 'text', text: '5' }], isError: true },
    ])
    expect(working.newText).toContain('5')
    expect(working.newText).toContain('faster')
    expect(working.newText).not.toContain('old')
  })

  it('gives the notification where background work woke the agent', () => {
    const notice = { type: 'text', text: '<system-reminder>\n<task-notification>done</task-notification>' }
    const woken = request([
      { role: 'user', content: 'start it' },
      { role: 'assistant', content: 'started' },
      { role: 'user', content: [notice] },
    ])
    expect(woken.lastUserText).toContain('<task-notification>done')
  })

  it('joins the system prompt and lists the tools', () => {
    const system = [
      { type: 'text', text: 'You are' },
      { type: 'text', text: 'an agent' },
    ]
    const full = request([], { system, tools: [{ name: 'Bash' }, { name: 'mcp__calc__add' }] })
    expect(full.system).toBe('You are\nan agent')
    expect(full.toolNames).toEqual(['Bash', 'mcp__calc__add'])
    expect(request([], { system: 'plain' }).system).toBe('plain')
    expect(request([]).system).toBe('')
  })
})

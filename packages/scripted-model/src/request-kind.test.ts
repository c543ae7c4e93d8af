import { describe, expect, it } from 'vitest'
import type { RequestBody } from './request-body.ts'
import { requestKind } from './request-kind.ts'

const CLI = { 'user-agent': 'claude-cli/2.1.325 (external, sdk-cli)' }
const mark = { cache_control: { type: 'ephemeral' } }
const bash = { name: 'Bash', input_schema: { type: 'object' } }

function body(fields: Partial<RequestBody>): RequestBody {
  return {
    model: 'claude-test',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...mark }] }],
    tools: [bash],
    ...fields,
  }
}

const forked: RequestBody['messages'] = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: [{ type: 'text', text: 'hello', ...mark }] },
  { role: 'user', content: [{ type: 'text', text: 'CRITICAL: Respond with TEXT ONLY.' }] },
]

describe('requestKind', () => {
  it('takes an agent for the main one unless it has an id of its own', () => {
    expect(requestKind(body({}), CLI)).toBe('main')
    expect(requestKind(body({}), { ...CLI, 'x-claude-code-agent-id': 'a1' })).toBe('subagent')
  })

  it('knows an agent without tools by its cache mark', () => {
    expect(requestKind(body({ tools: [] }), CLI)).toBe('main')
  })

  it('knows an agent without tools and without caching by its thinking', () => {
    const messages: RequestBody['messages'] = [{ role: 'user', content: 'hi' }]
    expect(requestKind(body({ tools: [], messages, thinking: { type: 'adaptive' } }), CLI)).toBe('main')
    expect(requestKind(body({ tools: [], messages }), CLI)).toBe('side')
  })

  it('takes a question for an answer of a fixed shape as a side request', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } }
    expect(requestKind(body({ tools: [], output_config: { format } }), CLI)).toBe('side')
  })

  it('takes the run of a server tool as a side request', () => {
    const tools = [{ name: 'web_search', type: 'web_search_20250305' }]
    expect(requestKind(body({ tools }), CLI)).toBe('side')
  })

  it('takes a fork of the conversation as a side request', () => {
    expect(requestKind(body({ messages: forked }), CLI)).toBe('side')
  })

  it('does not guess about other clients', () => {
    expect(requestKind(body({ messages: forked }), { 'user-agent': 'node' })).toBe('main')
    expect(requestKind(body({ messages: forked }), {})).toBe('main')
  })
})

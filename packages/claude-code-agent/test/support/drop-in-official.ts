import {
  AbortError,
  type CanUseTool,
  createSdkMcpServer,
  type HookCallback,
  type HookCallbackMatcher,
  type Options,
  type Query,
  query,
  type SDKMessage,
  type SDKUserMessage,
  tool,
} from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'

/** A program as people write them: one prompt, one conversation, tools, permissions, hooks and every common message. */
export async function program(options: Options): Promise<string[]> {
  const said: string[] = []
  const add = tool('add', 'Adds two numbers', { a: z.number(), b: z.number().optional() }, async (args) => ({
    content: [{ type: 'text', text: String(args.a + (args.b ?? 0)) }],
  }))
  const canUseTool: CanUseTool = async (toolName, input, { signal, toolUseID }) => {
    said.push(`asked for ${toolName} ${Object.keys(input).length} ${signal.aborted} ${toolUseID.length > 0}`)
    return { behavior: 'allow', updatedInput: input }
  }
  const watch: HookCallback = async (input, toolUseId, { signal }) => {
    if (input.hook_event_name === 'PreToolUse')
      said.push(`hook ${input.tool_name} ${toolUseId !== undefined} ${signal.aborted}`)
    return { continue: true }
  }
  const matchers: HookCallbackMatcher[] = [{ matcher: 'mcp__.*', hooks: [watch] }]
  const all: Options = {
    ...options,
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' },
    permissionMode: 'default',
    maxTurns: 5,
    includePartialMessages: true,
    mcpServers: { calc: createSdkMcpServer({ name: 'calc', version: '1.0.0', tools: [add] }) },
    canUseTool,
    hooks: { PreToolUse: matchers },
  }

  for await (const message of query({ prompt: 'Add', options: all })) said.push(...describe(message))

  async function* conversation(): AsyncGenerator<SDKUserMessage> {
    yield {
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      parent_tool_use_id: null,
      session_id: '',
    }
  }
  const talk: Query = query({ prompt: conversation(), options })
  const commands = await talk.supportedCommands()
  said.push(`${commands.length > 0}`)
  for await (const message of talk) {
    if (message.type === 'result' && message.subtype === 'success') said.push(message.result)
  }

  const abortController = new AbortController()
  abortController.abort()
  try {
    for await (const _ of query({ prompt: 'never', options: { ...options, abortController } }));
  } catch (error) {
    if (error instanceof AbortError) said.push('aborted')
  }
  return said
}

function describe(message: SDKMessage): string[] {
  switch (message.type) {
    case 'system':
      return message.subtype === 'init' ? [`${message.model} ${message.tools.length > 0}`] : []
    case 'assistant':
      return message.message.content.map((block) => {
        if (block.type === 'text') return block.text
        if (block.type === 'tool_use') return `${block.name} ${JSON.stringify(block.input)}`
        return block.type
      })
    case 'user':
      return typeof message.message.content === 'string'
        ? []
        : message.message.content.map(({ type }) => type)
    case 'stream_event':
      return message.event.type === 'message_start' ? ['starts'] : []
    case 'result':
      if (message.subtype === 'success') return [`${message.result} after ${message.num_turns}`]
      return message.errors
    default:
      return []
  }
}

// A function of your own as a tool of the agent: no settings file, no server to start.
import { ClaudeCodeAgent, createSdkMcpServer, tool } from 'claude-code-agent'

const add = tool({
  name: 'add',
  description: 'Adds two numbers and returns the sum. Use it for every addition.',
  inputSchema: { a: 'number', b: 'number' },
  handler: ({ a, b }) => String(a + b),
})

const agent = new ClaudeCodeAgent({
  mcpServers: { calc: createSdkMcpServer({ name: 'calc', tools: [add] }) },
  allowedTools: ['mcp__calc__add'],
})

const session = await agent.startSession({ prompt: 'What is 17 + 25?' })

for await (const message of session.messages()) {
  if (message.type === 'tool_use') console.log(`→ ${message.toolName}`, message.input)
  if (message.type === 'tool_result') console.log(`← ${message.content}`)
  if (message.type === 'assistant') console.log(message.content)
}

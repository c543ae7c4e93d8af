// A database that the agent can ask anything and change nothing.
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ClaudeCodeAgent, createSdkMcpServer } from 'claude-code-agent'
import { queryTool } from './query-tool.ts'
import { openReadOnly } from './read-only-database.ts'
import { createSampleShop } from './sample-shop.ts'

const path = await createSampleShop()
const database = openReadOnly(path)

const agent = new ClaudeCodeAgent({
  mcpServers: { db: createSdkMcpServer({ name: 'database', tools: [queryTool(database)] }) },
  allowedTools: ['mcp__db__query'],
  // The query tool is all that this agent gets: no files, no shell.
  tools: [],
})

const session = await agent.startSession({
  prompt: 'Which customers have an open order above 100 euros?',
})

for await (const message of session.messages()) {
  if (message.type === 'tool_use') console.log(`→ ${message.input.sql}`, message.input.params ?? '')
  if (message.type === 'tool_result') console.log(message.isError ? '✗' : '←', message.content)
  if (message.type === 'assistant') console.log(message.content)
}

database.close()
await rm(dirname(path), { recursive: true })

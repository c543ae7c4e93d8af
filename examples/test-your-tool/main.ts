// The program whose tool is tested, offline and on the real CLI, in test-your-tool.test.ts.
import { ClaudeCodeAgent } from 'claude-code-agent'
import { shop } from './shipping.ts'

const agent = new ClaudeCodeAgent({ mcpServers: { shop }, allowedTools: ['mcp__shop__quote_shipping'] })
const session = await agent.startSession({ prompt: 'What does a parcel of 3 kg to France cost?' })
const { result } = await session.waitForCompletion()
console.log(result?.content)

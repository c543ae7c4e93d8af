import type { Reply } from '../reply.ts'
import { isRecord } from '../request-body.ts'
import { callTool, type Exchange, say } from './exchange.ts'

// Any other tool that the session offers: `call <server> <tool> {…}`, or by its whole name.

export function callAnyTool(exchange: Exchange, [, tool = '', json = '']: RegExpExecArray): Reply {
  const input = readInput(json.trim())
  if (input === undefined)
    return say(`The input of a tool is an object in JSON, such as \`{"name": "Ada"}\`.`)
  const words = tool.trim().split(/\s+/)
  const name = words.length === 2 ? `mcp__${words.join('__')}` : tool.trim()
  return callTool(exchange, { name, input, announce: `I call the tool \`${name}\`.`, report: 'It answered:' })
}

function readInput(json: string): Record<string, unknown> | undefined {
  try {
    const input: unknown = JSON.parse(json || '{}')
    return isRecord(input) ? input : undefined
  } catch {
    return undefined
  }
}

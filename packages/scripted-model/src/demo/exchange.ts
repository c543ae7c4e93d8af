import { text, toolUse } from '../block.ts'
import type { ModelRequest } from '../model-request.ts'
import { type Reply, reply } from '../reply.ts'
import type { RequestTool } from '../request-body.ts'
import { report } from './report.ts'
import type { DemoCall, DemoTurn } from './turn.ts'

/** What a rule gets to see: the request, and how far the answer to it has come. */
export interface Exchange extends DemoTurn {
  request: ModelRequest
  /** False when the CLI asks a second time because the first answer was an error. Ask once only. */
  isFirstAttempt: () => boolean
}

export interface ToolPlan {
  /** As the model sees it. */
  name: string
  input: Record<string, unknown>
  /** Said before the call. */
  announce: string
  /** Introduces the tool's answer, or makes the whole report of it. */
  report: string | ((call: DemoCall) => string)
}

export function offeredTool({ request }: Exchange, name: string): RequestTool | undefined {
  return request.tools.find((tool) => tool.name === name)
}

/** The names of a tool's parameters. */
export function parametersOf(tool: RequestTool | undefined): Record<string, unknown> {
  return (tool?.input_schema?.properties ?? {}) as Record<string, unknown>
}

/** Calls one tool, then reports its answer. A tool that the CLI holds back behind its tool search is fetched first. */
export function callTool(exchange: Exchange, plan: ToolPlan): Reply {
  const last = exchange.calls.at(-1)
  if (last?.name === plan.name) {
    const { report: how } = plan
    return say(
      typeof how === 'function' && last.result?.isError !== true ? how(last) : report(last, asSentence(how)),
    )
  }
  if (offeredTool(exchange, plan.name) !== undefined) {
    return reply([text(plan.announce), toolUse(plan.name, plan.input)])
  }
  if (last === undefined && plan.name.startsWith('mcp__') && offeredTool(exchange, 'ToolSearch')) {
    return reply([toolUse('ToolSearch', { query: `select:${plan.name}`, max_results: 1 })])
  }
  return say(
    `I would use the tool \`${plan.name}\` for that, but this session does not offer it, so I can do nothing.`,
  )
}

function asSentence(how: ToolPlan['report']): string {
  return typeof how === 'string' ? how : 'It answered:'
}

export function say(words: string): Reply {
  return reply([words])
}

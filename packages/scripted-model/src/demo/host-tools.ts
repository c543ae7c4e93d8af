import type { Reply } from '../reply.ts'
import { callTool, type Exchange, offeredTool, parametersOf, say } from './exchange.ts'

// The tools that DorkOS injects into every session.

const PREFIX = 'mcp__dorkos__'

interface HostTool {
  name: string
  input?: Record<string, unknown>
  report: string
}

export function callHostTool(exchange: Exchange, { name, input = {}, report }: HostTool): Reply {
  return callTool(exchange, {
    name: PREFIX + name,
    input,
    announce: `I call DorkOS's own tool \`${name}\`.`,
    report,
  })
}

export function serverInfo(exchange: Exchange): Reply {
  const input = /uptime/i.test(exchange.said) ? { include_uptime: true } : {}
  return callHostTool(exchange, { name: 'get_server_info', input, report: 'The server says of itself:' })
}

export function sessionDetails(exchange: Exchange, id: string): Reply {
  if (id === '') return say('Which session? Say `session details <id>`.')
  const parameters = parametersOf(offeredTool(exchange, `${PREFIX}get_session_details`))
  const parameter = ['session_id', 'sessionId', 'id'].find((name) => name in parameters) ?? 'session_id'
  return callHostTool(exchange, {
    name: 'get_session_details',
    input: { [parameter]: id },
    report: `This is known of the session ${id}:`,
  })
}

export function setConfig(exchange: Exchange, [, key = '', raw = '']: RegExpExecArray): Reply {
  const { value: parameter } = parametersOf(offeredTool(exchange, `${PREFIX}set_config`))
  const wantsText = (parameter as { type?: unknown } | undefined)?.type === 'string'
  return callHostTool(exchange, {
    name: 'set_config',
    input: { key, value: wantsText ? raw : literal(raw) },
    report: `\`${key}\` was set:`,
  })
}

/** A number, a boolean or other JSON where it is one; text otherwise. */
function literal(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

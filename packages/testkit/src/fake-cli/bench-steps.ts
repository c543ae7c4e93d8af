import { setImmediate } from 'node:timers/promises'
import type { Program } from './program.ts'
import type { FloodStep, ToolStep } from './scenario.ts'
import { type FakeTurn, Interrupted } from './turn.ts'

const chunkBytes = 64 * 1024

/** Equal lines are built once and written in chunks; only the host's reading limits the rate. */
export async function flood(program: Program, turn: FakeTurn, step: FloodStep): Promise<void> {
  const { head, tail } = floodLine(program, step)
  const line = `${head}0${tail}`
  const perChunk = Math.max(1, Math.floor(chunkBytes / line.length))
  const full = Buffer.from(line.repeat(Math.min(perChunk, step.count)))
  for (let sent = 0; sent < step.count; sent += perChunk) {
    if (turn.signal.aborted) throw new Interrupted()
    const count = Math.min(perChunk, step.count - sent)
    if (step.numbered) await program.output.bytes(numberedLines(head, tail, sent, count))
    else await program.output.bytes(count === perChunk ? full : full.subarray(0, count * line.length))
    // Stdin is read between chunks even when the host takes everything at once.
    await setImmediate()
  }
}

function numberedLines(head: string, tail: string, first: number, count: number): Buffer {
  let text = ''
  for (let n = first; n < first + count; n++) text += `${head}${n}${tail}`
  return Buffer.from(text)
}

/** A line split where its number goes; ASCII only, so that its length in bytes is its length. */
function floodLine(program: Program, step: FloodStep): { head: string; tail: string } {
  const build = (text: string): { head: string; tail: string } => {
    const rest = JSON.stringify(floodMessage(program, step, text)).slice(1)
    return { head: '{"n":', tail: `,${rest}\n` }
  }
  const bare = build('')
  const missing = (step.bytes ?? 0) - (bare.head.length + bare.tail.length)
  return missing > 0 ? build('x'.repeat(missing)) : bare
}

function floodMessage(program: Program, step: FloodStep, text: string): object {
  const ids = { session_id: program.facts.sessionId, parent_tool_use_id: null, uuid: 'f'.repeat(32) }
  switch (step.kind ?? 'stream_event') {
    case 'assistant': {
      const content = [{ type: 'text', text }]
      const message = {
        id: 'msg_flood',
        type: 'message',
        role: 'assistant',
        model: program.facts.model,
        content,
      }
      return { type: 'assistant', message, ...ids }
    }
    case 'unknown':
      return { type: 'flood_message', text, ...ids }
    case 'stream_event': {
      const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
      return { type: 'stream_event', event, ...ids }
    }
  }
}

/** Calls a tool `count` times with a fixed number open at once; requests are joined from ready-made pieces. */
export function callRepeatedly(
  program: Program,
  turn: FakeTurn,
  step: ToolStep,
  count: number,
): Promise<void> {
  const { output, requests, servers } = program
  const server = JSON.stringify(step.server)
  const open =
    `","request":{"subtype":"mcp_message","server_name":${server},"message":{"method":"tools/call",` +
    `"params":{"name":${JSON.stringify(step.name)},"arguments":${JSON.stringify(step.args ?? {})},` +
    '"_meta":{"claudecode/toolUseId":"toolu_repeat_'
  return new Promise((resolve, reject) => {
    let sent = 0
    let answered = 0
    const call = (): void => {
      const id = servers.nextId(step.server)
      const requestId = `repeat-${step.server}-${id}`
      const request = { server_name: step.server, message: { id } }
      requests.register(requestId, { kind: 'tool_call', request, settle })
      sent += 1
      output.line(
        `{"type":"control_request","request_id":${JSON.stringify(requestId).slice(0, -1)}${open}${id}",` +
          `"progressToken":${id}}},"jsonrpc":"2.0","id":${id}}}}\n`,
      )
    }
    const settle = (answer: { outcome: string }): void => {
      if (answer.outcome === 'interrupted') {
        turn.inTools = true
        reject(new Interrupted())
        return
      }
      answered += 1
      if (sent < count) call()
      else if (answered === sent) resolve()
    }
    const first = Math.min(count, Math.max(1, step.inFlight ?? 1))
    for (let n = 0; n < first; n++) call()
    if (count <= 0) resolve()
  })
}

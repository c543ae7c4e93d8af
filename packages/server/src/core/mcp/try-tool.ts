/**
 * One call of a tool by a person who tries it: on the very server that sessions use, with their limits, and only what they would get.
 * Written to the audit log before and after.
 */
import {
  type CatalogueTool,
  canonicalJson,
  fullToolName,
  type ServerEntry,
  type Supervisor,
} from '@dorkos/mcp-gateway'
import { isRecord, type McpCall, say } from '@dorkos/shared'
import { type Actor, actorName, deciderOf } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { boundedValue, limits, short } from '../event-map/bounded-value.ts'
import { boundedContent } from '../event-map/content-blocks.ts'
import type { Audit } from '../permissions/audit.ts'
import { inputHash } from '../permissions/input-hash.ts'
import { boundedInput } from '../permissions/tool-audit.ts'
import type { Clock } from '../ports/clock.ts'
import type { Mcp } from './mcp.ts'
import { untilSettled } from './until-settled.ts'

export interface TryToolParts {
  mcp: Mcp
  supervisor: Supervisor
  clock: Clock
  appendAudit: Audit['append']
}

export interface TriedTool {
  entry: ServerEntry
  /** The owner's own tools are not pinned. */
  isOwn: boolean
  workspaceId: string | undefined
  tool: string
  input: Record<string, unknown>
}

export async function tryTool(parts: TryToolParts, actor: Actor, tried: TriedTool): Promise<McpCall> {
  const { mcp, supervisor, clock } = parts
  const { entry, isOwn } = tried
  if (!isOwn) mcp.pinKey(entry)
  // Nobody waits at this call to be asked; sessions may use this very connection later, and can.
  const onElicitation = async () => ({ action: 'decline' as const })
  const hold = supervisor.hold(entry, { id: `call by ${actorName(actor)}`, onElicitation })
  try {
    await untilSettled(hold, clock)
    const { state, error } = hold.status()
    if (state !== 'connected')
      throw new AppError(
        'conflict',
        say('mcp_server_disconnected', { name: entry.name, why: error || undefined }),
      )
    if (!isOwn) await mcp.comparePins(entry)
    const { tools } = hold.catalogue()
    checkOffered(mcp, tried, tools)
    return await recorded(parts, actor, tried, () =>
      hold.request(
        'tools/call',
        { name: tried.tool, arguments: tried.input },
        // The process that the call goes to may be another than the one that was listed.
        { check: () => checkOffered(mcp, tried, hold.catalogue().tools) },
      ),
    )
  } finally {
    hold.release()
  }
}

/** Throws for a tool that is not offered to the sessions of this workspace. */
function checkOffered(
  mcp: Mcp,
  { entry, isOwn, workspaceId, tool }: TriedTool,
  tools: readonly CatalogueTool[],
) {
  const { name } = entry
  const found = tools.find((one) => one.name === tool)
  if (!found) {
    const names = tools.slice(0, 20).map((one) => one.name)
    throw new AppError('not_found', say('mcp_tool_not_found', { server: name, tool, tools: names }))
  }
  if (mcp.switches.isToolOff(workspaceId, undefined, name, tool))
    throw new AppError('conflict', say('mcp_tool_off', { tool }))
  if (!isOwn && !mcp.pins.offers(mcp.pinKey(entry), found))
    throw new AppError('conflict', say('mcp_tool_held_back', { tool }))
}

async function recorded(
  { appendAudit, clock }: TryToolParts,
  actor: Actor,
  { entry, tool, input, workspaceId }: TriedTool,
  request: () => Promise<Record<string, unknown>>,
): Promise<McpCall> {
  const facts = {
    tool: fullToolName(entry.name, tool),
    input_hash: inputHash(input),
    principal: actor.principal,
    decided_by: deciderOf(actor),
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
  }
  const detail = { server: entry.name, tool }
  const kept = boundedInput(input, canonicalJson(input))
  await appendAudit([{ action: 'mcp_tool_tried', ...facts, input: kept, detail }])
  const begun = clock.monotonic()
  const given = await request().then(toGiven, (error: unknown) => failed(error))
  const call: McpCall = { ...given, duration_ms: Math.round(clock.monotonic() - begun) }
  const { is_error, duration_ms } = call
  await appendAudit([{ action: 'mcp_tool_finished', ...facts, detail: { ...detail, is_error, duration_ms } }])
  return call
}

type Given = Omit<McpCall, 'duration_ms'>

/** A call that came to no result looks as it does to an agent. */
function failed(error: unknown): Given {
  const message = error instanceof Error ? error.message : String(error)
  return { content: [{ type: 'text', text: short(message) }], is_error: true }
}

function toGiven(result: Record<string, unknown>): Given {
  const { content, structuredContent, isError } = result
  if (!Array.isArray(content) && structuredContent === undefined)
    return failed(new Error('The tool ended, but its server answered without any content.'))
  const source = Array.isArray(content) ? content.map(asInEvents) : []
  const { blocks, omittedBytes } = boundedContent(source, limits.resultTextBytes)
  return {
    content: blocks,
    is_error: isError === true,
    ...(structuredContent !== undefined && {
      structured_content: boundedValue(structuredContent, limits.detailBytes),
    }),
    ...(omittedBytes > 0 && { omitted_bytes: omittedBytes }),
  }
}

/** Images and sounds have another shape in MCP than in the results of sessions. */
function asInEvents(block: unknown): unknown {
  if (!isRecord(block) || typeof block.data !== 'string') return block
  const { type, data, mimeType } = block
  if (type !== 'image' && type !== 'audio') return block
  return { type, source: { type: 'base64', media_type: mimeType, data } }
}

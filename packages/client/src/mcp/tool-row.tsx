import { Play } from 'lucide-react'
import { useId, useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DisclosureButton } from '../ui/disclosure.tsx'
import { formatCount, formatMs } from '../ui/format.ts'
import { ReasonButton } from '../ui/reason-button.tsx'
import { Switch } from '../ui/switch.tsx'
import { useMcpChange } from './mcp-queries.ts'
import type { McpTool } from './server-state.ts'
import { ToolPermissionField } from './tool-permission-field.tsx'
import { ToolSchema } from './tool-schema.tsx'
import { TryTool } from './try-tool.tsx'
import { useToolRules } from './use-tool-rules.ts'

const ruleTones = { allow: 'ok', ask: 'neutral', deny: 'denied' } as const

export interface ToolRowProps {
  /** The name of its server. */
  server: string
  tool: McpTool
  workspaceId: string | undefined
  /** Shows what is new in it. */
  onReview?: (() => void) | undefined
  /** Whether its server can be called at all. */
  canRun: boolean
}

/** A tool: one line, and all of it when opened. */
export function ToolRow(props: ToolRowProps) {
  const { tool, server, workspaceId } = props
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <li className="rounded-lg border border-line bg-card">
      <div className="flex items-start gap-2 pr-3">
        <DisclosureButton
          open={open}
          onToggle={() => setOpen(!open)}
          aria-controls={open ? id : undefined}
          className="flex min-h-11 min-w-0 flex-1 items-start gap-2 rounded-lg py-2 pl-2 hover:bg-hover [&>svg]:mt-1"
        >
          <Summary tool={tool} workspaceId={workspaceId} isOpen={open} />
        </DisclosureButton>
        <span className="flex h-11 items-center">
          <ToolSwitch server={server} tool={tool} workspaceId={workspaceId} />
        </span>
      </div>
      {open && (
        <div id={id} className="border-t border-line p-3">
          <Whole {...props} />
        </div>
      )}
    </li>
  )
}

function Summary({
  tool,
  workspaceId,
  isOpen,
}: Pick<ToolRowProps, 'tool' | 'workspaceId'> & { isOpen: boolean }) {
  const { pin, stats } = tool
  const rule = useToolRules(tool.full_name, workspaceId)?.inForce
  const words = text.mcp.tool
  return (
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <bdi
          title={withVisibleControls(tool.name)}
          className="max-w-full truncate font-mono text-sm font-medium"
        >
          <SafeText text={tool.name} />
        </bdi>
        {tool.title !== undefined && (
          <bdi className="max-w-full truncate text-sm text-soft">
            <SafeText text={tool.title} />
          </bdi>
        )}
        {pin.status !== 'pinned' && (
          <Badge tone="warn" title={words.pinHints[pin.status]}>
            {words.pins[pin.status]}
          </Badge>
        )}
        {pin.held && (
          <Badge tone="danger" title={text.mcp.heldHint}>
            {words.held}
          </Badge>
        )}
        <ToolHints hints={tool.hints} />
        {tool.switched_off && <Badge>{words.off}</Badge>}
        {rule && (
          <Badge tone={ruleTones[rule.effect]} title={text.mcp.permission.now[rule.effect]}>
            {text.mcp.permission.badges[rule.effect]}
          </Badge>
        )}
      </span>
      {!isOpen && tool.description !== undefined && (
        <span dir="auto" className="block truncate text-xs text-soft">
          <SafeText text={tool.description.slice(0, 300)} />
        </span>
      )}
      <span className="flex flex-wrap gap-x-3 text-xs text-faint tabular-nums">
        <span title={text.mcp.tokensHint}>{text.mcp.tokens(formatCount(tool.context_tokens))}</span>
        {stats.calls > 0 && <span>{text.mcp.calls(stats.calls)}</span>}
        {stats.errors > 0 && <span className="text-danger">{text.mcp.errors(stats.errors)}</span>}
        {stats.p50_ms !== undefined && (
          <span>
            {text.mcp.p50} {formatMs(stats.p50_ms)}
          </span>
        )}
        {stats.p95_ms !== undefined && (
          <span>
            {text.mcp.p95} {formatMs(stats.p95_ms)}
          </span>
        )}
      </span>
    </span>
  )
}

function ToolSwitch({ server, tool, workspaceId }: Pick<ToolRowProps, 'server' | 'tool' | 'workspaceId'>) {
  const isAdmin = useCan('admin')
  const { busy, run } = useMcpChange()
  const change = (on: boolean) =>
    run(async () => {
      if (workspaceId !== undefined)
        await api.switchMcp({ body: { workspace_id: workspaceId, server, tool: tool.name, off: !on } })
    })
  // Its badge says what it is for who may not change it.
  if (!isAdmin || workspaceId === undefined) return null
  return (
    <Switch
      label={text.mcp.switches.tool(withVisibleControls(tool.name))}
      checked={!tool.switched_off}
      disabled={busy}
      onChange={(on) => void change(on)}
    />
  )
}

function Whole({ server, tool, workspaceId, onReview, canRun }: ToolRowProps) {
  const isAdmin = useCan('admin')
  const [trying, setTrying] = useState(false)
  const words = text.mcp.tool
  const why = notTriable(tool)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {tool.description === undefined ? (
        <p className="text-sm text-faint">{words.noDescription}</p>
      ) : (
        <p dir="auto" className="max-h-80 overflow-y-auto text-sm break-words whitespace-pre-wrap">
          <SafeText text={tool.description} />
        </p>
      )}
      <div className="flex items-center gap-1 text-xs text-soft">
        <span className="shrink-0">{words.asModel}</span>
        <code className="min-w-0 break-all">
          <SafeText text={tool.full_name} />
        </code>
        <CopyButton value={tool.full_name} />
      </div>
      {workspaceId !== undefined && <ToolPermissionField tool={tool} workspaceId={workspaceId} />}
      <ToolSchema schema={tool.input_schema} />
      <div className="flex flex-wrap items-center gap-2">
        {onReview && tool.pin.status !== 'pinned' && (
          <Button size="sm" onClick={onReview}>
            {tool.pin.status === 'new' ? words.reviewNew : words.reviewChange}
          </Button>
        )}
        {canRun && !isAdmin && <span className="text-xs text-soft">{text.mcp.trying.notAdmin}</span>}
        {canRun && isAdmin && (
          <ReasonButton
            shows
            size="sm"
            icon={Play}
            aria-expanded={trying}
            reason={why}
            onClick={() => setTrying(!trying)}
          >
            {text.mcp.trying.open}
          </ReasonButton>
        )}
      </div>
      {trying && isAdmin && why === undefined && (
        <TryTool server={server} tool={tool.name} schema={tool.input_schema} workspaceId={workspaceId} />
      )}
    </div>
  )
}

/** Only what sessions of the workspace would get can be tried. */
function notTriable(tool: McpTool): string | undefined {
  const words = text.mcp.trying
  if (tool.switched_off) return words.off
  return tool.pin.held ? words.held : undefined
}

/** What a server claims of its tool. It is said that it is a claim: nothing holds the server to it. */
function ToolHints({ hints = {} }: Pick<McpTool, 'hints'>) {
  const { hints: words, hintTitles: titles } = text.mcp.tool
  const { read_only: readOnly, destructive, open_world: openWorld } = hints
  return (
    <>
      {readOnly && <Badge title={titles.readOnly}>{words.readOnly}</Badge>}
      {destructive && !readOnly && (
        <Badge tone="warn" title={titles.destructive}>
          {words.destructive}
        </Badge>
      )}
      {openWorld && <Badge title={titles.openWorld}>{words.openWorld}</Badge>}
    </>
  )
}

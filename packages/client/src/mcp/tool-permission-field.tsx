import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Select } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'
import type { McpTool } from './server-state.ts'
import {
  chosenPermission,
  maySet,
  permissionChange,
  type ToolPermission,
  type ToolRules,
  toolPermissions,
} from './tool-permission.ts'
import { useToolRules } from './use-tool-rules.ts'

interface ToolPermissionFieldProps {
  tool: McpTool
  workspaceId: string
}

/** Whether agents of a workspace are asked about a tool: writes, changes or revokes a rule, and shows which one holds. */
export function ToolPermissionField({ tool, workspaceId }: ToolPermissionFieldProps) {
  const rules = useToolRules(tool.full_name, workspaceId)
  const may = { admin: useCan('admin'), approve: useCan('approve') }
  const { busy, write } = useWriting()
  if (!rules) return null
  const words = text.mcp.permission
  const chosen = chosenPermission(rules)
  const choices = toolPermissions.filter((one) => one === chosen || maySet(rules, one, may))
  const choose = (value: string) => {
    const wanted = choices.find((one) => one === value)
    if (wanted !== undefined) void write(rules, wanted, tool.full_name, workspaceId)
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span aria-hidden className="text-sm font-medium">
          {words.title}
        </span>
        {choices.length < 2 ? (
          <span className="text-sm">{words.choices[chosen]}</span>
        ) : (
          <Select
            aria-label={words.label(withVisibleControls(tool.name))}
            value={chosen}
            disabled={busy}
            aria-busy={busy}
            onChange={({ target }) => choose(target.value)}
            className="w-auto!"
          >
            {choices.map((one) => (
              <option key={one} value={one}>
                {words.choices[one]}
              </option>
            ))}
          </Select>
        )}
      </div>
      <InForce rules={rules} />
    </div>
  )
}

/** What holds now: it may be another rule than the one chosen here. */
function InForce({ rules: { own, inForce, partial } }: { rules: ToolRules }) {
  const words = text.mcp.permission
  const isOther = inForce !== undefined && !own.includes(inForce)
  return (
    <p aria-live="polite" className="text-xs text-soft">
      {words.now[inForce?.effect ?? 'usual']} {isOther && `${words.other(otherScope(inForce))} `}
      {inForce && <RuleLink id={inForce.id} label={words.show} />}
      {partial.length > 0 && (
        <span className="block">
          {words.partial(partial.length)} <RuleLink id={partial[0]?.id ?? ''} label={words.showPartial} />
        </span>
      )}
    </p>
  )
}

function otherScope({ origin, scope }: NonNullable<ToolRules['inForce']>): string {
  const { scopes } = text.mcp.permission
  return origin === 'configuration' ? scopes.configuration : scopes[scope.kind]
}

function RuleLink({ id, label }: { id: string; label: string }) {
  return (
    <Link href={`/rules#${id}`} className="inline-flex items-center link max-sm:min-h-10">
      {label}
    </Link>
  )
}

function useWriting() {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const write = async (rules: ToolRules, wanted: ToolPermission, tool: string, workspaceId: string) => {
    const { create, change, revoke } = permissionChange(rules, wanted, tool, workspaceId)
    setBusy(true)
    try {
      if (create) await api.createRule({ body: create })
      if (change) await api.changeRule({ params: { id: change.id }, body: { effect: change.effect } })
      for (const id of revoke) await api.revokeRule({ params: { id } })
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      await queries.invalidateQueries({ queryKey: ['rules'] }).catch(() => undefined)
      setBusy(false)
    }
  }
  return { busy, write }
}

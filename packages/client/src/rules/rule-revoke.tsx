import type { Rule } from '@dorkos/shared'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { text } from '../text/page-text.ts'
import { Confirm } from '../ui/confirm.tsx'
import { toast } from '../ui/toast.tsx'

export function RuleRevoke({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
  const queries = useQueryClient()
  const t = text.rules
  if (!rule) return null
  const revoke = async () => {
    await api.revokeRule({ params: { id: rule.id } })
    toast.ok(t.revoked)
    void queries.invalidateQueries({ queryKey: ['rules'] })
  }
  return (
    <Confirm
      open
      danger
      title={t.revokeTitle}
      message={t.revokeMessage[rule.effect](rule.tool)}
      action={t.revoke}
      onClose={onClose}
      onConfirm={revoke}
    />
  )
}

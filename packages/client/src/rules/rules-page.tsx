import type { Rule } from '@dorkos/shared'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { useHash } from '../browser/use-hash.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { toast } from '../ui/toast.tsx'
import { sortRules } from './rule-draft.ts'
import { RuleEditor } from './rule-editor.tsx'
import { RuleRow } from './rule-row.tsx'
import { rulesQuery } from './rules-query.ts'

/** All rules: where they come from, where they hold, and how to change them. */
export function RulesPage() {
  const target = useHash()
  const [chosen, setRevoked] = useState<boolean>()
  const [edited, setEdited] = useState<Rule | 'new'>()
  const [revoking, setRevoking] = useState<Rule>()
  const mayEdit = useCan('admin')
  const inForce = useQuery(rulesQuery(false))
  // A link may name a rule that was revoked since.
  const isThere = target === undefined || (inForce.data?.rules.some(({ id }) => id === target) ?? true)
  const revoked = chosen ?? !isThere
  const all = useQuery({ ...rulesQuery(true), enabled: revoked })
  const query = revoked ? all : inForce
  const t = text.rules
  return (
    <Page
      title={t.title}
      description={t.description}
      actions={
        mayEdit && (
          <Button variant="primary" icon={Plus} iconOnPhone onClick={() => setEdited('new')}>
            {t.add}
          </Button>
        )
      }
    >
      {!mayEdit && <Notice tone="neutral">{t.needsAdmin}</Notice>}
      <div className="max-sm:order-last">
        <Checkbox
          label={t.showRevoked}
          checked={revoked}
          onChange={({ target }) => setRevoked(target.checked)}
        />
      </div>
      <QueryView query={query}>
        {({ rules }) => (
          <RuleList rules={sortRules(rules)} target={target} onEdit={setEdited} onRevoke={setRevoking} />
        )}
      </QueryView>
      {edited && (
        <RuleEditor rule={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      <RuleRevoke rule={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  )
}

interface RuleListProps {
  rules: Rule[]
  target: string | undefined
  onEdit: (rule: Rule) => void
  onRevoke: (rule: Rule) => void
}

function RuleList({ rules, target, onEdit, onRevoke }: RuleListProps) {
  const t = text.rules
  if (rules.length === 0)
    return (
      <Empty icon={ScrollText} title={t.empty}>
        {t.emptyMeans}
      </Empty>
    )
  return (
    <ul className="divide-y divide-line rounded-xl border border-line bg-card">
      {rules.map((rule) => (
        <RuleRow
          key={rule.id}
          rule={rule}
          named={rule.id === target}
          onEdit={() => onEdit(rule)}
          onRevoke={() => onRevoke(rule)}
        />
      ))}
    </ul>
  )
}

function RuleRevoke({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
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

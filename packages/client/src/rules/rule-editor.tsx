import type { Rule } from '@dorkos/shared'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, errorText } from '../api.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Select, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast.tsx'
import {
  draftOfRule,
  isChosenOnCard,
  newRuleDraft,
  type RuleDraft,
  type RuleFaults,
  ruleFaults,
  ruleOf,
} from './rule-draft.ts'
import { Match } from './rule-row.tsx'
import { RuleScopeFields } from './rule-scope-fields.tsx'

const effects: readonly Rule['effect'][] = ['deny', 'ask', 'allow']

/** Adds a rule, or changes one. */
export function RuleEditor({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
  const formId = useId()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<RuleDraft>(() => (rule ? draftOfRule(rule) : newRuleDraft))
  const [showsFaults, setShowsFaults] = useState(false)
  const faults = ruleFaults(draft, rule)
  const t = text.rules
  const save = useMutation({
    mutationFn: () =>
      rule
        ? api.changeRule({ params: { id: rule.id }, body: ruleOf(draft) })
        : api.createRule({ body: ruleOf(draft) }),
    onSuccess() {
      toast.ok(t.saved)
      void queries.invalidateQueries({ queryKey: ['rules'] })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setShowsFaults(true)
    if (Object.keys(faults).length === 0) save.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={rule ? t.editTitle : t.addTitle}
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button type="submit" form={formId} variant="primary" busy={save.isPending}>
            {text.ui.save}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4 pb-2">
        <RuleFields rule={rule} draft={draft} setDraft={setDraft} faults={showsFaults ? faults : {}} />
        {save.error && <Notice tone="danger">{errorText(save.error)}</Notice>}
      </form>
    </Dialog>
  )
}

interface RuleFieldsProps {
  rule: Rule | undefined
  draft: RuleDraft
  setDraft: (draft: RuleDraft) => void
  faults: RuleFaults
}

function RuleFields({ rule, draft, setDraft, faults }: RuleFieldsProps) {
  const t = text.rules
  const isChosen = rule !== undefined && isChosenOnCard(rule)
  return (
    <>
      <Field label={t.fields.effect} hint={t.effectMeans[draft.effect]}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.effect}
            onChange={({ target }) =>
              setDraft({
                ...draft,
                effect: effects.find((effect) => effect === target.value) ?? draft.effect,
              })
            }
          >
            {effects
              .filter((effect) => effect === 'allow' || !rule?.prefix)
              .map((effect) => (
                <option key={effect} value={effect}>
                  {t.effects[effect]}
                </option>
              ))}
          </Select>
        )}
      </Field>
      {isChosen ? (
        <div className="flex flex-col gap-1">
          <p className="font-mono text-sm font-medium break-all">
            <SafeText text={rule.tool} />
          </p>
          <Match rule={rule} />
          <p className="text-xs text-soft">{t.chosenOnCard}</p>
        </div>
      ) : (
        <CallFields draft={draft} setDraft={setDraft} faults={faults} />
      )}
      {draft.effect === 'allow' && draft.match === '' && <Notice tone="warn">{t.broadAllow}</Notice>}
      <RuleScopeFields draft={draft} setDraft={setDraft} fault={faults.scope} />
    </>
  )
}

/** Which calls it is for. */
function CallFields({ draft, setDraft, faults }: Omit<RuleFieldsProps, 'rule'>) {
  const t = text.rules
  return (
    <>
      <Field label={t.fields.tool} hint={t.toolHint} fault={faults.tool}>
        {(ids) => (
          <Input
            {...ids}
            className="font-mono"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            maxLength={200}
            value={draft.tool}
            onChange={({ target }) => setDraft({ ...draft, tool: target.value })}
          />
        )}
      </Field>
      <Field label={t.fields.match} hint={t.matchHint} fault={faults.match}>
        {(ids) => (
          <Textarea
            {...ids}
            dir="ltr"
            rows={3}
            className="font-mono"
            spellCheck={false}
            maxLength={100_000}
            value={draft.match}
            onChange={({ target }) => setDraft({ ...draft, match: target.value })}
          />
        )}
      </Field>
    </>
  )
}

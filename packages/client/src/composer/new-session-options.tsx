import { type ReactNode, useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/later-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Checkbox, Field, Input } from '../ui/field.tsx'
import { formatUsd } from '../ui/format.ts'
import { BypassConfirm } from './bypass-confirm.tsx'
import { EffortPicker } from './effort-picker.tsx'
import { ModePicker } from './mode-picker.tsx'
import { ModelPicker } from './model-picker.tsx'
import { findModel, type Model } from './models.ts'
import { type Choices, parseBudget } from './new-session-choices.ts'
import type { Defaults } from './use-new-session.ts'

interface OptionsProps {
  choices: Choices
  defaults: Defaults
  onChange: (change: Partial<Choices>) => void
}

/** Permission mode, model and effort of the session to come, after what is given. */
export function NewSessionPickers({
  choices,
  defaults,
  models,
  onChange,
  children,
}: OptionsProps & { models: readonly Model[]; children: ReactNode }) {
  const canApprove = useCan('approve')
  const [asksBypass, setAsksBypass] = useState(false)
  const model = choices.model ?? defaults.model
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-1 min-[22rem]:max-sm:flex-nowrap min-[22rem]:max-sm:gap-x-0">
      {children}
      <ModePicker
        value={choices.mode ?? defaults.mode}
        canApprove={canApprove}
        onChange={(mode) => (mode === 'bypassPermissions' ? setAsksBypass(true) : onChange({ mode }))}
      />
      <ModelPicker models={models} value={model} onChange={(chosen) => onChange({ model: chosen })} />
      <EffortPicker
        levels={findModel(models, model)?.efforts ?? []}
        value={choices.effort}
        onChange={(effort) => onChange({ effort })}
      />
      <BypassConfirm
        open={asksBypass}
        onClose={() => setAsksBypass(false)}
        onConfirm={() => onChange({ mode: 'bypassPermissions' })}
      />
    </div>
  )
}

/** What few sessions need. */
export function MoreOptions({ choices, defaults, onChange }: OptionsProps) {
  const words = text.composer.fresh
  return (
    <Disclosure
      look="head"
      label={<span className="font-medium text-soft">{words.more}</span>}
      className="overflow-hidden rounded-xl border border-line bg-card"
    >
      <div className="grid gap-4 px-4 pb-4 sm:grid-cols-2">
        <Field label={words.sessionTitle} hint={words.titleHint}>
          {(ids) => (
            <Input
              {...ids}
              dir="auto"
              maxLength={200}
              value={choices.title}
              onChange={(event) => onChange({ title: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={words.cwd} hint={words.cwdHint}>
          {(ids) => (
            <Input
              {...ids}
              value={choices.cwd}
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              className="font-mono"
              onChange={(event) => onChange({ cwd: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field
          label={words.budget}
          hint={defaults.budgetUsd === 0 ? words.budgetNone : words.budgetHint(formatUsd(defaults.budgetUsd))}
          fault={parseBudget(choices.budget) === 'fault' ? words.budgetFault : undefined}
        >
          {(ids) => (
            <Input
              {...ids}
              inputMode="decimal"
              value={choices.budget}
              onChange={(event) => onChange({ budget: event.currentTarget.value })}
            />
          )}
        </Field>
        <Checkbox
          label={words.unattended}
          hint={words.unattendedHint}
          checked={choices.unattended}
          onChange={(event) => onChange({ unattended: event.currentTarget.checked })}
        />
      </div>
    </Disclosure>
  )
}

import type { Approval, Covers } from '@dorkos/shared'
import { type ReactNode, useId } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { useWorkspaceName } from '../queries/use-names.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { cx } from '../ui/class-names.ts'
import { Checkbox } from '../ui/field.tsx'
import { kindWords, offeredKinds, offeredScopes, type RuleChoice } from './rule-choice.ts'

interface RuleChoiceFieldsProps {
  approval: Approval
  choice: RuleChoice
  setChoice: (choice: RuleChoice) => void
}

/** What a rule is for, and where it holds. */
export function RuleChoiceFields(props: RuleChoiceFieldsProps) {
  const { approval, choice, setChoice } = props
  const t = text.approvals.always
  return (
    <>
      <Group label={t.what} className="flex-col">
        {(name) =>
          offeredKinds(approval).map((kind) => (
            <div key={kind} className="min-w-0">
              <Radio
                name={name}
                checked={choice.kind === kind}
                onChoose={() => setChoice({ ...choice, kind })}
              >
                <SafeText text={kindWords(kind, approval)} />
                <Hint kind={kind} />
              </Radio>
              {kind === 'fields' && choice.kind === kind && <FixedFields {...props} />}
            </div>
          ))
        }
      </Group>
      <Scopes {...props} />
    </>
  )
}

function Hint({ kind }: { kind: Covers['kind'] }) {
  const { hints } = text.approvals.always
  return kind === 'call' ? null : <span className="block text-xs text-soft">{hints[kind]}</span>
}

/** The values stand whole in the call above. */
function FixedFields({ approval, choice, setChoice }: RuleChoiceFieldsProps) {
  const { input, proposed_rule } = approval
  const toggle = (name: string, on: boolean) =>
    setChoice({
      ...choice,
      fields: on ? [...choice.fields, name] : choice.fields.filter((one) => one !== name),
    })
  return (
    <fieldset
      aria-label={text.approvals.always.fieldsLabel}
      className="ml-6 flex max-h-64 min-w-0 flex-col overflow-y-auto border-l border-line pl-3"
    >
      {proposed_rule?.fields?.map((name) => (
        <Checkbox
          key={name}
          checked={choice.fields.includes(name)}
          onChange={({ target }) => toggle(name, target.checked)}
          label={
            <span dir="ltr" className="line-clamp-2 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
              <SafeText text={name} />{' '}
              <span className="text-soft">
                <SafeText text={JSON.stringify(input[name]) ?? ''} />
              </span>
            </span>
          }
        />
      ))}
    </fieldset>
  )
}

function Scopes({ approval, choice, setChoice }: RuleChoiceFieldsProps) {
  const workspace = useWorkspaceName(approval.workspace_id)
  const mayEverywhere = useCan('admin')
  const whyOff = useId()
  const t = text.approvals.always
  return (
    <Group label={t.scope} className="flex-wrap gap-x-5">
      {(name) =>
        offeredScopes(approval).map((scope) => {
          const isOff = scope === 'everywhere' && !mayEverywhere
          return (
            <Radio
              key={scope}
              name={name}
              checked={choice.scope === scope}
              disabled={isOff}
              describedBy={isOff ? whyOff : undefined}
              onChoose={() => setChoice({ ...choice, scope })}
            >
              {t.scopes[scope](workspace)}
              {isOff && (
                <span id={whyOff} className="block text-xs text-soft">
                  {t.needsAdmin}
                </span>
              )}
            </Radio>
          )
        })
      }
    </Group>
  )
}

/** Radio buttons under one label; `children` get the name that ties them together. */
function Group({
  label,
  className,
  children,
}: {
  label: string
  className: string
  children: (name: string) => ReactNode
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="pb-0.5 font-medium">{label}</legend>
      <div className={cx('flex min-w-0', className)}>{children(name)}</div>
    </fieldset>
  )
}

interface RadioProps {
  name: string
  checked: boolean
  disabled?: boolean
  describedBy?: string | undefined
  onChoose: () => void
  children: ReactNode
}

function Radio({ name, checked, disabled = false, describedBy, onChoose, children }: RadioProps) {
  return (
    <label className="flex min-h-8 max-sm:min-h-11 cursor-pointer items-start gap-2 py-1 has-disabled:cursor-default has-disabled:opacity-60">
      <input
        type="radio"
        name={name}
        checked={checked}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={onChoose}
        className="mt-0.5 size-4 shrink-0 accent-(--ink)"
      />
      <bdi className="min-w-0 break-words">{children}</bdi>
    </label>
  )
}

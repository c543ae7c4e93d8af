import {
  type FormDraft,
  type FormField,
  formFields,
  initialDraft,
  isFormDraft,
  readForm,
} from '@dorkos/shared'
import { type FormEvent, useMemo, useState } from 'react'
import { FormFieldRow } from '../form/form-field-row.tsx'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/field.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { useApprovalDraft } from './approval-draft.ts'
import { ElicitationUrl } from './elicitation-url.tsx'

/** What an MCP server wants to know: a form, or a page to open. The server gets the answer, not the agent. */
export function ElicitationForm(form: AnswerFormProps) {
  const { input } = form.approval
  const message = typeof input.message === 'string' ? input.message : ''
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {message !== '' && (
        <p dir="auto" className="text-sm break-words whitespace-pre-wrap">
          <SafeText text={message} />
        </p>
      )}
      {typeof input.url === 'string' ? (
        <ElicitationUrl {...form} url={input.url} />
      ) : (
        <SchemaForm {...form} />
      )}
    </div>
  )
}

function SchemaForm({ approval, send, isBusy, disabled, arming }: AnswerFormProps) {
  const fields = useMemo(() => formFields(approval.input.schema), [approval.input.schema])
  const [draft, setDraft] = useApprovalDraft(approval.id, 'form', firstDraft(fields), isFormDraft)
  const [showsFaults, setShowsFaults] = useState(false)
  const { values, faults } = readForm(fields, draft)
  const t = text.approvals.form
  const server = withVisibleControls(String(approval.input.server ?? ''))
  const off = disabled || isBusy
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setShowsFaults(true)
    if (!off && Object.keys(faults).length === 0) send({ decision: 'allow', scope: 'once', answers: values })
  }
  return (
    <form noValidate onSubmit={submit} className="flex min-w-0 flex-col gap-3">
      {fields.length === 0 && <p className="text-sm text-soft">{t.noFields(server)}</p>}
      {fields.map((field) => {
        const { name } = field
        const fault = showsFaults && Object.hasOwn(faults, name) ? faults[name] : undefined
        const props = {
          field,
          value: draft[name] ?? '',
          disabled: off,
          fault: fault && text.form.fault(fault),
        }
        const onChange = (value: string) => setDraft({ ...draft, [name]: value })
        const Row = field.kind === 'boolean' ? YesNoRow : FormFieldRow
        return <Row key={name} {...props} onChange={onChange} />
      })}
      {fields.length > 0 && <p className="text-xs text-soft">{t.secretWarning}</p>}
      {!disabled && (
        <div className="flex flex-wrap gap-2 max-sm:grid max-sm:grid-cols-2">
          <AllowButton arming={arming} type="submit" variant="primary" busy={isBusy} disabled={off}>
            {fields.length === 0 ? t.accept : t.send}
          </AllowButton>
          <Button disabled={off} className="max-sm:order-first" onClick={() => send({ decision: 'deny' })}>
            {t.decline}
          </Button>
          <Button
            variant="ghost"
            disabled={off}
            className="max-sm:col-span-2"
            title={t.dismissMeans}
            onClick={() => send({ decision: 'deny', dismiss: true })}
          >
            {t.dismiss}
          </Button>
        </div>
      )}
    </form>
  )
}

/** A box without a tick is a no. */
function firstDraft(fields: readonly FormField[]): FormDraft {
  const unticked = fields.filter(({ kind }) => kind === 'boolean').map(({ name }) => [name, 'false'])
  const given = Object.entries(initialDraft(fields)).filter(([, value]) => value !== '')
  return Object.fromEntries([...unticked, ...given])
}

function YesNoRow({ field, value, disabled, onChange }: Parameters<typeof FormFieldRow>[0]) {
  return (
    <Checkbox
      label={withVisibleControls(field.label)}
      hint={withVisibleControls(field.description ?? '')}
      disabled={disabled}
      checked={value === 'true'}
      onChange={(event) => onChange(String(event.target.checked))}
    />
  )
}

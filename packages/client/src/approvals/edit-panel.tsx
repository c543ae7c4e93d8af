import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Textarea } from '../ui/field.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { useApprovalDraft } from './approval-draft.ts'
import { usePanelFocus } from './card-focus.ts'
import { onSendKeys } from './card-keys.ts'
import { draftOfInput, type InputField, inputFields, isInputDraft, readDraft } from './edited-input.ts'

type PanelProps = AnswerFormProps & { onClose: () => void }

/** Changes the input, field by field, and allows what then stands there. */
export function EditPanel({ approval, send, isBusy, arming, onClose }: PanelProps) {
  const original = draftOfInput(approval.input)
  const [draft, setDraft] = useApprovalDraft(approval.id, 'input', original, isInputDraft)
  const { input, changed, faults } = readDraft(approval.input, draft)
  const panel = usePanelFocus<HTMLElement>(onClose)
  const t = text.approvals.edit
  const submit = () => {
    if (input && changed) send({ decision: 'allow', scope: 'once', updated_input: input })
  }
  return (
    <section
      ref={panel}
      data-panel
      aria-label={t.title}
      className="flex scroll-mt-3 scroll-mb-4 flex-col gap-3 rounded-lg border border-line bg-ground p-3"
    >
      <div className="text-sm">
        <p className="font-medium">{t.title}</p>
        <p className="text-soft">{t.hint}</p>
      </div>
      {inputFields(approval.input).map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={draft[field.name] ?? ''}
          fault={faults[field.name]}
          onChange={(value) => setDraft({ ...draft, [field.name]: value })}
          onSend={submit}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <AllowButton
          arming={arming}
          variant="primary"
          busy={isBusy}
          reason={changed ? (input ? undefined : t.notValid) : t.unchanged}
          onClick={submit}
        >
          {t.allow}
        </AllowButton>
        {changed && (
          <Button variant="ghost" onClick={() => setDraft(original)}>
            {t.reset}
          </Button>
        )}
        <Button variant="ghost" onClick={onClose}>
          {text.ui.cancel}
        </Button>
        {!changed && <span className="text-xs text-soft">{t.unchanged}</span>}
      </div>
    </section>
  )
}

interface OneFieldProps {
  field: InputField
  value: string
  fault: string | undefined
  onChange: (value: string) => void
  onSend: () => void
}

function OneField({ field, value, fault, onChange, onSend }: OneFieldProps) {
  const rows = Math.min(Math.max(value.split('\n').length, field.name === 'command' ? 3 : 1), 16)
  return (
    <Field label={field.name} hint={field.isJson && text.approvals.edit.json} fault={fault}>
      {(ids) => (
        <Textarea
          {...ids}
          dir="ltr"
          rows={rows}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          className="font-mono"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onSendKeys(onSend)}
        />
      )}
    </Field>
  )
}

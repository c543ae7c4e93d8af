import { Check, ChevronDown, Code, ListChecks, MessageSquareReply, Pencil } from 'lucide-react'
import { useId, useState } from 'react'
import { useMedia } from '../browser/use-media.ts'
import { JsonView } from '../render/json-view.tsx'
import { Markdown } from '../render/markdown.tsx'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Field, Textarea } from '../ui/field.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { isText, useApprovalDraft } from './approval-draft.ts'
import { usePanelFocus } from './card-focus.ts'
import { type CardAction, pressedAction, useCardKeys } from './card-keys.ts'
import { KeyHint } from './key-hint.tsx'
import { MessagePanel } from './message-panel.tsx'
import { WholeText } from './whole-text.tsx'

type Panel = 'none' | 'edit' | 'feedback'

/** A plan to read: approve it, with or without asking about edits, or send it back. */
export function PlanReview(form: AnswerFormProps) {
  const { approval, send, isBusy, disabled } = form
  const { plan: given, ...rest } = approval.input
  const original = typeof given === 'string' ? given : ''
  const [plan, setPlan] = useApprovalDraft(approval.id, 'plan', original, isText)
  const [panel, setPanel] = useState<Panel>('none')
  const [showsSource, setShowsSource] = useState(false)
  const isEdited = plan !== original
  const t = text.approvals.plan
  const close = () => setPanel('none')
  const approve = (mode: 'default' | 'acceptEdits') =>
    send({
      decision: 'allow',
      scope: 'once',
      permission_mode: mode,
      ...(isEdited && { updated_input: { plan } }),
    })
  const act: Record<CardAction, () => void> = {
    allow: () => approve('default'),
    session: () => approve('acceptEdits'),
    deny: () => setPanel('feedback'),
    edit: () => setPanel('edit'),
  }
  const part = useCardKeys((event, card) => {
    const action = pressedAction(event, card)
    if (!action || disabled || isBusy) return false
    act[action]()
  })
  return (
    <div ref={part} className="flex min-w-0 flex-col gap-3">
      {panel === 'edit' ? (
        <PlanEditor plan={plan} onChange={setPlan} onClose={close} />
      ) : (
        <PlanText plan={plan} asSource={showsSource} />
      )}
      <div className="flex min-w-0 items-start gap-2 empty:hidden">
        {Object.keys(rest).length > 0 && <MoreInput input={rest} />}
        {panel !== 'edit' && plan.trim() !== '' && (
          <Button
            icon={Code}
            variant="ghost"
            size="sm"
            className="ml-auto shrink-0"
            title={t.sourceHint}
            aria-pressed={showsSource}
            onClick={() => setShowsSource(!showsSource)}
          >
            {t.source}
          </Button>
        )}
      </div>
      {isEdited && <Notice>{t.edited}</Notice>}
      {!disabled && <PlanButtons {...form} act={act} panel={panel} close={close} />}
      {panel === 'feedback' && (
        <MessagePanel
          {...form}
          label={t.feedback}
          placeholder={t.feedbackPlaceholder}
          action={t.sendFeedback}
          variant="primary"
          takesFocus
          onClose={close}
        />
      )}
      {panel === 'none' && !disabled && (
        <p className="text-xs text-faint pointer-coarse:hidden">{text.approvals.card.keys}</p>
      )}
    </div>
  )
}

interface PlanButtonsProps extends AnswerFormProps {
  act: Record<CardAction, () => void>
  panel: Panel
  close: () => void
}

/** Less at the sides than usual: so all of them have room on one line of a conversation. */
const narrow = 'sm:px-3!'
/** However narrow it is, its words are in it. */
const inColumn = 'px-2! whitespace-normal!'

/**
 * Approving on the left; sending it back apart from it on the right, and no smaller than the broadest approval. On a phone both are of one
 * size, and what grants more is behind "More".
 */
function PlanButtons({ act, panel, close, isBusy, arming }: PlanButtonsProps) {
  const t = text.approvals.plan
  const off = isBusy
  const meaning = useId()
  // Beside the sidebar, a conversation is as narrow as on a phone for longer than the window is.
  const isSmall = useMedia('(max-width: 55.99rem)')
  if (isSmall)
    return (
      <fieldset aria-label={text.approvals.actions.group} className="grid min-w-0 grid-cols-2 gap-2">
        <Button
          icon={MessageSquareReply}
          disabled={off}
          className={inColumn}
          aria-expanded={panel === 'feedback'}
          onClick={panel === 'feedback' ? close : act.deny}
        >
          {t.keepPlanning}
        </Button>
        <AllowButton
          arming={arming}
          variant="primary"
          icon={Check}
          busy={isBusy}
          disabled={off}
          className={inColumn}
          title={t.approveHint}
          onClick={act.allow}
        >
          {t.approveOnPhone}
        </AllowButton>
        <Menu
          trigger={
            <Button variant="ghost" disabled={off} className="col-span-2">
              {text.approvals.actions.more} <ChevronDown aria-hidden size={16} />
            </Button>
          }
        >
          <MenuItem icon={ListChecks} hint={t.acceptedEdits} onSelect={act.session}>
            {t.approveEdits}
          </MenuItem>
          <MenuItem icon={Pencil} onSelect={panel === 'edit' ? close : act.edit}>
            {panel === 'edit' ? t.stopEditing : t.edit}
          </MenuItem>
        </Menu>
      </fieldset>
    )
  return (
    <fieldset aria-label={text.approvals.actions.group} className="flex min-w-0 flex-wrap gap-1.5">
      <AllowButton
        arming={arming}
        variant="primary"
        icon={Check}
        busy={isBusy}
        disabled={off}
        className={narrow}
        title={t.approveHint}
        onClick={act.allow}
      >
        {t.approve} <KeyHint keys="A" />
      </AllowButton>
      <AllowButton
        arming={arming}
        disabled={off}
        className={narrow}
        aria-describedby={meaning}
        onClick={act.session}
      >
        {t.approveEdits} <KeyHint keys="S" />
      </AllowButton>
      <span className="flex flex-1 gap-1.5">
        <Button
          icon={Pencil}
          variant="ghost"
          className="px-2!"
          disabled={off}
          onClick={panel === 'edit' ? close : act.edit}
        >
          {panel === 'edit' ? t.stopEditing : t.edit} <KeyHint keys={panel === 'edit' ? 'Esc' : 'E'} />
        </Button>
        <Button
          icon={MessageSquareReply}
          disabled={off}
          className={cx(narrow, 'ml-auto min-w-60')}
          aria-expanded={panel === 'feedback'}
          onClick={panel === 'feedback' ? close : act.deny}
        >
          {t.keepPlanning} <KeyHint keys="D" />
        </Button>
      </span>
      <p id={meaning} className="w-full text-xs text-soft">
        {t.acceptedEdits}
      </p>
    </fieldset>
  )
}

/** What the agent gave besides the plan. */
function MoreInput({ input }: { input: Record<string, unknown> }) {
  return (
    <Disclosure label={text.approvals.input.more} className="flex-1">
      <JsonView value={input} whole />
    </Disclosure>
  )
}

/** As its Markdown means it, or letter by letter: that leaves out nothing. */
function PlanText({ plan, asSource }: { plan: string; asSource: boolean }) {
  const t = text.approvals.plan
  if (asSource) return <WholeText label={t.sourceLabel} value={plan} />
  return (
    <div className="min-w-0 rounded-lg border border-line bg-ground px-4 py-2">
      {plan.trim() === '' ? <p className="text-soft">{t.empty}</p> : <Markdown text={plan} />}
    </div>
  )
}

interface PlanEditorProps {
  plan: string
  onChange: (plan: string) => void
  onClose: () => void
}

function PlanEditor({ plan, onChange, onClose }: PlanEditorProps) {
  const panel = usePanelFocus<HTMLDivElement>(onClose)
  return (
    <div ref={panel} data-panel className="scroll-mt-3 scroll-mb-4">
      <Field label={text.approvals.plan.editLabel}>
        {(ids) => (
          <Textarea
            {...ids}
            dir="auto"
            rows={Math.min(Math.max(plan.split('\n').length + 1, 6), 24)}
            className="font-mono"
            value={plan}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </div>
  )
}

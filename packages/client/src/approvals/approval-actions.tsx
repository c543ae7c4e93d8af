import { Check, ChevronDown, MessageSquareX, OctagonX, Pencil, X } from 'lucide-react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { AllowButton } from './allow-button.tsx'
import type { Allowance } from './allowance.ts'
import { AlwaysPanel } from './always-panel.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { DenyPanel } from './deny-panel.tsx'
import { EditPanel } from './edit-panel.tsx'
import { KeyHint } from './key-hint.tsx'

/** What is open below the buttons. */
export type Panel = 'none' | 'always' | 'edit' | 'deny'

interface ApprovalActionsProps extends AnswerFormProps {
  allowance: Allowance
  panel: Panel
  setPanel: (panel: Panel) => void
}

export function ApprovalActions({ panel, setPanel, allowance, ...form }: ApprovalActionsProps) {
  const close = () => setPanel('none')
  return (
    <div className="flex flex-col gap-3">
      <Buttons {...form} allowance={allowance} panel={panel} setPanel={setPanel} />
      {panel === 'always' && <AlwaysPanel {...form} onClose={close} />}
      {panel === 'edit' && <EditPanel {...form} onClose={close} />}
      {panel === 'deny' && <DenyPanel {...form} onClose={close} />}
      {panel === 'none' && !form.disabled && (
        <p className="text-xs text-faint">
          {allowance.covers} {allowance.whyNot}{' '}
          <span className="pointer-coarse:hidden">{text.approvals.card.keys}</span>
        </p>
      )}
    </div>
  )
}

function Buttons({ send, isBusy, disabled, arming, allowance, panel, setPanel }: ApprovalActionsProps) {
  const t = text.approvals.actions
  const off = disabled || isBusy
  // While it is edited, what was asked for is not what one sees: only the edited call can be allowed.
  const isEdited = panel === 'edit'
  const toggle = (which: Panel) => setPanel(panel === which ? 'none' : which)
  return (
    <fieldset aria-label={t.group} className="flex min-w-0 flex-wrap gap-2">
      <AllowButton
        arming={arming}
        variant="primary"
        icon={Check}
        busy={isBusy}
        disabled={off || isEdited}
        className="max-sm:flex-1"
        onClick={() => send({ decision: 'allow', scope: 'once' })}
      >
        {t.allowOnce} <KeyHint keys="A" />
      </AllowButton>
      <span className="inline-flex max-sm:flex-1">
        <Button
          icon={X}
          disabled={off}
          className="flex-1 rounded-r-none"
          onClick={() => send({ decision: 'deny' })}
        >
          {t.deny} <KeyHint keys="D" />
        </Button>
        <DenyMenu off={off} send={send} setPanel={setPanel} />
      </span>
      {allowance.session && (
        <AllowButton
          arming={arming}
          disabled={off || isEdited}
          title={allowance.covers}
          onClick={() => send({ decision: 'allow', scope: 'session' })}
        >
          {t.allowSession} <KeyHint keys="S" />
        </AllowButton>
      )}
      {allowance.always && (
        <Button
          disabled={off || isEdited}
          aria-expanded={panel === 'always'}
          onClick={() => toggle('always')}
        >
          {t.always}
        </Button>
      )}
      <Button
        icon={Pencil}
        variant="ghost"
        disabled={off}
        title={t.editHint}
        aria-expanded={panel === 'edit'}
        onClick={() => toggle('edit')}
      >
        {t.edit} <KeyHint keys="E" />
      </Button>
    </fieldset>
  )
}

function DenyMenu({
  off,
  send,
  setPanel,
}: Pick<ApprovalActionsProps, 'send' | 'setPanel'> & { off: boolean }) {
  const t = text.approvals.actions
  const trigger = (
    <Button disabled={off} aria-label={t.denyMore} className="rounded-l-none border-l-0 px-2">
      <ChevronDown aria-hidden size={16} />
    </Button>
  )
  return (
    <Menu trigger={trigger} align="start">
      <MenuItem icon={MessageSquareX} onSelect={() => setPanel('deny')}>
        {t.denyWithMessage}
      </MenuItem>
      <MenuItem
        icon={OctagonX}
        danger
        hint={t.denyAndStopHint}
        onSelect={() => send({ decision: 'deny', interrupt: true })}
      >
        {t.denyAndStop}
      </MenuItem>
    </Menu>
  )
}

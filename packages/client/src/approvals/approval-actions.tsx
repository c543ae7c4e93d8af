import { Check, ChevronDown, MessageSquareX, OctagonX, Pencil, ShieldCheck, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useIsPhone } from '../browser/use-media.ts'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Checkbox } from '../ui/field.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { AllowButton } from './allow-button.tsx'
import type { Allowance } from './allowance.ts'
import { AlwaysPanel } from './always-panel.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'
import { EditPanel } from './edit-panel.tsx'
import { KeyHint } from './key-hint.tsx'
import { MessagePanel } from './message-panel.tsx'

/** What is open below the buttons. */
export type Panel = 'none' | 'always' | 'edit' | 'deny'

interface ApprovalActionsProps extends AnswerFormProps {
  allowance: Allowance
  panel: Panel
  setPanel: (panel: Panel) => void
}

export function ApprovalActions({ panel, setPanel, allowance, ...form }: ApprovalActionsProps) {
  const close = () => setPanel('none')
  const whyOff = useId()
  // What that takes is said below the card.
  if (form.disabled) return null
  return (
    <div className="flex flex-col gap-3">
      <Buttons {...form} allowance={allowance} panel={panel} setPanel={setPanel} whyOff={whyOff} />
      {panel === 'always' && <AlwaysPanel {...form} onClose={close} />}
      {panel === 'edit' && <EditPanel {...form} onClose={close} />}
      {panel === 'deny' && <DenyPanel {...form} onClose={close} />}
      {panel === 'edit' && (
        <p id={whyOff} className="text-xs text-soft">
          {text.approvals.edit.onlyEdited}
        </p>
      )}
      {panel === 'none' && (
        <p className="text-xs text-faint">
          {allowance.covers} {allowance.whyNot}{' '}
          <span className="pointer-coarse:hidden">{text.approvals.card.keys}</span>
        </p>
      )}
    </div>
  )
}

/** Less at the sides than usual: so all of them have room on one line of a conversation. */
const narrow = 'sm:px-3!'

/** Allowing on the left, denying apart from it on the right. On a phone both are of one size, and all that grants more is behind "More". */
function Buttons({
  send,
  isBusy,
  arming,
  allowance,
  panel,
  setPanel,
  whyOff,
}: ApprovalActionsProps & { whyOff: string }) {
  const t = text.approvals.actions
  const off = isBusy
  const isSmall = useIsPhone()
  // While it is edited, what was asked for is not what one sees: only the edited call can be allowed.
  const isEdited = panel === 'edit'
  const described = isEdited ? { 'aria-describedby': whyOff } : {}
  const toggle = (which: Panel) => setPanel(panel === which ? 'none' : which)
  const deny = (
    <span className="ml-auto inline-flex">
      <Button
        icon={X}
        disabled={off}
        className={cx(narrow, 'min-w-38 flex-1 rounded-r-none')}
        onClick={() => send({ decision: 'deny' })}
      >
        {t.deny} <KeyHint keys="D" />
      </Button>
      <DenyMenu off={off} send={send} setPanel={setPanel} />
    </span>
  )
  const allowOnce = (
    <AllowButton
      arming={arming}
      variant="primary"
      icon={Check}
      busy={isBusy}
      disabled={off || isEdited}
      {...described}
      className={narrow}
      onClick={() => send({ decision: 'allow', scope: 'once' })}
    >
      {t.allowOnce} <KeyHint keys="A" />
    </AllowButton>
  )
  if (isSmall)
    return (
      <fieldset aria-label={t.group} className="grid min-w-0 grid-cols-2 gap-2">
        <Button icon={X} disabled={off} onClick={() => send({ decision: 'deny' })}>
          {t.deny}
        </Button>
        {allowOnce}
        <Menu
          trigger={
            <Button variant="ghost" disabled={off} className="col-span-2">
              {t.more} <ChevronDown aria-hidden size={16} />
            </Button>
          }
        >
          {allowance.session && !isEdited && (
            <MenuItem
              icon={Check}
              hint={allowance.covers}
              onSelect={() => send({ decision: 'allow', scope: 'session' })}
            >
              {t.allowSession}
            </MenuItem>
          )}
          {allowance.always && !isEdited && (
            <MenuItem icon={ShieldCheck} onSelect={() => setPanel('always')}>
              {t.always}
            </MenuItem>
          )}
          {allowance.edit && (
            <MenuItem icon={Pencil} onSelect={() => setPanel('edit')}>
              {t.edit}
            </MenuItem>
          )}
          <MenuSeparator />
          <DenyItems send={send} setPanel={setPanel} />
        </Menu>
      </fieldset>
    )
  return (
    <fieldset aria-label={t.group} className="flex min-w-0 flex-wrap gap-1.5">
      {allowOnce}
      {allowance.session && (
        <AllowButton
          arming={arming}
          disabled={off || isEdited}
          {...described}
          title={allowance.covers}
          className={narrow}
          onClick={() => send({ decision: 'allow', scope: 'session' })}
        >
          {t.allowSession} <KeyHint keys="S" />
        </AllowButton>
      )}
      {allowance.always && (
        <Button
          className={narrow}
          disabled={off || isEdited}
          {...described}
          aria-expanded={panel === 'always'}
          onClick={() => toggle('always')}
        >
          {t.always}
        </Button>
      )}
      {allowance.edit && (
        <Button
          icon={Pencil}
          variant="ghost"
          className="px-2!"
          disabled={off}
          title={t.editHint}
          aria-expanded={panel === 'edit'}
          onClick={() => toggle('edit')}
        >
          {t.edit} <KeyHint keys="E" />
        </Button>
      )}
      {deny}
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
    <Menu trigger={trigger} align="end">
      <DenyItems send={send} setPanel={setPanel} />
    </Menu>
  )
}

function DenyItems({ send, setPanel }: Pick<ApprovalActionsProps, 'send' | 'setPanel'>) {
  const t = text.approvals.actions
  return (
    <>
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
    </>
  )
}

/** Denies a call, and stops the turn if one likes. */
function DenyPanel({ onClose, ...form }: AnswerFormProps & { onClose: () => void }) {
  const [stops, setStops] = useState(false)
  const t = text.approvals.deny
  return (
    <MessagePanel
      {...form}
      label={t.label}
      placeholder={t.placeholder}
      action={t.send}
      variant="danger"
      required
      takesFocus
      interrupt={stops}
      onClose={onClose}
    >
      <Checkbox label={t.stop} checked={stops} onChange={(event) => setStops(event.target.checked)} />
    </MessagePanel>
  )
}

import type { McpServer } from '@dorkos/shared'
import { KeyRound, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useCountdown } from '../approvals/use-countdown.ts'
import { useCan } from '../auth/auth-store.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import { ClientForm } from './client-form.tsx'
import { SignInLink } from './sign-in-link.tsx'
import type { SignInStep } from './sign-in-steps.ts'
import { type SignIn, useSignIn } from './use-sign-in.ts'

interface SignInCardProps {
  server: McpServer
  workspaceId: string | undefined
  /** In one line, where there is little room. */
  compact?: boolean
  onHide?: () => void
  /** Other ways, beside the button. */
  children?: ReactNode
}

/** Signs in to a server that wants it. It never takes the focus, but keeps it for who has it here. */
export function SignInCard({ server, workspaceId, compact = false, onHide, children }: SignInCardProps) {
  const isAdmin = useCan('admin')
  const signIn = useSignIn(server.name, workspaceId)
  const { step, busy } = signIn
  const isOver = useIsOver(step)
  const card = useFocusInside(`${step.at} ${isOver}`)
  const name = withVisibleControls(server.name)
  const words = text.mcp.signIn
  const isStart = step.at === 'start' || isOver
  return (
    <section
      ref={card}
      aria-label={words.label(name)}
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-raised px-3 py-2 text-sm"
    >
      <div className={cx('flex gap-2', compact ? 'items-center' : 'items-start')}>
        <KeyRound aria-hidden size={16} className={cx('shrink-0 text-warn', !compact && 'mt-0.5')} />
        <p role="status" dir="auto" className="min-w-0 flex-1 break-words">
          {busy ? words.beginning(name) : isOver ? words.expired : lead(server, step)}
          {!isAdmin && <span className="text-soft"> {words.notAdmin}</span>}
        </p>
        {compact && isStart && isAdmin && <Begin signIn={signIn} className="-my-0.5 max-sm:-my-1" />}
        {onHide && (
          <IconButton
            label={words.hide(name)}
            icon={X}
            iconSize={14}
            onClick={onHide}
            className="-my-0.5 -mr-2 max-sm:-my-1"
          />
        )}
      </div>
      {step.at !== 'link' && step.fault !== undefined && !busy && (
        <Notice tone="danger">{withVisibleControls(step.fault)}</Notice>
      )}
      {isAdmin && !isStart && <Step signIn={signIn} />}
      {isAdmin && isStart && !compact && (
        <div className="flex flex-wrap gap-2 pl-6">
          <Begin signIn={signIn} />
          {children}
        </div>
      )}
    </section>
  )
}

function Step({ signIn: { step, busy, begin, open, cancel } }: { signIn: SignIn }) {
  if (step.at === 'client') return <ClientForm busy={busy} onSubmit={begin} onCancel={cancel} />
  if (step.at === 'link')
    return (
      <SignInLink
        key={step.link.href}
        link={step.link}
        elsewhere={step.elsewhere}
        opened={step.opened}
        onOpen={open}
        onCancel={cancel}
      />
    )
  return null
}

function Begin({ signIn: { busy, begin }, className }: { signIn: SignIn; className?: string }) {
  return (
    <Button size="sm" variant="primary" className={className} busy={busy} onClick={() => void begin()}>
      {text.mcp.signIn.begin}
    </Button>
  )
}

function lead(server: McpServer, step: SignInStep): string {
  const words = text.mcp.signIn
  if (step.at === 'client') return words.client.wanted(withVisibleControls(step.host))
  if (step.at === 'link') return step.opened ? words.waiting(step.link.host) : words.opens(step.link.host)
  const name = withVisibleControls(server.name)
  const before = server.signed_in
  return before ? words.wantedAgain(name, withVisibleControls(before.host)) : words.wanted(name)
}

const never = '9999-12-31T00:00:00.000Z'

/** A sign-in that was begun is good for some minutes. */
function useIsOver(step: SignInStep): boolean {
  return useCountdown(step.at === 'link' ? step.expiresAt : never) <= 0
}

/** When what one pressed is replaced by the next step, its link or first field has the focus. Nobody who is elsewhere is called here. */
function useFocusInside(step: string) {
  const card = useRef<HTMLElement>(null)
  const had = useRef(false)
  const shown = useRef(step)
  useEffect(() => {
    const element = card.current
    if (!element) return
    const stop = new AbortController()
    const noteFocus = ({ target }: Event) => {
      had.current = target instanceof Node && element.contains(target)
    }
    document.addEventListener('focusin', noteFocus, { signal: stop.signal })
    document.addEventListener('pointerdown', noteFocus, { signal: stop.signal })
    return () => stop.abort()
  }, [])
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const { activeElement } = document
    const isLost = activeElement === null || activeElement === document.body
    if (!had.current || !isLost) return
    const find = (what: string) => card.current?.querySelector<HTMLElement>(what)
    const next = find('a, input') ?? find('button')
    next?.focus()
  }, [step])
  return card
}

import type { EndpointResponse } from '@dorkos/shared'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { useServerClock } from '../live/use-live.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { formatDuration } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { QrCode } from './qr-code.tsx'
import { isLoopback, signInLink } from './sign-in-link.ts'
import { tokenFromCode } from './token-list.ts'
import { useOwn } from './use-own.ts'
import { useTokens } from './use-tokens.ts'

interface ShownCodeProps {
  made: EndpointResponse<'createCode'>
  /** Devices that were there before the code. */
  known: ReadonlySet<string>
  onNew: () => void
}

/** The code until it is used or has expired. */
export function ShownCode({ made, known, onNew }: ShownCodeProps) {
  const t = text.devices
  const left = useTimeLeft(made.expires_at)
  const user = useCodeUser(known, left > 0)
  const again = (
    <Button className="self-start" onClick={onNew}>
      {t.newCode}
    </Button>
  )
  if (user !== undefined || left <= 0) {
    return (
      <div className="flex flex-col gap-3">
        {user !== undefined ? (
          <Notice tone="ok">{t.codeUsed(withVisibleControls(user))}</Notice>
        ) : (
          <Notice tone="neutral">{t.codeExpired}</Notice>
        )}
        {again}
      </div>
    )
  }
  const link = signInLink(location.origin, made.code)
  return (
    <fieldset
      // The button that made it is gone: one goes on here.
      ref={takeFocus}
      tabIndex={-1}
      aria-label={t.codeTyped}
      className="flex min-w-0 flex-col gap-3 outline-none"
    >
      {isLoopback(location.hostname) && (
        <Notice>
          {t.loopback}{' '}
          <Link href="/settings" className="underline underline-offset-2">
            {t.toSettings}
          </Link>
        </Notice>
      )}
      <div className="flex flex-col items-start gap-4 sm:flex-row">
        <QrCode text={link} label={t.qrLabel} />
        <div className="flex w-full min-w-0 flex-col gap-3 text-sm">
          <Shown label={t.codeTyped} value={made.code} copy={t.copyCode} large />
          <Shown label={t.linkLabel} value={link} copy={t.copyLink} />
          <p className="text-soft tabular-nums">
            {t.codeExpires(formatDuration(left), made.scopes.map((scope) => t.scopes[scope].name).join(', '))}
          </p>
          <p className="text-soft">{t.codeWarn}</p>
        </div>
      </div>
      {again}
    </fieldset>
  )
}

const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

interface ShownProps {
  label: string
  value: string
  copy: string
  large?: boolean
}

function Shown({ label, value, copy, large }: ShownProps) {
  return (
    <div className="min-w-0">
      <div className="text-xs text-soft">{label}</div>
      <div className="flex items-center gap-1">
        <code
          className={large ? 'font-mono text-lg tracking-wide' : 'min-w-0 truncate font-mono text-xs'}
          title={value}
        >
          {value}
        </code>
        <CopyButton value={value} label={copy} />
      </div>
    </div>
  )
}

/** In milliseconds, by the server's clock. */
function useTimeLeft(end: string): number {
  const offset = useServerClock()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Date.parse(end) - now - offset)
}

/** The name of the device that used the code, as far as this token may see devices. */
function useCodeUser(known: ReadonlySet<string>, waiting: boolean): string | undefined {
  const admin = useCan('admin')
  const { token } = useOwn()
  const { data } = useTokens({ enabled: admin, often: waiting })
  return data && token && tokenFromCode(data.tokens, token.id, known)?.name
}

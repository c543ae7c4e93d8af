import { ExternalLink } from 'lucide-react'
import { safeLink } from '../render/safe-link.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { AllowButton } from './allow-button.tsx'
import type { AnswerFormProps } from './answer-form-props.ts'

/** A page that the server wants opened: its address is there to be read before it is followed. */
export function ElicitationUrl({ url, ...form }: AnswerFormProps & { url: string }) {
  const { approval, send, isBusy, disabled, arming } = form
  const link = safeLink(url)
  const isWeb = link !== undefined && /^https?:/.test(link.href)
  const t = text.approvals.form
  const off = isBusy
  return (
    <>
      <p className="text-sm text-soft">
        {t.urlMeans(withVisibleControls(String(approval.input.server ?? '')))}
      </p>
      {isWeb && (
        <p className="text-sm">
          {t.host} <bdi className="font-mono font-semibold break-all">{link.target}</bdi>
        </p>
      )}
      <p dir="ltr" className="rounded-lg bg-raised px-3 py-2 font-mono text-xs break-all">
        <SafeText text={isWeb ? link.href : url} />
      </p>
      {isWeb ? (
        <a
          href={link.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="inline-flex min-h-9 items-center gap-2 self-start text-sm link max-sm:min-h-11"
        >
          <ExternalLink aria-hidden size={16} /> {t.openUrl}
        </a>
      ) : (
        <Notice tone="warn">{t.urlBad}</Notice>
      )}
      {!disabled && (
        <div className="flex flex-wrap gap-2">
          {isWeb && (
            <AllowButton
              arming={arming}
              variant="primary"
              busy={isBusy}
              disabled={off}
              onClick={() => send({ decision: 'allow', scope: 'once', answers: {} })}
            >
              {t.urlDone}
            </AllowButton>
          )}
          <Button disabled={off} onClick={() => send({ decision: 'deny' })}>
            {t.decline}
          </Button>
          <Button
            variant="ghost"
            disabled={off}
            title={t.dismissMeans}
            onClick={() => send({ decision: 'deny', dismiss: true })}
          >
            {t.dismiss}
          </Button>
        </div>
      )}
    </>
  )
}

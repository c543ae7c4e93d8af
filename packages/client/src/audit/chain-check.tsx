import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { api, errorText } from '../api.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Has the server check every line's hash. The button, and below the page's head what came out. */
export function useChainCheck() {
  const t = text.audit
  const check = useMutation({ mutationFn: () => api.verifyAudit() })
  const button = (
    <Button icon={ShieldCheck} busy={check.isPending} onClick={() => check.mutate()}>
      {t.check}
    </Button>
  )
  const result = check.isPending ? (
    <Notice tone="neutral">{t.checking}</Notice>
  ) : check.error ? (
    <Notice tone="danger">{errorText(check.error)}</Notice>
  ) : check.data ? (
    <Notice tone={check.data.intact ? 'ok' : 'danger'}>
      {check.data.intact
        ? t.intact(check.data.entries.toLocaleString('en'))
        : t.broken(String(check.data.first_fault ?? ''))}
    </Notice>
  ) : null
  return { button, result }
}

import type { Pairing, Scope } from '@dorkos/shared'
import { useState } from 'react'
import { api } from '../api.ts'
import { queryClient } from '../queries/query-client.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Time } from '../ui/time.tsx'
import { pairingErrorText } from './pairing-error.ts'
import { ScopePicker } from './scope-picker.tsx'
import { isLoopback } from './sign-in-link.ts'
import { scopesToOffer } from './token-list.ts'
import { useOwn } from './use-own.ts'
import { tokensKey } from './use-tokens.ts'

interface PairingReviewProps {
  pairing: Pairing
  /** With the name of the device that was let in, or without when nothing was. */
  onDone: (name?: string) => void
}

/** Who asks to be signed in, for a person to compare with what is in front of them. */
export function PairingReview({ pairing, onDone }: PairingReviewProps) {
  const t = text.devices
  const { scopes: own } = useOwn()
  const [scopes, setScopes] = useState<Scope[]>(() => scopesToOffer(own, pairing.from))
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = withVisibleControls(pairing.name)
  const confirm = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      await api.confirmPairing({ params: { code: pairing.code }, body: { scopes } })
      // It fetches its token within seconds.
      setTimeout(() => void queryClient.invalidateQueries({ queryKey: tokensKey }), 4000)
      onDone(name)
    } catch (error) {
      setFault(pairingErrorText(error))
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-sm font-medium">{t.whoAsks}</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-lg bg-raised px-3 py-2 text-sm">
        <dt className="text-soft">{t.pairCode}</dt>
        <dd className="font-mono">{pairing.code}</dd>
        <dt className="text-soft">{t.pairName}</dt>
        <dd className="break-words">
          <bdi>{name}</bdi>
        </dd>
        <dt className="text-soft">{t.pairKind}</dt>
        <dd>{t.kinds[pairing.kind]}</dd>
        <dt className="text-soft">{t.pairFrom}</dt>
        <dd className="break-all">{isLoopback(pairing.from) ? t.sameMachine(pairing.from) : pairing.from}</dd>
        <dt className="text-soft">{t.pairWhen}</dt>
        <dd>
          <Time value={pairing.created_at} />
        </dd>
      </dl>
      <Notice tone="warn">{t.warn}</Notice>
      {isLoopback(pairing.from) && own.includes('approve') && <Notice>{t.sameMachineScopes}</Notice>}
      <ScopePicker own={own} chosen={scopes} onChange={setScopes} />
      {fault !== undefined && <Notice tone="danger">{fault}</Notice>}
      <div className="flex gap-2">
        <Button variant="primary" busy={busy} onClick={() => void confirm()}>
          {t.confirm}
        </Button>
        <Button onClick={() => onDone()}>{text.ui.cancel}</Button>
      </div>
    </div>
  )
}

import type { Pairing } from '@dorkos/shared'
import { type FormEvent, useState } from 'react'
import { api } from '../api.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Card } from '../ui/page.tsx'
import { pairingErrorText } from './pairing-error.ts'
import { PairingReview } from './pairing-review.tsx'
import { typedPairingCode } from './sign-in-link.ts'

/** Lets in a device that shows a code: first who it is, then what it may do. */
export function ConfirmCode() {
  const t = text.devices
  const [typed, setTyped] = useState('')
  const [pairing, setPairing] = useState<Pairing>()
  const [fault, setFault] = useState<string>()
  const [done, setDone] = useState<string>()
  const [busy, setBusy] = useState(false)
  const findCode = async (event: FormEvent) => {
    event.preventDefault()
    setDone(undefined)
    const code = typedPairingCode(typed)
    if (code === undefined) return setFault(t.codeShort)
    setBusy(true)
    setFault(undefined)
    try {
      const found = await api.getPairing({ params: { code } })
      if (found.confirmed) setFault(t.codeConfirmed)
      else setPairing(found)
    } catch (error) {
      setFault(pairingErrorText(error))
    } finally {
      setBusy(false)
    }
  }
  const finish = (name?: string) => {
    setPairing(undefined)
    setTyped('')
    setDone(name)
  }
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="font-semibold">{t.confirmTitle}</h2>
        <p className="text-sm text-soft">{t.confirmLead}</p>
      </div>
      {done !== undefined && <Notice tone="ok">{t.pairConfirmed(done)}</Notice>}
      {pairing ? (
        <PairingReview pairing={pairing} onDone={finish} />
      ) : (
        <form onSubmit={(event) => void findCode(event)}>
          <Field label={t.codeLabel} fault={fault}>
            {(ids) => (
              <div className="flex gap-2">
                <Input
                  {...ids}
                  value={typed}
                  onChange={({ target }) => setTyped(target.value)}
                  placeholder={t.codePlaceholder}
                  autoComplete="off"
                  autoCapitalize="characters"
                  autoCorrect="off"
                  spellCheck={false}
                  maxLength={24}
                  className="max-w-60 font-mono"
                />
                <Button type="submit" busy={busy}>
                  {t.findCode}
                </Button>
              </div>
            )}
          </Field>
        </form>
      )}
    </Card>
  )
}

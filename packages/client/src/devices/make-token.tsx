import type { EndpointResponse, Scope } from '@dorkos/shared'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, errorText } from '../api.ts'
import { queryClient } from '../queries/query-client.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Input, Select } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { TokenSecret } from './token-secret.tsx'
import { useOwn } from './use-own.ts'
import { tokensKey } from './use-tokens.ts'

const expiries = ['7', '30', '90', '365', 'never'] as const
type Expiry = (typeof expiries)[number]

/** A button that opens the form, and shows the secret once. */
export function MakeToken() {
  const t = text.devices
  const [open, setOpen] = useState(false)
  const [issued, setIssued] = useState<EndpointResponse<'createToken'>>()
  return (
    <>
      <Button icon={KeyRound} iconOnPhone onClick={() => setOpen(true)}>
        {t.tokenMake}
      </Button>
      {open && (
        <TokenForm
          onClose={() => setOpen(false)}
          onIssued={(made) => {
            setOpen(false)
            setIssued(made)
            void queryClient.invalidateQueries({ queryKey: tokensKey })
          }}
        />
      )}
      {issued && <TokenSecret issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  )
}

interface TokenFormProps {
  onClose: () => void
  onIssued: (issued: EndpointResponse<'createToken'>) => void
}

function TokenForm({ onClose, onIssued }: TokenFormProps) {
  const t = text.devices
  const { scopes: own } = useOwn()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['read'])
  const [expiry, setExpiry] = useState<Expiry>('90')
  const [nameFault, setNameFault] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const make = async (event?: FormEvent) => {
    event?.preventDefault()
    if (name.trim() === '') return setNameFault(t.tokenNameFault)
    setBusy(true)
    setFault(undefined)
    try {
      const days = expiry === 'never' ? {} : { expires_in_days: Number(expiry) }
      onIssued(await api.createToken({ body: { name: name.trim(), scopes, ...days } }))
    } catch (error) {
      setFault(errorText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.tokenMake}
      description={t.tokenLead}
      actions={
        <>
          <Button onClick={onClose}>{text.ui.cancel}</Button>
          <Button variant="primary" busy={busy} onClick={() => void make()}>
            {t.make}
          </Button>
        </>
      }
    >
      <form onSubmit={(event) => void make(event)} className="flex flex-col gap-4 pb-2">
        <Field label={t.tokenName} fault={nameFault}>
          {(ids) => (
            <Input
              {...ids}
              value={name}
              maxLength={100}
              placeholder={t.tokenNamePlaceholder}
              autoComplete="off"
              onChange={({ target }) => {
                setName(target.value)
                setNameFault(undefined)
              }}
            />
          )}
        </Field>
        <ScopePicker own={own} chosen={scopes} onChange={setScopes} />
        <Field label={t.tokenExpiry}>
          {(ids) => (
            <Select
              {...ids}
              value={expiry}
              onChange={({ target }) => setExpiry(expiries.find((one) => one === target.value) ?? '90')}
            >
              {expiries.map((one) => (
                <option key={one} value={one}>
                  {t.expiries[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {expiry === 'never' && <Notice tone="warn">{t.tokenNeverWarn}</Notice>}
        {fault !== undefined && <Notice tone="danger">{fault}</Notice>}
      </form>
    </Dialog>
  )
}

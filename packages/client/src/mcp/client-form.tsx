import { type FormEvent, useState } from 'react'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { focusFault } from './focus-fault.ts'
import { redirectAddress, type SignInClient } from './use-sign-in.ts'

interface ClientFormProps {
  busy: boolean
  onSubmit: (client: SignInClient) => Promise<void>
  onCancel: () => void
}

const plain = { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off', autoComplete: 'off' } as const

/** What a place gave where DorkOS was registered by hand. */
export function ClientForm({ busy, onSubmit, onCancel }: ClientFormProps) {
  const [id, setId] = useState('')
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const words = text.mcp.signIn.client
  const fault = tried && id.trim() === '' ? words.idMissing : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (id.trim() === '') return focusFault(event.currentTarget)
    void onSubmit({ id: id.trim(), secret })
  }
  return (
    <form noValidate onSubmit={submit} className="flex min-w-0 flex-col gap-3 sm:pl-6">
      <Redirect />
      <Field label={words.id} fault={fault}>
        {(ids) => (
          <Input
            {...ids}
            {...plain}
            maxLength={500}
            value={id}
            onChange={(event) => setId(event.target.value)}
          />
        )}
      </Field>
      <Field label={words.secret} hint={words.secretHint}>
        {(ids) => (
          <Input
            {...ids}
            {...plain}
            type="password"
            autoComplete="new-password"
            maxLength={2000}
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={busy}>
          {words.submit}
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {text.ui.cancel}
        </Button>
      </div>
    </form>
  )
}

function Redirect() {
  const words = text.mcp.signIn.client
  const address = redirectAddress()
  return (
    <div>
      <p className="font-medium">{words.redirect}</p>
      <p className="flex items-center gap-1">
        <code className="min-w-0 text-xs break-all">{address}</code>
        <CopyButton value={address} label={words.copyRedirect} />
      </p>
    </div>
  )
}

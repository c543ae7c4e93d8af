import { type FormEvent, useState } from 'react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { readLinkCode } from './link-code.ts'
import { redeem } from './redeem.ts'
import { signInErrorText } from './sign-in-error.ts'

/** What was typed or pasted as a code: a whole link is fine too. */
export function typedCode(value: string): string {
  const trimmed = value.trim()
  const hash = trimmed.indexOf('#')
  return (hash < 0 ? undefined : readLinkCode(trimmed.slice(hash)).code) ?? trimmed
}

export function CodeForm() {
  const [value, setValue] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const code = typedCode(value)
    if (code === '') return setFault(text.auth.codeMissing)
    setBusy(true)
    setFault(undefined)
    try {
      await redeem(code)
    } catch (error) {
      setFault(signInErrorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <Field label={text.auth.codeLabel} hint={text.auth.codeHint} fault={fault}>
        {(ids) => (
          <div className="flex gap-2">
            <Input
              {...ids}
              // What one came here for.
              autoFocus
              value={value}
              onChange={(event) => setValue(event.target.value)}
              placeholder={text.auth.codePlaceholder}
              autoComplete="one-time-code"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              className="font-mono"
            />
            <Button type="submit" variant="primary" busy={busy}>
              {text.auth.codeSubmit}
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}

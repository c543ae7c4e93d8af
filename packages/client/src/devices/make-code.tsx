import type { EndpointResponse, Scope } from '@dorkos/shared'
import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { queryClient } from '../queries/query-client.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Card } from '../ui/page.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { ShownCode } from './shown-code.tsx'
import { usualScopes } from './token-list.ts'
import { useOwn } from './use-own.ts'
import { tokensQuery } from './use-tokens.ts'

/** A one-time code for another device, to scan, to open or to type. */
export function MakeCode() {
  const t = text.devices
  const { scopes: own } = useOwn()
  const admin = useCan('admin')
  const [scopes, setScopes] = useState<Scope[]>(() => usualScopes(own))
  const [made, setMade] = useState<{ code: EndpointResponse<'createCode'>; known: ReadonlySet<string> }>()
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      // Whoever is not among these afterwards came with the code.
      const known = admin ? (await queryClient.fetchQuery({ ...tokensQuery, staleTime: 0 })).tokens : []
      const code = await api.createCode({ body: { scopes } })
      setMade({ code, known: new Set(known.map(({ id }) => id)) })
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="font-semibold">{t.linkTitle}</h2>
        <p className="text-sm text-soft">{t.linkLead}</p>
      </div>
      {made ? (
        <ShownCode
          key={made.code.code}
          made={made.code}
          known={made.known}
          onNew={() => setMade(undefined)}
        />
      ) : (
        <>
          <ScopePicker own={own} chosen={scopes} onChange={setScopes} />
          <Button variant="primary" className="self-start" busy={busy} onClick={() => void make()}>
            {t.makeCode}
          </Button>
        </>
      )}
      <p role="status" className="sr-only">
        {made && t.codeReady(made.code.code)}
      </p>
      {fault !== undefined && <Notice tone="danger">{fault}</Notice>}
    </Card>
  )
}

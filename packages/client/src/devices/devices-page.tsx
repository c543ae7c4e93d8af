import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { useHash } from '../browser/use-hash.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ConfirmCode } from './confirm-code.tsx'
import { MakeCode } from './make-code.tsx'
import { MakeToken } from './make-token.tsx'
import { TokenRows } from './token-rows.tsx'
import { useTokens } from './use-tokens.ts'

export function DevicesPage() {
  const t = text.devices
  const approve = useCan('approve')
  const admin = useCan('admin')
  return (
    <Page title={t.title} description={t.lead} {...(approve && { actions: <AddDevice /> })}>
      {!approve && <Notice>{t.needsApprove}</Notice>}
      {admin ? <AllTokens /> : <Notice>{t.needsAdmin}</Notice>}
    </Page>
  )
}

/** The ways to let another device or program in. */
function AddDevice() {
  const t = text.devices
  const admin = useCan('admin')
  const isAsked = useHash() === 'add'
  const [open, setOpen] = useState(isAsked)
  // Also for who asks on this page, from the menu.
  useEffect(() => {
    if (isAsked) setOpen(true)
  }, [isAsked])
  const close = () => {
    setOpen(false)
    if (isAsked) history.replaceState(history.state, '', location.pathname)
  }
  return (
    <>
      {admin && <MakeToken />}
      <Button variant="primary" icon={Plus} iconOnPhone onClick={() => setOpen(true)}>
        {t.add}
      </Button>
      <Dialog open={open} onClose={close} title={t.add}>
        <div className="flex flex-col gap-4 pb-3">
          <MakeCode />
          <ConfirmCode />
        </div>
      </Dialog>
    </>
  )
}

function AllTokens() {
  const query = useTokens({ enabled: true })
  return <QueryView query={query}>{({ tokens }) => <TokenRows tokens={tokens} />}</QueryView>
}

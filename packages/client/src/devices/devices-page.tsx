import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
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
    <Page title={t.title} description={t.lead} {...(admin && { actions: <MakeToken /> })}>
      {approve ? (
        <>
          <ConfirmCode />
          <MakeCode />
        </>
      ) : (
        <Notice tone="info">{t.needsApprove}</Notice>
      )}
      <section className="flex flex-col gap-2">
        <h2 className="font-semibold">{t.active}</h2>
        {admin ? <AllTokens /> : <Notice tone="info">{t.needsAdmin}</Notice>}
      </section>
    </Page>
  )
}

function AllTokens() {
  const query = useTokens({ enabled: true })
  return <QueryView query={query}>{({ tokens }) => <TokenRows tokens={tokens} />}</QueryView>
}

/** The page: signed in or not, and then the shell. */
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listenForNextApproval } from './approvals/next-approval.ts'
import { authState, checkAuth, useAuth } from './auth/auth-store.ts'
import { takeLinkCode, usedLinkCode } from './auth/link-code.ts'
import { redeem } from './auth/redeem.ts'
import { signInErrorText } from './auth/sign-in-error.ts'
import { SignInFrame } from './auth/sign-in-frame.tsx'
// Not deferred: when it is needed, nothing can be fetched.
import { UnreachablePage } from './auth/unreachable-page.tsx'
import { live } from './live/live.ts'
import { queryClient } from './queries/query-client.ts'
import { Layout } from './shell/layout.tsx'
import { text } from './text/text.ts'
import { deferred, fetchDeferred, whenIdle } from './ui/deferred.tsx'
import { loadPart, loadPartsWhen } from './ui/load-part.ts'
import { Loading } from './ui/spinner.tsx'
import { Toasts } from './ui/toast.tsx'

loadPartsWhen(lineReady)

const SignInPage = deferred(async () => (await import('./auth/sign-in-page.tsx')).SignInPage)

export function App() {
  const linkFault = useSignIn()
  return (
    <QueryClientProvider client={queryClient}>
      <Screen linkFault={linkFault} />
      <Toasts />
    </QueryClientProvider>
  )
}

function Screen({ linkFault }: { linkFault: string | undefined }) {
  const auth = useAuth()
  switch (auth.state) {
    case 'checking':
      return (
        <SignInFrame title={text.ui.appName}>
          <Loading />
        </SignInFrame>
      )
    case 'unreachable':
      return <UnreachablePage error={auth.error} />
    case 'signed-out':
      return <SignInPage why={auth.why} fault={linkFault} />
    case 'signed-in':
      return <SignedIn key={auth.token.id} />
  }
}

function SignedIn() {
  useEffect(() => {
    live.start(queryClient)
    const stops = [startLater(), listenForNextApproval()]
    return () => {
      for (const stop of stops) stop()
      live.stop()
      // Another token may see other things.
      queryClient.clear()
    }
  }, [])
  return <Layout />
}

/**
 * The sign-in that a page begins with: by its link's code, or by the token that the browser has. A link that is opened in the tab of
 * this page changes only the fragment, so that nothing is loaded anew. Gives why a link failed.
 */
function useSignIn(): string | undefined {
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    const byLink = (code: string) => {
      setFault(undefined)
      redeem(code).catch((error: unknown) => {
        setFault(signInErrorText(error))
        void checkAuth()
      })
    }
    const code = usedLinkCode()
    if (code !== undefined) byLink(code)
    // Effects run twice while developing; the code is used by the first.
    else if (authState().state === 'checking') void checkAuth()
    const onFragment = () => {
      takeLinkCode()
      const next = usedLinkCode()
      if (next !== undefined) byLink(next)
    }
    addEventListener('hashchange', onFragment)
    return () => removeEventListener('hashchange', onFragment)
  }, [])
  return fault
}

/** What may begin when the page has been drawn: alerts and drafts as soon as there is a pause, all that a first look did not need a little later. */
function startLater(): () => void {
  let stop = () => {}
  let stopped = false
  const alert = async () => {
    const { startAlerts } = await loadPart(() => import('./approvals/alerts/start-alerts.ts'))
    if (!stopped) stop = startAlerts()
  }
  // Without alerts the page works; the next load tries again.
  whenIdle(() => alert().catch(() => undefined), 1000)
  let stopDrafts = () => {}
  const syncDrafts = async () => {
    const { syncPageDrafts } = await loadPart(() => import('./composer/page-draft-sync.ts'))
    if (!stopped) stopDrafts = syncPageDrafts()
  }
  // Without it drafts stay on this device.
  whenIdle(() => syncDrafts().catch(() => undefined), 1000)
  const timer = setTimeout(fetchDeferred, 3000)
  return () => {
    stopped = true
    clearTimeout(timer)
    stop()
    stopDrafts()
  }
}

/** Resolves when the server is heard; at once where nothing says that it is not, as before the first connection. */
function lineReady(): Promise<void> {
  const { connection } = live.store
  const isCut = () => {
    const { state } = connection.now()
    return state === 'reconnecting' || state === 'offline'
  }
  if (!isCut()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = connection.subscribe(() => {
      if (isCut()) return
      stop()
      resolve()
    })
  })
}

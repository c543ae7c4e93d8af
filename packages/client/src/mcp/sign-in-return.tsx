import type { McpServer } from '@dorkos/shared'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { errorText } from '../api.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { linkLook } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Loading } from '../ui/spinner.tsx'
import { type FinishedSignIn, finishSignIn } from './finish-sign-in.ts'
import { pageOf } from './server-state.ts'

type Outcome =
  | { at: 'working' | 'nothing' }
  | { at: 'done'; signedIn: FinishedSignIn }
  | { at: 'failed'; fault: string }

/** Where an authorization server sends a person back to. */
export function SignInReturn() {
  const outcome = useOutcome()
  const words = text.mcp.signIn.back
  switch (outcome.at) {
    case 'working':
      return (
        <Page title={words.working}>
          <Loading />
        </Page>
      )
    case 'done':
      return <Done signedIn={outcome.signedIn} />
    case 'failed':
      return (
        <Page title={words.failed}>
          <Notice tone="danger">{withVisibleControls(outcome.fault)}</Notice>
          <Onward href="/mcp" label={words.again} />
        </Page>
      )
    case 'nothing':
      return (
        <Page title={words.nothing} description={words.nothingHint}>
          <Onward href="/mcp" label={words.servers} />
        </Page>
      )
  }
}

function useOutcome(): Outcome {
  const [outcome, setOutcome] = useState<Outcome>({ at: 'working' })
  useEffect(() => {
    let isGone = false
    const finishing = finishSignIn()
    if (!finishing) return setOutcome({ at: 'nothing' })
    finishing.then(
      (signedIn) => !isGone && setOutcome({ at: 'done', signedIn }),
      (error: unknown) => !isGone && setOutcome({ at: 'failed', fault: errorText(error) }),
    )
    return () => {
      isGone = true
    }
  }, [])
  return outcome
}

function Done({ signedIn: { name, workspace_id: workspaceId, details } }: { signedIn: FinishedSignIn }) {
  const words = text.mcp.signIn.back
  const shown = withVisibleControls(name)
  return (
    <Page title={words.done(shown)}>
      <Working server={details.server} />
      <p className="text-sm text-soft">{words.close}</p>
      <Onward href={pageOf(name, workspaceId)} label={words.show(shown)} />
    </Page>
  )
}

/** One can be signed in to a server that fails for another reason. */
function Working({ server: { name, health } }: { server: McpServer }) {
  if (health?.state === 'connected')
    return <Notice tone="ok">{text.mcp.actions.works(withVisibleControls(name), health.tools)}</Notice>
  return (
    <Notice tone="warn">
      {text.mcp.signIn.back.notConnected(withVisibleControls(name))}{' '}
      {withVisibleControls(health?.error ?? '')}
    </Notice>
  )
}

function Onward({ href, label }: { href: string; label: string }) {
  return (
    <p>
      <Link href={href} className={linkLook('primary', 'md')}>
        {label}
      </Link>
    </p>
  )
}

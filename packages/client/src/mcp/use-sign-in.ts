import { mcpSignInPath } from '@dorkos/shared'
import { useEffect, useState } from 'react'
import { api, errorText } from '../api.ts'
import { workspaceQuery } from './mcp-queries.ts'
import { onSignInFailed } from './sign-in-news.ts'
import { type SignInStep, stepAfter } from './sign-in-steps.ts'

export interface SignInClient {
  id: string
  /** Empty where there is none. */
  secret: string
}

export interface SignIn {
  step: SignInStep
  busy: boolean
  begin(client?: SignInClient): Promise<void>
  /** The person went to where the link leads. */
  open(): void
  cancel(): void
}

/** Where one is sent back to, and what has to be registered where programs are registered by hand. */
export const redirectAddress = () => `${location.origin}${mcpSignInPath}`

/** Signing in to one server. That it has worked is seen by the server's health. */
export function useSignIn(name: string, workspaceId: string | undefined): SignIn {
  const [step, setStep] = useState<SignInStep>({ at: 'start' })
  const [busy, setBusy] = useState(false)
  const state = step.at === 'link' ? step.link.state : undefined
  useEffect(() => {
    if (state === undefined) return
    return onSignInFailed(state, (fault) => setStep({ at: 'start', fault }))
  }, [state])
  const begin = async (client?: SignInClient) => {
    setBusy(true)
    try {
      const answer = await api.beginMcpSignIn({
        params: { name },
        body: {
          ...workspaceQuery(workspaceId),
          redirect_uri: redirectAddress(),
          // Of the one that the form named: whoever is named now must not get the secret.
          ...(client && step.at === 'client' && { client_id: client.id, issuer: step.issuer }),
          ...(client && client.secret !== '' && { client_secret: client.secret }),
        },
      })
      setStep(stepAfter(answer))
    } catch (error) {
      const fault = errorText(error)
      setStep((now) => (now.at === 'client' ? { ...now, fault } : { at: 'start', fault }))
    } finally {
      setBusy(false)
    }
  }
  return {
    step,
    busy,
    begin,
    open: () => setStep((now) => (now.at === 'link' ? { ...now, opened: true } : now)),
    cancel: () => setStep({ at: 'start' }),
  }
}

/** A sign-in that comes back to this page is finished once, however often the page is drawn. */
import type { EndpointResponse } from '@dorkos/shared'
import { api, errorText } from '../api.ts'
import { onForget } from '../auth/private-state.ts'
import { sendSignInFailed } from './sign-in-news.ts'
import { usedSignInReturn } from './taken-return.ts'

export type FinishedSignIn = EndpointResponse<'finishMcpSignIn'>

let finishing: Promise<FinishedSignIn> | undefined

onForget(() => {
  finishing = undefined
})

/** Undefined where there is none to finish. A tab that waits for it is notified when it fails. */
export function finishSignIn(): Promise<FinishedSignIn> | undefined {
  const answer = usedSignInReturn()
  if (answer) {
    finishing = api.finishMcpSignIn({ body: answer })
    finishing.catch((error: unknown) => sendSignInFailed({ state: answer.state, fault: errorText(error) }))
  }
  return finishing
}

/** What an authorization server sends a person back with. It is in memory only, also while that person has yet to sign in to DorkOS. */
import { type EndpointBody, mcpSignInPath } from '@dorkos/shared'

export type SignInAnswer = EndpointBody<'finishMcpSignIn'>

/** Undefined where nothing says which sign-in it is about. Words of the refusal are a stranger's, and cut where they are too long. */
export function readReturn(search: string): SignInAnswer | undefined {
  const parameters = new URLSearchParams(search)
  const given = (name: string, longest?: number) => parameters.get(name)?.slice(0, longest) || undefined
  const state = given('state')
  if (state === undefined) return undefined
  const code = given('code')
  const iss = given('iss')
  const error = given('error', 200)
  const description = given('error_description', 1000)
  return {
    state,
    ...(code !== undefined && { code }),
    ...(iss !== undefined && { iss }),
    ...(error !== undefined && { error }),
    ...(description !== undefined && { error_description: description }),
  }
}

let taken: SignInAnswer | undefined

/** Takes it out of the address bar and of the history, before anything else runs. */
export function takeSignInReturn(): void {
  if (location.pathname !== mcpSignInPath || location.search === '') return
  taken = readReturn(location.search)
  history.replaceState(history.state, '', mcpSignInPath)
}

/** What was taken, once. */
export function usedSignInReturn(): SignInAnswer | undefined {
  const answer = taken
  taken = undefined
  return answer
}

import { type EndpointBody, endpoints } from '@dorkos/shared'

export type SignInAnswer = EndpointBody<'finishMcpSignIn'>

const names = ['state', 'code', 'iss', 'error', 'error_description'] as const
const longestDescription = 1000

/**
 * What an authorization server sent back, where it belongs to the sign-in with this state. Undefined for all else: it comes from
 * whoever can make a browser open an address.
 */
export function readCallback(params: URLSearchParams, state: string): SignInAnswer | undefined {
  const given: Record<string, string> = {}
  for (const name of names) {
    const [value, ...more] = params.getAll(name)
    if (more.length > 0) return undefined
    if (value !== undefined) given[name] = value
  }
  if (given.state !== state || (given.code === undefined) === (given.error === undefined)) return undefined
  if (given.error_description !== undefined)
    given.error_description = given.error_description.slice(0, longestDescription)
  return endpoints.finishMcpSignIn.body.safeParse(given).data
}

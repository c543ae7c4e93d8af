/** Signing in to an MCP server as a person does: by the API, and at the page of the authorization server. */
import type { EndpointBody } from '@dorkos/shared'
import type { AuthServer } from '@dorkos/testkit'
import type { Host } from './start-host.ts'

export const callback = 'http://127.0.0.1:9/callback'

/** What the address that the person was sent back to holds, as it is handed in. */
export function cameBack(address: string): EndpointBody<'finishMcpSignIn'> {
  const { searchParams } = new URL(address)
  const given = (key: string) => searchParams.get(key) ?? undefined
  const [code, iss, error, description] = ['code', 'iss', 'error', 'error_description'].map(given)
  return {
    state: given('state') ?? '',
    ...(code !== undefined && { code }),
    ...(iss !== undefined && { iss }),
    ...(error !== undefined && { error }),
    ...(description !== undefined && { error_description: description }),
  }
}

export async function begin(
  { client }: Pick<Host, 'client'>,
  name: string,
  body: Partial<EndpointBody<'beginMcpSignIn'>> = {},
) {
  const step = await client.beginMcpSignIn({ params: { name }, body: { redirect_uri: callback, ...body } })
  if (step.step !== 'open') throw new Error(`${step.host} wants a client`)
  return step
}

export async function signIn(
  host: Pick<Host, 'client'>,
  auth: AuthServer,
  name: string,
  body: Partial<EndpointBody<'beginMcpSignIn'>> = {},
) {
  const step = await begin(host, name, body)
  const finished = await host.client.finishMcpSignIn({ body: cameBack(await auth.approve(step.url)) })
  return { step, finished }
}

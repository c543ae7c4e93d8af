/** Trusts a workspace as a person does: looks at it, then trusts what was shown. */
import type { ApiClient, WorkspaceTrust } from '@dorkos/shared'

export async function trustWorkspace(client: ApiClient, id: string): Promise<WorkspaceTrust> {
  const { digest } = await client.getWorkspaceTrust({ params: { id } })
  return client.giveWorkspaceTrust({ params: { id }, body: { digest } })
}

/** A one-time code becomes this browser's token. */
import { createApiClient } from '@dorkos/shared'
import { api } from '../api.ts'
import { signIn } from './auth-store.ts'
import { deviceName } from './device-name.ts'
import { storedToken } from './token-storage.ts'

export async function redeem(code: string): Promise<void> {
  const before = storedToken()
  const { secret } = await api.redeemCode({ body: { code, name: deviceName(navigator.userAgent) } })
  await signIn(secret)
  // This browser needs one token. The one it had would stay in the list of devices for nothing.
  if (before !== undefined && before !== secret) await endToken(before)
}

async function endToken(secret: string): Promise<void> {
  await createApiClient({ token: secret })
    .signOut({ body: {} })
    .catch(() => undefined)
}

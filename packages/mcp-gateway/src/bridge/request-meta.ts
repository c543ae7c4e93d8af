/** `_meta` of the session's requests: what is for the server, and what is for us. */
import { isRecord } from '@dorkos/processes'

type Params = Record<string, unknown>

/** Without the token, as the hold has one of its own, and without what Claude Code adds for the session alone. */
export function metaForServer(params: Params): { _meta?: Params } {
  if (!isRecord(params._meta)) return {}
  const kept = Object.entries(params._meta).filter(
    ([key]) => key !== 'progressToken' && key !== '__proto__' && !key.startsWith('claudecode/'),
  )
  return kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }
}

/** The model's own id of the call. */
export function toolUseIdOf(params: Params): string | undefined {
  const id = isRecord(params._meta) ? params._meta['claudecode/toolUseId'] : undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}

export function progressTokenOf(params: Params): string | number | undefined {
  const token = isRecord(params._meta) ? params._meta.progressToken : undefined
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}

/** Changes of a session's settings, shown before the server has them and taken back when it refuses. */
import type { EndpointBody, Session } from '@dorkos/shared'
import { useCallback, useRef, useState } from 'react'
import { api, errorText } from '../api.ts'
import { toast } from '../ui/toast.tsx'

type Settings = Pick<Session, 'model' | 'effort' | 'permission_mode'>
type Change = Pick<EndpointBody<'changeSession'>, 'model' | 'effort' | 'permission_mode'>

/** For how long an accepted change is shown from here, until the event about it has come. */
const heldMs = 1500

export function useSessionChange(session: Session): {
  settings: Settings
  change: (change: Change) => Promise<void>
} {
  const [pending, setPending] = useState<Change>({})
  const newest = useRef(0)
  const { id } = session
  const change = useCallback(
    async (wanted: Change) => {
      const mine = ++newest.current
      const release = () => newest.current === mine && setPending({})
      setPending((before) => ({ ...before, ...wanted }))
      try {
        await api.changeSession({ params: { id }, body: wanted })
        setTimeout(release, heldMs)
      } catch (error) {
        release()
        toast.error(errorText(error))
      }
    },
    [id],
  )
  return { settings: settingsWith(session, pending), change }
}

function settingsWith(session: Session, { model, effort, permission_mode }: Change): Settings {
  const shownModel = model === undefined ? session.model : (model ?? undefined)
  const shownEffort = effort === undefined ? session.effort : (effort ?? undefined)
  return {
    permission_mode: permission_mode ?? session.permission_mode,
    ...(shownModel !== undefined && { model: shownModel }),
    ...(shownEffort !== undefined && { effort: shownEffort }),
  }
}

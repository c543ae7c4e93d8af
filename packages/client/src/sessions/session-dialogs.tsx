/** Windows about one session, asked for from anywhere: the list, the palette. */
import type { Session } from '@dorkos/shared'
import { useSyncExternalStore } from 'react'
import { deferred } from '../ui/deferred.tsx'

const RenameDialog = deferred(async () => (await import('./one-session-dialogs.tsx')).RenameDialog)
const DeleteDialog = deferred(async () => (await import('./one-session-dialogs.tsx')).DeleteDialog)

interface Asked {
  kind: 'rename' | 'delete'
  session: Session
}

let asked: Asked | undefined
const listeners = new Set<() => void>()

function set(next: Asked | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

export function askRename(session: Session): void {
  set({ kind: 'rename', session })
}

export function askDelete(session: Session): void {
  set({ kind: 'delete', session })
}

export function SessionDialogs() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
  if (!now) return null
  const close = () => set(undefined)
  if (now.kind === 'rename') return <RenameDialog session={now.session} onClose={close} />
  return <DeleteDialog session={now.session} onClose={close} />
}

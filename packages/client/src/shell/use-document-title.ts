import type { Session } from '@dorkos/shared'
import { useEffect } from 'react'
import { sessionTitle } from '../sessions/session-title.ts'
import { text } from '../text/text.ts'
import { pageTitle } from './nav.ts'

/** The tab's title says where one is. A count of what waits, in brackets before it, is somebody else's and stays. */
export function useDocumentTitle(place: string, session: Session | undefined): void {
  const title = session ? sessionTitle(session) : pageTitle(place)
  useEffect(() => {
    const count = /^\(\d+\+?\) /.exec(document.title)?.[0] ?? ''
    document.title = `${count}${title === text.ui.appName ? title : `${title} · ${text.ui.appName}`}`
  }, [title])
}
